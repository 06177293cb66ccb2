/** The MCP server as a separate process, over stdio and over HTTP, in front of a served API. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t, { type Test } from 'tap'
import { connections } from '../connections/raw.js'
import { holds } from '../specification/holds.js'
import { agentOf, agentOver, serveDemo } from './served.js'

const KEY = 'test_pat_0123456789abcdef0123456789abcdef01234567'
const bin = fileURLToPath(new URL('../../plugins/surface-mcp/bin.mjs', import.meta.url))
const args = ['--conditions=@grainline/source', '--import', new URL('../bundled.mjs', import.meta.url).href, bin]
const url = await serveDemo(t, { AUTH_MODE: 'api_key', API_KEYS: KEY })

/** Resolves to the address that it prints, or to its output if it exits. */
async function serveMcp(t: Test, env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, API_BASE_URL: url, MCP_TRANSPORT: 'http', MCP_SERVER_PORT: '0', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  t.teardown(async () => {
    child.kill('SIGKILL')
    await ended
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  for (;;) {
    const [address] = /http:\S+\/mcp/.exec(said) ?? []
    if (address !== undefined) return address
    if (child.exitCode !== null) return said
    await Promise.race([once(child.stderr, 'data'), ended])
  }
}

const question = { dimensions: ['Origin Code'], measures: ['Flight Count'], limit: 1, order_by: [{ field: 'Origin Code' }] }

t.test('over stdio, the key comes from the environment, and the loaded model is remembered', async (t) => {
  const env = { PATH: process.env.PATH!, API_BASE_URL: url, API_KEY: KEY, MCP_TOOLSETS: 'ask,authoring' }
  const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: 'pipe' })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  t.teardown(() => client.close())
  const { call } = agentOf(client)
  t.match((await call('query', question)).text, 'Origin Code\tFlight Count\nEWR\t120835')
  const model = `version: 1
name: own
dataObjects: { Planes: { code: planes, columns: { Tail: { code: tailnum, abstractType: string, primaryKey: true } } } }
measures: { Tails: { columns: [{ dataObject: Planes, column: Tail }], aggregation: count } }
`
  t.match(await call('load_model', { model_yaml: model }), { failed: false })
  t.match((await call('query', { measures: ['Tails'] })).text, 'Tails\n3322')
})

