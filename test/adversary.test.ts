/** Attacks of other kinds than test/attacks, on a server with real sockets: framing, encodings, decompression bombs, documents. */
import { once } from 'node:events'
import { connect } from 'node:http2'
import net from 'node:net'
import { deflateSync, gzipSync } from 'node:zlib'
import { connectFlightSql } from '@grainline/flight-sql'
import rest from '@grainline/surface-rest'
import ui from '@grainline/surface-ui'
import t, { type Test } from 'tap'
import type { HostPlugin } from '../core/src/host/plugin.js'
import { startServer } from '../core/src/host/server.js'
import { startEverySurface } from './every-surface.js'
import { ask, bind, connectReady, errorOf, execute, parse, rowsOf, sync } from './pgwire/raw-client.js'
import { shopModel } from './rest/shop.js'

const config = {
  plugins: ['@grainline/dialect-duckdb', '@grainline/vendor-duckdb', rest as HostPlugin, ui as HostPlugin],
  base: import.meta.dirname,
}

async function served(t: Test, env: Record<string, string> = {}) {
  const server = await startServer(config, { process: { PORT: '0', LOG_LEVEL: 'CRITICAL', ...env }, dotenv: {} })
  t.teardown(() => server.close())
  const { port } = server.app.server.address() as { port: number }
  return { port, url: `http://127.0.0.1:${port}` }
}

/** Everything that the server sends in response to these bytes until it closes the connection. */
function say(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let heard = ''
    const socket = net.connect({ port, host: '127.0.0.1' }, () => socket.write(Buffer.from(bytes, 'latin1')))
    socket.setEncoding('latin1').on('data', (piece: string) => {
      heard += piece
    })
    socket.on('end', () => socket.end())
    socket.on('error', () => socket.destroy())
    socket.on('close', () => resolve(heard))
  })
}

const HIDDEN = 'GET /v1/settings?hidden HTTP/1.1\r\nHost: localhost\r\n\r\n'
const post = (headers: readonly string[], body = '') =>
  ['POST /v1/validate HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', ...headers, '', body].join('\r\n')

const FRAMES: Readonly<Record<string, string>> = {
  'a length and chunks': post(['Content-Length: 4', 'Transfer-Encoding: chunked'], `0\r\n\r\n${HIDDEN}`),
  'two lengths': post(['Content-Length: 0', `Content-Length: ${HIDDEN.length}`], HIDDEN),
  'a length with a sign': post(['Content-Length: +0'], HIDDEN),
  'two lengths in one header': post([`Content-Length: 0, ${HIDDEN.length}`], HIDDEN),
  'an unknown transfer encoding': post(['Transfer-Encoding: xchunked'], HIDDEN),
  'chunks that are not the last encoding': post(['Transfer-Encoding: chunked, identity'], `0\r\n\r\n${HIDDEN}`),
  'a blank before the colon': post(['Content-Length : 0'], HIDDEN),
  'a folded header': post(['X-A: a\r\n Content-Length: 0'], HIDDEN),
  'a chunk size with a sign': post(['Transfer-Encoding: chunked'], `-1\r\n\r\n${HIDDEN}`),
  'a chunk size beyond all numbers': post(['Transfer-Encoding: chunked'], `${'f'.repeat(17)}\r\n\r\n${HIDDEN}`),
  'lines that end in LF alone': post(['Content-Length: 0']).replaceAll('\r\n', '\n') + HIDDEN,
  'two hosts': 'GET /health HTTP/1.1\r\nHost: localhost\r\nhost: evil.example\r\nConnection: close\r\n\r\n',
  'a NUL in a header': post(['X-A: a\0b', 'Content-Length: 0'], HIDDEN),
}

t.test('a request that servers can read in two ways smuggles no second request', async (t) => {
  const { port } = await served(t)
  for (const [name, bytes] of Object.entries(FRAMES)) {
    const heard = await say(port, bytes)
    t.match(heard, /^HTTP\/1\.1 4\d\d /, name)
    t.equal(heard.split('HTTP/1.1 ').length - 1, 1, `${name}: one answer`)
    t.match(heard, /application\/problem\+json/, `${name}: with a reason`)
  }
})

const CLIMBING = [
  '../',
  '..%2f',
  '%2e%2e/',
  '%2e%2e%2f',
  '%252e%252e%252f',
  '..%5c',
  '..\\',
  '..%c0%af',
  '%c0%ae%c0%ae/',
  '....//',
  '..%00/',
]

