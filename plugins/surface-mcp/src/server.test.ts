import { createMcpHandler } from '@modelcontextprotocol/server'
import t from 'tap'
import { apiOver } from './api/api.js'
import { buildServer } from './server.js'

const REVISION = '2026-07-28'
const client = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

t.test('the trace of a call is passed to the API, in every revision', async (t) => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
  const traces: (string | undefined)[] = []
  const api = apiOver(async ({ headers }) => {
    traces.push(headers['traceparent'])
    return { status: 200, text: '{"models":[{"name":"flights"}],"values":[],"truncated":false}' }
  }, {})
  const world = { api, limits: { rows: 1, characters: 200 } }
  const capabilities = { runsQueries: true, curated: true }
  const { fetch: handle } = createMcpHandler(() => buildServer({ world, toolsets: ['query'], capabilities }))
  const call = (_meta: object, headers: Record<string, string>) =>
    handle(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'field_values', arguments: { field: 'Airline' }, _meta },
        }),
      }),
    ).then((answer) => answer.text())
  await call(
    { ...client, traceparent },
    { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': 'field_values' },
  )
  await call({ traceparent }, { 'mcp-protocol-version': '2025-11-25' })
  t.same(traces, [traceparent, traceparent, traceparent, traceparent], 'the model is looked for, then the values')
})
