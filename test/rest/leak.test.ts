/**
 * Two served processes have the same own data and models, but different other clients: everything that one client can read from them is the
 * same, byte for byte, errors included. Caches are off; ids, clocks and counters of the whole service (`/v1/cache/stats`) are ignored.
 */
import t from 'tap'
import { holds } from '../specification/holds.js'
import { type Reply, type ServedProcess, serve } from './serve.js'
import { shopModel, shopQuery } from './shop.js'

t.setTimeout(600_000)

const settings = {
  QUERY_EXECUTE: 'true',
  DUCKDB_DATABASE: ':memory:',
  MODEL_SQL: 'allow',
  DISABLE_SESSION_LIST: 'true',
  COMPILE_CACHE_MAX_ENTRIES: '0',
  HEARTBEAT_AUTH_TOKEN: 'a token of the loader',
}
const token = { authorization: `Bearer ${settings.HEARTBEAT_AUTH_TOKEN}` }
const secret = (name: string, table: string) => ({
  model_json: {
    name,
    dataObjects: { [`${name} Rows`]: { code: table, columns: { Id: { code: 'id', abstractType: 'int' } } } },
    measures: { [`${name} Total`]: { aggregation: 'sum', columns: [{ dataObject: `${name} Rows`, column: 'Id' }] } },
  },
})

type Ask = ServedProcess['ask']

/** A server with other clients, which have sent queries, also invalid ones. */
async function world(folder: string, strangers: readonly (readonly [name: string, table: string])[]): Promise<Ask> {
  const { ask } = await serve(settings, folder)
  for (const [name, table] of strangers) {
    const { session_id: id } = (await ask('POST', '/v1/sessions', { metadata: { who: name } })).body
    const { model_id } = (await ask('POST', `/v1/sessions/${id}/models`, secret(name, table))).body
    await ask('POST', `/v1/sessions/${id}/query/sql`, { model_id, query: { select: { measures: [`${name} Total`] } } })
    await ask('POST', `/v1/sessions/${id}/query/execute`, { model_id, query: { select: { measures: ['Nothing'] } } })
  }
  return ask
}

/** Every operation of the OpenAPI document, called in several ways. */
async function everything(ask: Ask): Promise<readonly string[]> {
  const session = (await ask('POST', '/v1/sessions')).body.session_id
  const model = (await ask('POST', `/v1/sessions/${session}/models`, { model_json: shopModel })).body.model_id
  const { paths } = (await ask('GET', '/openapi.json')).body as { paths: Record<string, Record<string, unknown>> }
  const said: string[] = []
  const fills = [
    { session_id: session, model_id: model, name: 'Region', dimension: 'Region' },
    { session_id: session, model_id: 'alpha', name: 'alpha Total', dimension: 'beta Rows' },
    { session_id: 'nobody', model_id: model, name: 'Revenu', dimension: 'x' },
  ]
  const bodies = [
    { query: shopQuery },
    { session_id: session, query: shopQuery },
    { session_id: session, model_id: model, query: { select: { measures: ['alpha Total'] } } },
    { model_id: 'alpha', sql: 'SELECT "beta Total" FROM beta' },
    { table: 'alpha_table' },
    { model_yaml: 'inherits: alpha' },
    {},
  ]
  for (const [route, methods] of Object.entries(paths).toSorted()) {
    if (route === '/v1/cache/stats' || route === '/v1/cache/clear') continue
    for (const fill of fills) {
      const url = route.replaceAll(/\{(\w+)\}/g, (_, key: keyof typeof fill) => encodeURIComponent(fill[key] ?? 'x'))
      if (methods.get) for (const at of [url, `${url}?model=alpha`]) said.push(shown('GET', url, await ask('GET', at)))
      if (methods.post) for (const body of bodies) said.push(shown('POST', url, await ask('POST', url, body, token)))
    }
  }
  return said
}

const shown = (method: string, url: string, { status, text, type, headers }: Reply): string =>
  `${method} ${url} ${status} ${type} ${headers.get('etag') ?? ''} ${text}`
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(
      /"(execution_time_ms|created_at|last_accessed_at|expires_at|max_expires_at|recorded_at|checked_at)":("[^"]*"|[\d.]+)/g,
      '"$1":0',
    )
    .replaceAll(/req-[0-9a-z]+/g, 'ID')
    .replaceAll(/in \d+ ms/g, 'in some ms')

t.test('a client learns nothing about other clients from any route', async (t) => {
  holds(t, 'operation.strangers')
  const folder = t.testdir()
  const [few, many] = await Promise.all([
    world(folder, []),
    world(folder, [
      ['alpha', 'alpha_table'],
      ['beta', 'beta_table'],
      ['gamma', 'a_third'],
    ]),
  ])
  const [alone, among] = [await everything(few), await everything(many)]
  t.ok(alone.length > 300, `${alone.length} answers`)
  t.equal(alone.length, among.length)
  for (const [i, answer] of alone.entries()) if (answer !== among[i]) t.equal(among[i], answer)
})