t.test('no spelling of a path leads out of the files of the page', async (t) => {
  const { port } = await served(t)
  for (const climb of CLIMBING) {
    for (const [base, target] of [
      ['/ui/', 'package.json'],
      ['/ui/assets/', 'etc/passwd'],
      ['/ui/api/v1/', 'etc/passwd'],
      ['/docs/', 'package.json'],
      ['/v1/reference/', 'package.json'],
    ]) {
      const heard = await say(
        port,
        `GET ${base}${climb.repeat(8)}${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      )
      t.match(heard, /^HTTP\/1\.1 (200|302|40\d|414|422) /, `${base}${climb}`)
      t.notMatch(heard, /root:x|"name": "|"dependencies"/, `${base}${climb}`)
    }
  }
})

t.test('a compressed body is not decompressed', async (t) => {
  const { url } = await served(t)
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024, 32))
  const before = process.memoryUsage().arrayBuffers
  for (const encoding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
    const answer = await fetch(`${url}/v1/validate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      body: bomb,
    })
    t.ok(answer.status >= 400 && answer.status < 500, `${encoding}: ${answer.status}`)
    await answer.text()
  }
  t.ok(process.memoryUsage().arrayBuffers - before < 40 * 1024 * 1024)
})

const LAUGHS = [
  'a: &a [x,x,x,x,x,x,x,x,x]',
  ...[...'bcdefghi'].map((name, i) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[i]}`)}]`),
].join('\n')
const DOCUMENTS: Readonly<Record<string, string>> = {
  'a thousand million laughs': LAUGHS,
  'an anchor that holds itself': 'a: &a [*a]',
  'a merge of itself': 'a: &a\n  <<: *a',
  'a tag that makes code': 'a: !!js/function "function () { return process.exit() }"',
  'a tag that makes an object': 'a: !!python/object/apply:os.system ["true"]',
  'a binary tag': 'a: !!binary aGVsbG8=',
  prototypes:
    '__proto__:\n  polluted: yes\nconstructor:\n  prototype:\n    polluted: yes\ndataObjects:\n  __proto__:\n    polluted: yes',
}