/** Sends each message to the standard input, reads its answer, and closes the input. */
async function overStdio(messages: readonly object[]) {
  const child = spawn(process.execPath, args, { env: { PATH: process.env.PATH, API_BASE_URL: url, API_KEY: KEY } })
  const ended = once(child, 'close')
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const answers: { readonly id: number; readonly result?: Record<string, unknown> }[] = []
  for (const [id, message] of messages.entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`)
    answers.push(JSON.parse((await lines.next()).value ?? 'null'))
  }
  child.stdin.end()
  const [code] = await ended
  return { answers, code }
}

t.test('over stdio, every revision works message by message, and the process exits with 0 at the end of its input', async (t) => {
  const asks = { name: 'query', arguments: question }
  const answered = (id: number) => ({
    id,
    result: { content: [{ type: 'text', text: /^Origin Code\tFlight Count\nEWR\t120835$/ }] },
  })
  for (const protocolVersion of ['2025-11-25', '2025-06-18', '2025-03-26']) {
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const messages = [
      { method: 'initialize', params: hello },
      { method: 'tools/call', params: asks },
    ]
    t.match(
      await overStdio(messages),
      { code: 0, answers: [{ id: 0, result: { protocolVersion, capabilities: { tools: {} } } }, answered(1)] },
      protocolVersion,
    )
  }
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  const stateless = [
    { method: 'server/discover', params: { _meta } },
    { method: 'tools/list', params: { _meta } },
    { method: 'tools/call', params: { ...asks, _meta } },
  ]
  const found = { supportedVersions: ['2026-07-28'], ttlMs: Number, cacheScope: 'public' }
  const listed = { tools: { length: 2 }, ttlMs: Number, cacheScope: 'public', resultType: 'complete' }
  t.match(await overStdio(stateless), { code: 0, answers: [{ result: found }, { result: listed }, answered(2)] }, '2026-07-28')
})

t.test('over HTTP, the server listens on the loopback address with the key of the environment', async (t) => {
  holds(t, 'mcp.key')
  const { call } = await agentOver(t, await serveMcp(t, { API_KEY: KEY }))
  t.match((await call('query', question)).text, 'EWR\t120835')
})

t.test('if callers must send their own key, the key of the environment is not used', async (t) => {
  const address = await serveMcp(t, { API_KEY: KEY, MCP_FORWARD_CLIENT_KEY: 'true' })
  t.match(await (await agentOver(t, address)).call('query', question), {
    failed: true,
    text: /AUTH_REQUIRED.*API key is missing or wrong/s,
  })
  const { call } = await agentOver(t, address, { 'x-api-key': KEY })
  t.match((await call('query', question)).text, 'EWR\t120835')
  const bearer = await agentOver(t, address, { authorization: `Bearer ${KEY}` })
  t.match((await bearer.call('query', question)).text, 'EWR\t120835')
})

t.test('who names a user to a process that asks with its own key is refused, and gets no answer of this key', async (t) => {
  const address = await serveMcp(t, { API_KEY: KEY })
  const payload = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'x-on-behalf-of': 'e30=' }
  const answer = await fetch(address, { method: 'POST', headers, body: JSON.stringify(payload) })
  t.equal(answer.status, 403)
  t.match(await answer.text(), /ON_BEHALF_REFUSED.*MCP_FORWARD_CLIENT_KEY=true/)
})

t.test('options that would share the key with every caller, and misspelled options, prevent the start', async (t) => {
  t.match(await serveMcp(t, { API_KEY: KEY, MCP_SERVER_HOST: '0.0.0.0' }), /MCP_FORWARD_CLIENT_KEY=true/)
  t.match(await serveMcp(t, { MCP_AS: 'ann', MCP_FORWARD_CLIENT_KEY: 'true' }), /MCP_AS is set.*callers say who they are/)
  t.match(await serveMcp(t, { MCP_AS: 'admin' }), /An administrator has a key of their own/)
  t.match(await serveMcp(t, { MCP_TRANSPORT: 'sse' }), /MCP_TRANSPORT is 'sse'\. Write one of: stdio, http/)
  t.match(await serveMcp(t, { API_BASE_URL: 'localhost:8000' }), /API_BASE_URL is 'localhost:8000'/)
})

t.test('requests from a page that rebinds its host name to this machine are refused', async (t) => {
  const address = await serveMcp(t, { API_KEY: KEY })
  const { port } = new URL(address)
  const { request } = await import('node:http')
  const headers = { host: 'evil.example', 'content-type': 'application/json' }
  const asked = request({ host: '127.0.0.1', port, path: '/mcp', method: 'POST', headers }).end('{}')
  const [answer] = await once(asked, 'response')
  t.equal(answer.statusCode, 403)
  answer.resume()
})

t.test('an API that does not answer is an error that says so, and the correct address works', async (t) => {
  const { call } = await agentOver(t, await serveMcp(t, { API_BASE_URL: 'http://127.0.0.1:9' }))
  const refused = await call('query', question)
  t.match(refused, { failed: true, text: /API_UNREACHABLE: http:\/\/127\.0\.0\.1:9 did not answer/ })
  t.match(refused.text, /API_BASE_URL, and that the server runs/)
  const right = await agentOver(t, await serveMcp(t, { API_KEY: KEY, API_BASE_URL: url }))
  t.match((await right.call('query', question)).text, 'EWR\t120835', 'with the address of a server that runs')
})

t.test('inside the server, the credential of the caller is used', async (t) => {
  holds(t, 'setting.MCP_ENABLED')
  const headers = { 'content-type': 'application/json' }
  const refused = await fetch(`${url}/v1/mcp`, { method: 'POST', headers, body: '{}' })
  t.equal(refused.status, 401)
  t.match(await refused.json(), { code: 'AUTH_REQUIRED' })
  const { call } = await agentOver(t, `${url}/v1/mcp`, { 'x-api-key': KEY })
  t.match((await call('query', question)).text, 'EWR\t120835')
})

t.test('over HTTP, a body that is not JSON and one that is too long are refused', async (t) => {
  const address = await serveMcp(t, { API_KEY: KEY })
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const post = (body: string) => fetch(address, { method: 'POST', headers, body })
  for (const body of ['', '{', 'nonsense']) {
    const answer = await post(body)
    t.equal(answer.status, 400, body)
    t.match(await answer.json(), { jsonrpc: '2.0', error: { code: -32700 } }, body)
  }
  const long = await post(`"${'x'.repeat(9 * 1024 * 1024)}"`)
  t.equal(long.status, 413)
  t.equal(await long.text(), 'A call has at most 8388608 bytes.\n')
})

t.test('over HTTP, an address with many connections without a complete request is refused', async (t) => {
  const address = new URL(await serveMcp(t, { API_KEY: KEY, HTTP_CLIENT_MAX_INCOMPLETE: '2' }))
  const held = await connections(2, Number(address.port))
  const refused = await fetch(new URL('/health', address))
  t.equal(refused.status, 429)
  t.match(await refused.text(), /This address has 2 connections without a complete request\. .*HTTP_CLIENT_MAX_INCOMPLETE/)
  for (const { socket } of held) socket.destroy()
})
