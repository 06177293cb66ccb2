/** HTTP without a framework, so that a load test measures the server. */
import http from 'node:http'

export interface Reply {
  readonly status: number
  readonly text: string
  readonly type: string
  /** False if the connection ended before the answer was complete. */
  readonly complete: boolean
}

export class Client {
  readonly #agent: http.Agent

  constructor(
    private readonly base: string,
    connections: number,
    localAddress?: string,
  ) {
    this.#agent = new http.Agent({
      keepAlive: true,
      maxSockets: connections,
      ...(localAddress !== undefined && { localAddress }),
    })
  }

  /** Rejects if no answer begins. */
  send(method: string, path: string, body?: string, headers: Record<string, string> = {}): Promise<Reply> {
    const content = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    return new Promise((resolve, reject) => {
      const options = { method, agent: this.#agent, headers: { ...content, ...headers }, path }
      const request = http.request(this.base, options, (response) => {
        const pieces: Buffer[] = []
        response.on('data', (piece: Buffer) => pieces.push(piece))
        const end = (complete: boolean) =>
          resolve({
            status: response.statusCode ?? 0,
            text: Buffer.concat(pieces).toString('utf8'),
            type: String(response.headers['content-type'] ?? ''),
            complete,
          })
        response.on('end', () => end(response.complete))
        response.on('error', () => end(false))
      })
      request.on('error', reject)
      request.end(body)
    })
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const reply = await this.send(method, path, body === undefined ? undefined : JSON.stringify(body))
    if (reply.status >= 400) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`)
    return (reply.text === '' ? undefined : JSON.parse(reply.text)) as T
  }

  close(): void {
    this.#agent.destroy()
  }
}
