/** Grainline's own server answers every request in one form. */
import { once } from 'node:events'
import http from 'node:http'
import net from 'node:net'
import { definePlugin, type HostPlugin } from '@grainline/core'
import { grainline } from '@grainline/core/fastify'
import rest from '@grainline/surface-rest'
import Fastify from 'fastify'
import t from 'tap'
import { answerUnreadable } from '../../core/src/host/refuse-request.js'
import { startServer } from '../../core/src/host/server.js'
import { connections } from '../connections/raw.js'
import { holds } from '../specification/holds.js'

const config = { plugins: ['@grainline/dialect-duckdb', rest as HostPlugin], base: import.meta.dirname }
const environment = { process: { PORT: '0', LOG_LEVEL: 'CRITICAL' }, dotenv: {} }

interface Raw {
  readonly status: number
  readonly text: string
}

/** Sent by hand, because fetch encodes paths and refuses `Expect`. */
const raw = (address: string, method: string, path: string, headers: Record<string, string> = {}, body = ''): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const { hostname: host, port } = new URL(address)
    const request = http.request({ host, port, method, path, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }))
    })
    request.on('error', reject).end(body)
  })

/** The response to a request that does not arrive in time, which Node would send after minutes. */
function late(): Raw & { readonly destroyed: boolean } {
  const written: string[] = []
  const socket = Object.assign(new net.Socket(), { write: (text: string) => written.push(text) > 0 })
  Object.defineProperty(socket, 'writable', { value: true })
  socket.on('error', () => {})
  answerUnreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  return { status: 408, text: written.join(''), destroyed: socket.destroyed }
}

t.test('the standalone server', async (t) => {
  const server = await startServer(config, environment)
  t.teardown(() => server.close())
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(server.address + path, init)
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> }
  }

  t.test('refuses every unknown path and method with a problem document', async (t) => {
    const cases = [
      { path: '/foo', status: 404, code: 'NOT_FOUND' },
      { path: '/v2/sessions', status: 404, code: 'NOT_FOUND' },
      { path: '/foo', method: 'POST', status: 404, code: 'NOT_FOUND' },
      { path: '/health', method: 'POST', status: 405, code: 'METHOD_NOT_ALLOWED' },
      { path: '/openapi.json', method: 'DELETE', status: 405, code: 'METHOD_NOT_ALLOWED' },
      { path: '/v1/sessions', method: 'PATCH', status: 405, code: 'METHOD_NOT_ALLOWED' },
      { path: '/v1/sessions', method: 'PROPFIND', status: 405, code: 'METHOD_NOT_ALLOWED' },
      { path: '/v1/%zz', status: 400, code: 'MALFORMED_REQUEST' },
      { path: '/%c3%28', status: 400, code: 'MALFORMED_REQUEST' },
      { path: `/v1/sessions/${'x'.repeat(8000)}`, status: 404, code: 'SESSION_NOT_FOUND' },
      { path: `/v1/sessions/${'x'.repeat(20_000)}`, status: 431, code: 'HEADERS_TOO_LARGE' },
    ]
    for (const { path, method = 'GET', status, code } of cases) {
      const answer = await ask(path, { method })
      const name = `${method} ${path.slice(0, 20)}`
      t.match(answer, { status, body: { status, code, title: String, detail: String, hint: String } }, name)
      t.match(answer.headers.get('content-type'), /^application\/problem\+json/, name)
      t.equal(answer.body.request_id, answer.headers.get('x-request-id'), name)
    }
  })

  t.test('answers input that is not HTTP, or incomplete, and closes the connection', async (t) => {
    const cases = [
      { sent: 'nonsense', status: '400 Bad Request', code: 'MALFORMED_REQUEST' },
      { sent: 'GET /health HTTP/1.1\r\nConnection: close', status: '400 Bad Request', code: 'MALFORMED_REQUEST' },
      {
        sent: 'GET /health HTTP/1.1\r\nHost: a\r\nExpect: nothing',
        status: '417 Expectation Failed',
        code: 'EXPECTATION_FAILED',
      },
    ]
    for (const { sent, status, code } of cases) {
      const socket = net.connect(Number(new URL(server.address!).port), 'localhost')
      const received: Buffer[] = []
      socket.on('data', (chunk: Buffer) => received.push(chunk))
      socket.end(`${sent}\r\n\r\n`)
      await once(socket, 'close')
      const [head = '', body = ''] = Buffer.concat(received).toString().split('\r\n\r\n')
      t.ok(head.startsWith(`HTTP/1.1 ${status}\r\n`), head)
      t.match(head, /content-type: application\/problem\+json/i)
      t.match(body.slice(body.indexOf('{')), `"code":"${code}"`)
    }
  })

  t.test('reports a request that does not arrive in time, which Node detects', async (t) => {
    const { destroyed, text } = late()
    t.ok(destroyed)
    t.match(text, /^HTTP\/1\.1 408 Request Timeout\r\n.*"code":"REQUEST_TIMEOUT".*"hint":"Send it again\."/s)
  })

  t.test('answers a request that follows the advice of its error', async (t) => {
    const health = (headers: Record<string, string>) => raw(server.address!, 'GET', '/health', headers)
    const long = 'x'.repeat(20_000)
    const cases: readonly (readonly [string, () => Promise<Raw>, RegExp, () => Promise<Raw>])[] = [
      [
        'MALFORMED_REQUEST',
        () => raw(server.address!, 'GET', '/v1/sessions/%zz'),
        /[Pp]ercent-encode/,
        () => raw(server.address!, 'GET', `/v1/sessions/${encodeURIComponent('%zz')}`),
      ],
      [
        'HEADERS_TOO_LARGE',
        () => raw(server.address!, 'GET', `/v1/sessions/${long}`),
        /into the body/,
        () =>
          raw(
            server.address!,
            'POST',
            '/v1/validate',
            { 'content-type': 'application/json' },
            JSON.stringify({ model_yaml: `name: ${long}` }),
          ),
      ],
      ['EXPECTATION_FAILED', () => health({ expect: 'nothing' }), /without that header/, () => health({})],
      ['REQUEST_TIMEOUT', async () => late(), /Send it again/, () => health({})],
    ]
    for (const [code, refused, advice, again] of cases) {
      const { text } = await refused()
      t.match(text, new RegExp(`"code":"${code}"`))
      t.match(text, advice, code)
      const answer = await again()
      t.notMatch(answer.text, code)
      t.ok([200, 404].includes(answer.status), `${code}: ${answer.status} ${answer.text.slice(0, 200)}`)
    }
  })

  t.test('lists its pages at /, as HTML and as JSON', async (t) => {
    const { status, body } = await ask('/')
    t.equal(status, 200)
    for (const { path } of body.links as { path: string }[]) t.equal((await fetch(server.address + path)).status, 200, path)
    const page = await fetch(`${server.address}/`, { headers: { accept: 'text/html,*/*;q=0.8' } })
    t.equal((await ask('/ui')).status, 404, 'without its plugin there is no page')
    t.notMatch(JSON.stringify(body), '/ui')
    t.match(page.headers.get('content-type'), /^text\/html/)
    t.match(await page.text(), '<a href="/docs">')
  })

  t.test('gives every request a unique id, also across restarts', async (t) => {
    const ids = await Promise.all(
      ['/health', '/health', '/foo'].map(async (path) => (await ask(path)).headers.get('x-request-id')),
    )
    t.equal(new Set(ids).size, 3)
    for (const id of ids) t.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4/)
  })
})

