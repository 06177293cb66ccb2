/** Every revision of the protocol, with the messages of its specification: modelcontextprotocol.io/specification. */
import t from 'tap'
import { serveDemo } from './served.js'

const url = `${await serveDemo(t)}/v1/mcp`

interface Reply {
  readonly result?: Record<string, unknown>
  readonly error?: { readonly code: number; readonly message: string }
}

/** Posts one message. The answer is JSON, or the last event of a stream. */
async function post(message: object, headers: Record<string, string>): Promise<Reply & { readonly status: number }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
  })
  const text = await answer.text()
  const events = [...text.matchAll(/^data: (.+)$/gm)]
  const json = events.length > 0 ? events.at(-1)![1]! : text
  return { status: answer.status, ...(json === '' ? {} : (JSON.parse(json) as Reply)) }
}

const flights = { name: 'query', arguments: { measures: ['Flight Count'] } }
const told = (content: unknown): string => (content as readonly { readonly text: string }[])[0]!.text

const STATELESS = '2026-07-28'
const ASKS = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** A request of the stateless revision: its headers repeat its method and name. */
const stateless = (method: string, params: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
  post(
    { method, params: { ...params, _meta: ASKS } },
    {
      'mcp-protocol-version': STATELESS,
      'mcp-method': method,
      ...('name' in params && { 'mcp-name': String(params['name']) }),
      ...headers,
    },
  )

t.test(
  `${STATELESS}: there is no handshake, and each cacheable result says how long and for whom it may be cached`,
  async (t) => {
    const { result: found } = await stateless('server/discover')
    t.match(found, {
      supportedVersions: [STATELESS],
      capabilities: { tools: {}, prompts: {}, resources: {} },
      ttlMs: Number,
      cacheScope: 'public',
    })
    for (const [method, scope] of [
      ['tools/list', 'public'],
      ['prompts/list', 'public'],
      ['resources/list', 'private'],
      ['resources/templates/list', 'public'],
    ] as const)
      t.match((await stateless(method)).result, { resultType: 'complete', ttlMs: Number, cacheScope: scope }, method)
    const { result: answer } = await stateless('tools/call', flights)
    t.match(answer, { resultType: 'complete' })
    t.match(told(answer!['content']), 'Flight Count\n336776')
  },
)

t.test(`${STATELESS}: headers that contradict the message are refused`, async (t) => {
  const { status, error } = await stateless('tools/call', flights, { 'mcp-method': 'tools/list' })
  t.equal(status, 400)
  t.match(error, { message: /[Mm]cp-[Mm]ethod/ })
  t.equal((await stateless('tools/call', flights, { 'mcp-name': 'remove_model' })).status, 400)
})

for (const revision of ['2025-11-25', '2025-06-18', '2025-03-26'])
  t.test(`${revision}: the handshake needs no state, and the answers are the same`, async (t) => {
    const hello = { protocolVersion: revision, capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const { result } = await post({ method: 'initialize', params: hello }, {})
    t.match(result, { protocolVersion: revision, serverInfo: { name: String }, capabilities: { tools: {} } })
    const headers = revision === '2025-03-26' ? {} : { 'mcp-protocol-version': revision }
    const listed = await post({ method: 'tools/list' }, headers)
    t.equal((listed.result!['tools'] as readonly unknown[]).length, 7)
    const answer = await post({ method: 'tools/call', params: flights }, headers)
    t.match(told(answer.result!['content']), 'Flight Count\n336776')
  })

t.test('an unknown revision is refused with the list of known ones', async (t) => {
  const method = 'tools/list'
  const { status, error } = await post(
    { method, params: { _meta: { ...ASKS, 'io.modelcontextprotocol/protocolVersion': '2099-01-01' } } },
    { 'mcp-protocol-version': '2099-01-01', 'mcp-method': method },
  )
  t.equal(status, 400)
  t.match(JSON.stringify(error), STATELESS)
})
