/** Agents of a server in this process: one that disconnects, with a database that never answers by itself, and users who choose a model. */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import t from 'tap'
import { startRest } from '../rest/server.js'
import { shopModel } from '../rest/shop.js'
import { deferred, nothing, vendorThat } from '../rest/vendor.js'

t.test('when the agent disconnects, its call is cancelled in the database', async (t) => {
  const [began, cancelled] = [deferred<void>(), deferred<unknown>()]
  const { options } = vendorThat(async function* (_sql, { signal }) {
    yield* nothing()
    began.resolve()
    await new Promise((_, reject) =>
      signal?.addEventListener('abort', () => {
        cancelled.resolve(signal.reason)
        reject(signal.reason)
      }),
    )
  })
  const file = path.join(t.testdir({ 'shop.json': JSON.stringify({ ...shopModel, examples: [] }) }), 'shop.json')
  const plugins = [...options.plugins!, '@grainline/mcp']
  const server = await startRest({ ...options, plugins, preload: [{ session: 'shop', model: file }] })
  t.teardown(() => server.close())
  const agent = new AbortController()
  const asked = fetch(new URL('/v1/mcp', await server.app.listen({ port: 0 })), {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'query', arguments: { measures: ['Revenue'] } },
    }),
    signal: agent.signal,
  })
  await began.promise
  agent.abort()
  await t.rejects(asked.then((answer) => answer.text()))
  t.match(await cancelled.promise, { code: 'QUERY_CANCELLED' })
})

t.test(
  'if there are several models, the user selects one if the client can ask; otherwise the agent gets the list',
  async (t) => {
    const folder = t.testdir({ 'shop.json': JSON.stringify({ ...shopModel, examples: [] }) })
    const model = path.join(folder, 'shop.json')
    const { options } = vendorThat(() => nothing())
    const plugins = [...options.plugins!, '@grainline/mcp']
    const preload = ['sales', 'stock'].map((session) => ({ session, model }))
    const server = await startRest({ ...options, plugins, preload })
    t.teardown(() => server.close())
    const url = new URL('/v1/mcp', await server.app.listen({ port: 0 }))
    const asked: string[] = []
    const ask = async (
      answer: { action: 'accept'; content: { model: string } } | { action: 'decline' } | undefined,
      { mode = 'auto', overStdio = false }: { mode?: 'auto' | 'legacy'; overStdio?: boolean } = {},
    ) => {
      const capabilities = answer === undefined ? {} : { elicitation: {} }
      const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } })
      if (answer !== undefined)
        client.setRequestHandler('elicitation/create', async ({ params }) => {
          asked.push(params.message)
          return answer
        })
      await client.connect(overStdio ? stdioTo(url) : new StreamableHTTPClientTransport(url))
      t.teardown(() => client.close())
      const { content, isError = false } = await client.callTool({
        name: 'query',
        arguments: { measures: ['Revenue'], mode: 'compile' },
      })
      return { isError, text: (content as readonly { readonly text: string }[])[0]!.text }
    }
    t.match(await ask({ action: 'accept', content: { model: 'stock' } }), { isError: false, text: /SELECT/ })
    t.same(asked, ['Several models are published. Which model is meant?'])
    const refusal = {
      isError: true,
      text: /^NO_MODEL_SELECTED: Several models are published\nHint: Pass model: one of sales, stock\.$/,
    }
    t.match(await ask({ action: 'decline' }), refusal)
    t.match(await ask(undefined), refusal)
    t.match(await ask({ action: 'decline' }, { mode: 'legacy' }), refusal)
    t.equal(asked.length, 2, 'a client of 2025 that keeps no connection is not asked')
    const chosen = await ask({ action: 'accept', content: { model: 'sales' } }, { mode: 'legacy', overStdio: true })
    t.match(chosen, { isError: false, text: /SELECT/ })
    t.equal(asked.length, 3, 'one over stdio is')
  },
)

function stdioTo({ origin }: URL): StdioClientTransport {
  const bin = fileURLToPath(new URL('../../plugins/surface-mcp/bin.mjs', import.meta.url))
  const args = ['--conditions=@grainline/source', '--import', new URL('../bundled.mjs', import.meta.url).href, bin]
  return new StdioClientTransport({ command: process.execPath, args: [...args, '--server', origin], stderr: 'pipe' })
}
