import http from 'node:http'

/** Forwards `prefix…` without the prefix, as load balancers do. */
export async function strippingProxy(t: { teardown(run: () => void): void }, prefix: string, to: string): Promise<string> {
  const server = http.createServer((request, response) => {
    if (!request.url?.startsWith(prefix)) return void response.writeHead(404).end()
    const target = new URL(request.url.slice(prefix.length), to)
    const onward = http.request(target, { method: request.method, headers: request.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`
}
