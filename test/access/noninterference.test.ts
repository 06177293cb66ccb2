/**
 * Two sets of data that differ only in rows that policies remove are the same to everybody whom these bind, on every route that the server has. The routes come
 * from its own description, so that a new one is in this test without being named here.
 */
import t from 'tap'
import type { Served } from './served.js'
import { servedShop } from './served.js'
import { TABLES, type Who } from './shop.js'

/** More hidden customers and orders, other values, orphans, and texts that are no numbers. */
const OTHER_TABLES = [
  "CREATE TABLE regions AS SELECT * FROM (VALUES ('North'), ('West'), ('East')) AS t(name)",
  "CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann & Co', 'North', '101'), (2, 'Secret', 'West', 'x'), (5, 'Hidden', 'West', '99999999999999999999'), (6, 'Nobody', NULL, '')) AS t(id, name, region, zip)",
  'CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, 2, 10), (7, 2, 1, 777), (8, 5, 5, 2147483647), (9, 99, 98, 3), (5, 1, 1, 20)) AS t(id, customer_id, referrer_id, amount)',
  'CREATE TABLE products AS SELECT 1 AS id',
]

const QUERIES: readonly object[] = [
  { select: { measures: ['Revenue'] } },
  { select: { dimensions: ['Region'], measures: ['Revenue'] } },
  { select: { dimensions: ['Customer', 'Zip No'], measures: ['Revenue', 'Orders Count', 'Customers Count', 'Regions Count'] } },
  {
    select: { dimensions: ['Customer'], measures: ['Revenue'] },
    use_path_names: [{ source: 'Orders', target: 'Customers', pathName: 'referrer' }],
  },
  { select: { measures: ['Revenue'] }, where: [{ field: 'Zip No', op: '>', value: 1 }] },
  { select: { fields: ['Orders.Id', 'Orders.Referrer Id', 'Customers.Name'] } },
  { select: { fields: ['Customers.Zip No'] }, where: [{ field: 'Zip No', op: '<', value: 1000 }] },
  { select: { dimensions: ['Customer'] }, where: [{ field: 'Customers', op: 'exists', subquery: { dataObject: 'Orders' } }] },
  { select: { dimensions: ['Region'], measures: ['Revenue'] }, dimensions_exclude: true },
]
const STATEMENTS = [
  'SELECT Region, Revenue FROM shop',
  'SELECT count(*) FROM shop',
  'SHOW TABLES',
  'EXPLAIN SELECT Revenue FROM shop',
  'SELECT sum(r) FROM (SELECT Revenue AS r FROM shop) AS t',
]

interface Route {
  readonly method: string
  readonly path: string
}

/** Values of the parts of paths. */
const PARTS: Readonly<Record<string, string>> = {
  session_id: 'shop',
  model_id: 'shop',
  name: 'Region',
  dimension: 'Region',
  example: 'revenue',
}

async function routesOf({ get }: Served): Promise<readonly Route[]> {
  const { body } = await get('north', '/openapi.json')
  return Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method,
      path: path.replace(/\{([^}]+)\}/g, (_, part: string) => PARTS[part] ?? 'Region'),
    })),
  )
}

/** Times and ids differ between any two servers. */
const plain = (text: string): string =>
  text
    .replace(
      /"(execution_time_ms|uptime_seconds|read_at|checked_at|created_at|last_accessed_at|request_id|timestamp|cached_at|hits|misses|bytes|entries)":("[^"]*"|[\d.]+)/g,
      '"$1":0',
    )
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|req-[\w-]+/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')

async function seen(shop: Served, who: Who): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>()
  const note = (name: string, { status, text }: { readonly status: number; readonly text: string }) =>
    answers.set(name, `${status} ${plain(text)}`)
  for (const { method, path } of await routesOf(shop)) {
    if (/telemetry|metrics|heartbeat|cache|\/health|\/ready|settings/.test(path)) continue
    if (method === 'get') note(`get ${path}`, await shop.get(who, path))
    if (method !== 'post' || path === '/v1/sessions') continue
    for (const query of QUERIES)
      note(
        `${path} ${JSON.stringify(query)}`,
        await shop.post(who, path, { query, dimension: 'Region', measure: 'Revenue', cell: {} }),
      )
    for (const sql of STATEMENTS) note(`${path} ${sql}`, await shop.post(who, path, { sql }))
    note(
      `${path} batch`,
      await shop.post(who, path, { queries: QUERIES.map((query, i) => ({ id: `q${i}`, query, execute: true })), execute: true }),
    )
  }
  for (const dimension of ['Region', 'Customer', 'Zip No'])
    for (const more of ['', '?all=true', '?search=e']) {
      const url = `/v1/dimensions/${encodeURIComponent(dimension)}/values${more}`
      note(url, await shop.get(who, url))
    }
  return answers
}

/** The places where two texts differ. */
function apart(a: string, b: string): readonly [string, string] {
  const at = [...a].findIndex((character, i) => character !== b[i])
  return [a.slice(Math.max(0, at - 80), at + 160), b.slice(Math.max(0, at - 80), at + 160)]
}

for (const setting of ['noop', 'memory']) {
  t.test(`rows that are removed change no answer, with answers kept by ${setting}`, async (t) => {
    const settings = { CACHE_BACKEND: setting, CACHE_UNKNOWN_FRESHNESS_POLICY: 'default_ttl', EXPOSE_OPENAPI_SCHEMA: true }
    const plugins = ['@grainline/cache-memory']
    const [one, other] = [
      await servedShop(t, { settings, plugins }),
      await servedShop(t, { settings, plugins, tables: OTHER_TABLES }),
    ]
    // What somebody else asked before must not show either.
    for (const shop of [one, other]) {
      await shop.post('ops', '/v1/verify')
      for (const query of QUERIES) await shop.post('auditor', '/v1/query/execute', { query })
    }
    let ok = 0
    for (const who of ['north', 'empty', 'developer', 'none'] as const) {
      const [a, b] = [await seen(one, who), await seen(other, who)]
      t.ok(a.size > 100, `${a.size} answers`)
      for (const [name, answer] of a) {
        if (answer.startsWith('200')) ok++
        const [here, there] = apart(answer, b.get(name) ?? '')
        if (answer !== b.get(name)) t.equal(there, here, `${who}: ${name}`)
      }
    }
    t.ok(ok > 100, `${ok} of them are answers`)
    const [a, b] = [await seen(one, 'auditor'), await seen(other, 'auditor')]
    t.ok(
      [...a].some(([name, answer]) => answer !== b.get(name)),
      'somebody who is not bound sees the difference',
    )
  })
}
t.equal(TABLES.length, OTHER_TABLES.length)