t.test('model documents run no code, expand no aliases and change no prototype', async (t) => {
  const { url } = await served(t)
  const send = (path: string, body: string) =>
    fetch(`${url}${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  for (const [name, model_yaml] of Object.entries(DOCUMENTS)) {
    const answer = await send('/v1/validate', JSON.stringify({ model_yaml }))
    const text = await answer.text()
    t.match(text, /"valid":false|"code":"/, name)
    t.ok(text.length < 20_000, `${name}: the answer is short`)
  }
  for (const hidden of ['{"__proto__":{"polluted":"yes"}}', '{"constructor":{"prototype":{"polluted":"yes"}}}']) {
    await (await send('/v1/validate', `{"model_json":${hidden}}`)).text()
    await (await send('/v1/query/sql', `{"query":${hidden}}`)).text()
    await (await send('/v1/sessions', `{"metadata":${hidden}}`)).text()
  }
  t.equal(({} as Record<string, unknown>).polluted, undefined)
})

t.test('an answer that was cached for one key is not given to another', async (t) => {
  const keys = ['svc_pat_0123456789abcdef0123456789abcdef01234567', 'svc_pat_fedcba9876543210fedcba9876543210fedcba98'] as const
  const { url } = await served(t, { AUTH_MODE: 'api_key', API_KEYS: keys.join(',') })
  const as = (key: string | undefined, path: string, init: RequestInit = {}) =>
    fetch(url + path, {
      ...init,
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }), ...init.headers },
    })
  const { session_id } = (await (await as(keys[0], '/v1/sessions', { method: 'POST', body: '{}' })).json()) as {
    session_id: string
  }
  const loaded = await as(keys[0], `/v1/sessions/${session_id}/models`, {
    method: 'POST',
    body: JSON.stringify({ model_json: shopModel }),
  })
  const { model_id } = (await loaded.json()) as { model_id: string }
  for (const path of ['schema', 'examples', 'join-graph', 'dimensions', '']) {
    const at = `/v1/sessions/${session_id}/models/${model_id}${path && `/${path}`}`
    const answer = await as(keys[0], at)
    const tag = answer.headers.get('etag')
    await answer.text()
    if (answer.status !== 200) continue
    t.match(answer.headers.get('cache-control') ?? '', /private|no-store/, `${at} is for no shared cache`)
    const stranger = await as(undefined, at, { headers: { 'if-none-match': tag ?? '*' } })
    t.equal(stranger.status, 401, `${at} tells nothing to a tag without a key`)
    await stranger.text()
  }
})

t.test('names from a client add no line to a log and no header', async (t) => {
  const { port, url } = await served(t)
  const evil = 'a\r\nX-Evil: 1\r\n\r\n\u001b[2J\u202e{"level":50}'
  const answer = await fetch(`${url}/v1/sessions/${encodeURIComponent(evil)}`)
  t.equal(answer.status, 404)
  t.equal(answer.headers.get('x-evil'), null)
  const told = await answer.text()
  t.notOk(told.includes('\u001b') || told.includes('\r'), 'and none is written unchanged')
  const heard = await say(
    port,
    `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: a\tb\u001b[2J\r\nConnection: close\r\n\r\n`,
  )
  t.notOk(heard.split('\r\n\r\n')[0]!.includes('\u001b'))
})

/** Sends a call of Flight SQL with one compressed message; returns the status of the call. */
function packedCall(port: number, encoding: 'gzip' | 'deflate', packed: Buffer): Promise<string> {
  const head = Buffer.alloc(5)
  head[0] = 1
  head.writeUInt32BE(packed.length, 1)
  const session = connect(`http://127.0.0.1:${port}`)
  return new Promise<string>((resolve) => {
    session.on('error', () => {})
    const stream = session.request({
      ':method': 'POST',
      ':path': '/arrow.flight.protocol.FlightService/GetFlightInfo',
      'content-type': 'application/grpc',
      te: 'trailers',
      'grpc-encoding': encoding,
    })
    let status = ''
    const heard = (told: Readonly<Record<string, unknown>>) => {
      status = String(told['grpc-status'] ?? status)
    }
    stream.on('response', heard).on('trailers', heard)
    stream.on('error', () => {})
    stream.on('close', () => resolve(status))
    stream.resume().end(Buffer.concat([head, packed]))
  }).finally(() => session.destroy())
}

t.test('a compressed message of Flight SQL is not decompressed beyond the size limit of a message', async (t) => {
  const server = await startEverySurface({})
  t.teardown(() => server.close())
  const large = Buffer.alloc(200 * 1024 * 1024)
  const before = process.memoryUsage().rss
  const bombs = { gzip: gzipSync(large), deflate: deflateSync(large) } as const
  for (const [encoding, bomb] of Object.entries(bombs)) {
    t.equal(await packedCall(server.flight, encoding as 'gzip' | 'deflate', bomb), '8', `${encoding}: RESOURCE_EXHAUSTED`)
  }
  t.ok(process.memoryUsage().rss - before < 400 * 1024 * 1024)
})

t.test('a half-open connection does not delay the next client, on any surface', async (t) => {
  const server = await startEverySurface({ PGWIRE_AUTH_TIMEOUT_SECONDS: 60 })
  const ports = [Number(new URL(server.url).port), server.wire, server.flight]
  const begun = ['POST /v1/validate HTTP/1.1\r\nHost: a\r\nX-A', '\0\0', 'PRI * HTTP/2.0\r\n\r\nSM']
  const open = await Promise.all(
    ports.flatMap((port, i) =>
      Array.from({ length: 40 }, async () => {
        const socket = net.connect({ port, host: '127.0.0.1' })
        socket.on('error', () => {})
        await once(socket, 'connect')
        socket.write(begun[i]!)
        return socket
      }),
    ),
  )
  t.teardown(async () => {
    for (const socket of open) socket.destroy()
    await server.close()
  })
  t.equal((await fetch(`${server.url}/health`)).status, 200)
  const wire = await connectReady(server.wire, { database: 'flights' })
  t.same(rowsOf(await ask(wire, 'SELECT 1')), [['1']])
  wire.end()
  const flight = await connectFlightSql({ host: '127.0.0.1', port: server.flight })
  t.ok((await flight.catalogs()).schema)
  flight.close()
})

t.test('a prepared statement of the Postgres wire belongs to its connection', async (t) => {
  const server = await startEverySurface({})
  t.teardown(() => server.close())
  const [one, other] = [
    await connectReady(server.wire, { database: 'flights' }),
    await connectReady(server.wire, { database: 'flights' }),
  ]
  one.send(parse('SELECT 1', { name: 'mine' }), sync())
  t.equal((await one.until('Z'))[0]?.type, '1')
  other.send(bind({ name: 'mine' }), execute(), sync())
  t.equal(errorOf(await other.until('Z')).C, '26000')
  for (const client of [one, other]) client.end()
})