t.test('refuses an address with many connections whose request is incomplete, until one of them ends', async (t) => {
  holds(t, 'setting.HTTP_CLIENT_MAX_INCOMPLETE')
  const process = { ...environment.process, HTTP_CLIENT_MAX_INCOMPLETE: '2', API_SERVER_HOST: '127.0.0.1' }
  const server = await startServer(config, { ...environment, process })
  t.teardown(() => server.close())
  const { port } = new URL(server.address!)
  const [first] = await connections(2, Number(port))
  const { status, text } = await raw(server.address!, 'GET', '/health')
  t.equal(status, 429)
  t.match(text, /"code":"TOO_MANY_CONNECTIONS"/)
  t.match(text, /This address has 2 connections .*Finish or close the other requests first, .*HTTP_CLIENT_MAX_INCOMPLETE/)
  first!.socket.destroy()
  let answer = await raw(server.address!, 'GET', '/health')
  while (answer.status === 429) answer = await raw(server.address!, 'GET', '/health')
  t.equal(answer.status, 200)
})

t.test('inside an application without a prefix, the application handles unknown paths', async (t) => {
  const app = Fastify()
  t.teardown(() => app.close())
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ from: 'the application' }))
  await app.register(grainline, { config, environment: { process: {}, dotenv: {} } })
  t.same((await app.inject('/foo')).json(), { from: 'the application' })
  t.match((await app.inject('/v1/foo')).json(), { code: 'NOT_FOUND' })
})

t.test('API_SERVER_HOST is the address that the server listens on', async (t) => {
  holds(t, 'setting.API_SERVER_HOST')
  for (const host of ['127.0.0.1', '0.0.0.0']) {
    const server = await startServer(config, { ...environment, process: { ...environment.process, API_SERVER_HOST: host } })
    t.match(server.app.server.address(), { address: host })
    await server.close()
  }
})

t.test('a surface knows whether the server belongs to Grainline', async (t) => {
  const told: boolean[] = []
  const curious = definePlugin({
    name: 'curious',
    host: '*',
    setup: (host) =>
      host.surfaces.register({
        name: 'curious',
        kind: 'http',
        routes: async (_app, context) => void told.push(context.standalone),
      }),
  })
  const server = await startServer({ plugins: [curious] }, environment)
  await server.close()
  const app = Fastify()
  await app.register(grainline, { config: { plugins: [curious] }, environment: { process: {}, dotenv: {} } })
  await app.close()
  t.same(told, [true, false])
})
