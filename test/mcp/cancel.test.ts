/** An agent that hangs up, on a database that never answers by itself. */
import path from 'node:path'
import t from 'tap'
import { startRest } from '../rest/server.js'
import { shopModel } from '../rest/shop.js'
import { deferred, nothing, vendorThat } from '../rest/vendor.js'

t.test('a call whose agent hangs up is cancelled in the database', async (t) => {
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
