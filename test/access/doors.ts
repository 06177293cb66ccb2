/** Every way by which somebody reaches the shop over HTTP, from the lists of the server itself, with requests that it answers. */
import zlib, { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { TestServer } from '../rest/server.js'
import { oneIn } from '../support/amount.js'
import type { Served } from './served.js'
import { KEYS, type Who } from './shop.js'

/** Node has it from 22.15 on. */
const { zstdDecompressSync } = zlib as Partial<{ readonly zstdDecompressSync: (bytes: Buffer) => Buffer }>

export const QUERIES: readonly object[] = [
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
  { select: { dimensions: ['Customer'], measures: ['Revenue'] }, having: [{ field: 'Revenue', op: '>', value: 5 }] },
  { select: { dimensions: ['Customer'], measures: ['Nope'] } },
  { select: { dimensions: ['Customer Salary Group', 'Zip Code Group'], measures: ['Margin Sum', 'Kept Mean', 'Averages'] } },
  { select: { measures: ['Revenue', 'Kept Mean', 'Kept Rate'] }, having: [{ field: 'Cost Sum', op: '>', value: 1 }] },
  { select: { dimensions: ['Region'], measures: ['Kept Mean', 'Kept Sum', 'Kept Rate'] }, order_by: [{ field: 'Kept Sum' }] },
  { select: { fields: ['Orders.Margin', 'Customers.Zip Code', 'Orders.Cost'] } },
  { select: { measures: ['Revenue'] }, where: [{ segment: 'High Cost' }, { field: 'Orders.Margin', op: '=', value: 1 }] },
  { view: 'Desk', select: { dimensions: ['Customer'], measures: ['Kept Mean', 'Kept Rate'] } },
  { view: 'Night Margin', select: { measures: ['Revenue'] } },
  { select: { dimensions: [{ as: 'Margin Sum', expression: "concat({Region}, '')" }], measures: ['Revenue'] } },
  {
    select: {
      dimensions: ['Region'],
      measures: ['Revenue', { as: 'Margin Sum', aggregation: 'max', expression: '{[Orders].[Amount]}' }],
    },
  },
  {
    select: { measures: [{ as: 'Own', expression: '{[Kept Rate]} + {[Far]}' }] },
    measures: [
      {
        as: 'Far',
        ...{ aggregation: 'count', anchor: 'Orders', allowFanOut: true, filterContext: { mode: 'FIXED' } },
        filters: [{ field: 'Customers', op: 'exists', subquery: { dataObject: 'Orders', pathName: 'referrer' } }],
      },
    ],
  },
  { select: { measures: [{ as: 'Own', aggregation: 'sum', expression: '{[Orders].[Cost]} + {[Customers].[Margin]}' }] } },
  {
    select: {
      measures: [{ as: 'Own', type: 'window', windowFunction: 'rank', measure: 'Cost Sum', partitionBy: ['Cost Group'] }],
    },
  },
  {
    select: {
      measures: [{ as: 'Own', aggregation: 'count', anchor: 'Orders', filters: [{ field: 'Orders.Cost', op: '>', value: 1 }] }],
    },
  },
]
/** Its answer is long enough to be compressed. */
const LONG = {
  select: {
    dimensions: ['Region'],
    measures: Array.from({ length: 60 }, (_, i) => ({ as: `Revenue of all ${i}`, expression: '{[Revenue]}' })),
  },
}
const STATEMENTS = [
  'SELECT Region, Revenue FROM shop',
  'SELECT count(*) FROM shop',
  'SHOW TABLES',
  'EXPLAIN SELECT Revenue FROM shop',
  'SELECT sum(r) FROM (SELECT Revenue AS r FROM shop) AS t',
  'SELECT * FROM zq_customers',
  'SELECT * FROM shop ORDER BY 1, 2, 3, 4',
  'SELECT "Kept Mean", "Kept Rate", Region FROM shop',
  'SELECT "Margin Sum", "Zip Code Group" FROM shop',
  'SELECT Revenue AS "Margin" FROM shop WHERE "Orders"."Cost" > 1',
  'DESCRIBE shop',
  'SELECT "Customer", "Kept Mean", count(*) FROM "Desk"',
  'SELECT * FROM "Desk" ORDER BY 1, 2',
  'DESCRIBE "Desk"',
]

/** One request. `in` has the values of the parts of its path. */
interface Ask {
  readonly in?: Readonly<Record<string, string>>
  readonly url?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const queries = QUERIES.map((query) => ({ body: { query } }))
const statements = STATEMENTS.map((sql) => ({ body: { sql } }))
const named = (...names: readonly string[]): readonly Ask[] => names.map((name) => ({ in: { name } }))
const plain: readonly Ask[] = [{}]

const BATCH = { queries: QUERIES.map((query, i) => ({ id: `q${i}`, query })) }
const CELL = { query: QUERIES[2], measure: 'Revenue', cell: { Customer: 'Ann & Co', 'Zip No': 101 } }

/** The rows behind measures that the query writes itself: of what is published, and of what is hidden. */
const OWN_CELLS = ['Kept Rate', 'Kept Mean', 'Margin Sum'].flatMap((measure) =>
  [
    { as: 'Own', expression: `{[${measure}]} * 2` },
    { as: 'Own', type: 'window', windowFunction: 'rank', measure },
  ].map((own) => ({ body: { query: { select: { measures: [own] } }, measure: 'Own', cell: {} } })),
)

const KEPT_CELLS = ['Kept Mean', 'Kept Rate', 'Margin Sum'].map((measure) => ({
  body: {
    query: { select: { dimensions: ['Region'], measures: ['Kept Mean', 'Kept Rate'] } },
    measure,
    cell: { Region: 'North' },
  },
}))

const BEAT = { authorization: 'Bearer beat-beat-beat-beat' }
const OF_SHOP = { session_id: 'shop', model_id: 'shop' }
/** The same model, named in every way in which a request can. */
const NAMED = { ...OF_SHOP, model: 'shop' }
const NAMED_SQL = {
  ...NAMED,
  dialect: 'duckdb',
  model_parameters: {},
  parameters: [],
  rollups: 'never',
  language: 'semantic-ql',
  timezone: 'Asia/Tokyo',
}
const NAMED_IN_URL: readonly Ask[] = [{ url: '?session_id=shop&model_id=shop' }, { url: '?model=shop' }]
/** The requests, and the first of them once for each way to name the model. */
const asked = (asks: readonly Ask[]): readonly Ask[] => [...asks, ...NAMED_IN_URL.map(({ url = '' }) => ({ ...asks[0], url }))]

/** Ways to show an answer. */
const SHOWN = [
  '?receipt=true',
  '?format=csv&compression=none&format_values=true&locale=de&timezone=Asia/Tokyo',
  '?format=ndjson&compression=gzip',
]

/** What is compressed has no times, so that its length is equal, too: it depends on the text alone. */
const COMPRESSED = ['gzip', 'br', 'zstd'].map((encoding) => ({ headers: { 'accept-encoding': encoding } }))

/** The page names the session of a published model. */
const OF_PAGE = 'v1/sessions/shop'

const DBT = 'semantic_models:\n  - { name: a, model: ref("a"), entities: [{ name: a, type: primary, expr: id }] }\n'

/** A model that adds a dimension of a column to another. */
const childOf = (column: string): string =>
  `version: 1\nname: x\ndimensions: { Probe: { dataObject: Orders, column: ${column} } }\n`

/** By method and path; a path in a session is that of its shortcut. A route that is not here fails the test. */
const ASKED: Readonly<Record<string, readonly Ask[]>> = {
  'GET /': plain,
  'GET /health': plain,
  'GET /ready': plain,
  'GET /robots.txt': plain,
  'GET /openapi.json': plain,
  'GET /docs': plain,
  'GET /docs/*': [{ in: { '*': 'static/index.html' } }],
  'GET /redoc': plain,
  'GET /v1/telemetry/metrics': plain,
  'POST /v1/heartbeat': [
    { body: { table: 'zq_customers' }, headers: BEAT },
    {
      body: { ...{ database: 'shop', schema: 'main' }, table: 'zq_customers', timestamp: '2026-01-01T00:00:00Z' },
      headers: BEAT,
    },
  ],
  'POST /v1/sessions': [{ body: {} }, { body: { metadata: { team: 'sales' } } }],
  'GET /v1/sessions': plain,
  'GET /v1/sessions/:session_id': plain,
  'DELETE /v1/sessions/:session_id': plain,
  'POST /v1/sessions/:session_id/models': [{ body: { model_yaml: 'version: 1' } }],
  'GET /v1/sessions/:session_id/models': plain,
  'GET /v1/sessions/:session_id/models/:model_id': plain,
  'DELETE /v1/sessions/:session_id/models/:model_id': plain,
  'GET /v1/models': plain,
  'GET /v1/source': plain,
  'POST /v1/validate': [
    { body: { model_yaml: 'version: 1\nname: x\n' } },
    { body: { model_json: { version: 1, name: 'x' }, extends: ['measures: { Cost Sum: {} }'] } },
    { body: { model_yaml: DBT, format: 'dbt' } },
    ...['Amount', 'Cost', 'Nope'].map((column) => ({ body: { model_yaml: childOf(column), inherits: 'shop' } })),
  ],
  'POST /v1/convert': [
    { body: { model_yaml: DBT, format: 'dbt' } },
    { body: { model_yaml: DBT, format: 'dbt', to: 'ossie', drop_security: true, list_exact: true } },
  ],
  'POST /v1/verify': [{}, ...NAMED_IN_URL],
  'POST /v1/verify/tables': [{}, ...NAMED_IN_URL],
  'POST /v1/query/sql': [...queries, { body: { query: QUERIES[1], ...NAMED, dialect: 'postgres' } }],
  'POST /v1/query/plan': [
    ...queries,
    { body: { query: QUERIES[0], include_database_explain: true } },
    { body: { query: QUERIES[1], ...NAMED, dialect: 'postgres' } },
  ],
  'POST /v1/query/semantic-ql': [...statements, ...SHOWN.map((url) => ({ url, body: { sql: STATEMENTS[0], ...NAMED_SQL } }))],
  'POST /v1/query/semantic-ql/compile': [...statements, { body: { sql: STATEMENTS[0], ...NAMED_SQL } }],
  'POST /v1/query/execute': [
    ...queries,
    { url: '?receipt=true', body: { query: QUERIES[2] } },
    ...['csv', 'ndjson', 'arrow', 'parquet'].map((format) => ({ url: `?format=${format}`, body: { query: QUERIES[2] } })),
    ...SHOWN.map((url) => ({ url, body: { query: QUERIES[2], ...NAMED, dialect: 'duckdb' } })),
    ...COMPRESSED.map((asked) => ({ ...asked, url: '?format=csv', body: { query: LONG } })),
  ],
  'POST /v1/query/rows': [
    { body: CELL },
    ...SHOWN.map((url) => ({ url, body: { ...CELL, ...NAMED, dialect: 'duckdb' } })),
    { body: { ...CELL, cell: { Customer: 'Bob Ltd' } } },
    ...['Customers.Region', 'Orders.Cost', 'Customers.Nick'].map((column) => ({
      body: { ...CELL, columns: ['Customers.Name', column] },
    })),
    { body: { ...CELL, limit: 1 } },
    ...KEPT_CELLS,
    ...OWN_CELLS,
  ],
  'GET /v1/schema': asked([...plain, ...COMPRESSED]),
  'GET /v1/dimensions': asked(plain),
  'GET /v1/dimensions/:name': asked(named('Region', 'Zip No', 'Zip Code Group')),
  'GET /v1/measures': asked(plain),
  'GET /v1/measures/:name': asked(named('Revenue', 'Kept Mean', 'Margin Sum')),
  'GET /v1/metrics': asked(plain),
  'GET /v1/metrics/:name': asked(named('Average', 'Kept Rate', 'Cost per Order')),
  'GET /v1/examples': asked(plain),
  'GET /v1/examples/:name': asked(named('revenue', 'by Cost')),
  'GET /v1/tests': asked(plain),
  'POST /v1/find': [
    ...['customer', 'revenue', 'zq', 'bob', 'margin', 'secretive'].map((query) => ({ body: { query } })),
    { body: { query: 'cost', types: ['measure', 'dimension'], ...NAMED } },
  ],
  'GET /v1/composables': asked([{}, { url: '?anchors=Revenue' }, { url: '?anchors=Revenue&dialect=postgres' }]),
  'POST /v1/composables': [
    { body: { anchors: ['Revenue'] } },
    ...queries,
    { body: { query: QUERIES[1], ...NAMED, dialect: 'postgres' } },
  ],
  'GET /v1/explain/:name': asked(named('Region', 'Zip No', 'Revenue', 'Average', 'Kept Mean', 'Kept Rate', 'Margin Sum')),
  'GET /v1/join-graph': asked(plain),
  'GET /v1/diagram/er': asked([{}, { url: '?show_columns=true&theme=dark' }, { url: '?show_columns=false' }]),
  'POST /v1/diff': [{ body: { with: { model: 'shop' } } }, { body: { with: { ...OF_SHOP }, ...NAMED } }],
  'GET /v1/values/:name': asked([
    ...named('Region', 'Customer', 'Zip No', 'Zip Code Group', 'Orders.Cost'),
    { in: { name: 'Customer' }, url: '?all=true' },
    { in: { name: 'Customer' }, url: '?search=o&limit=1&dialect=duckdb' },
  ]),
  'GET /v1/dimensions/:name/values': [...named('Region'), { in: { name: 'Customer' }, url: '?search=o' }],
  'GET /v1/dialects': plain,
  'GET /v1/reference': plain,
  'GET /v1/reference/:page': [{ in: { page: 'errors' } }],
  'GET /v1/reference/schemas/model': plain,
  'GET /v1/reference/schemas/query': plain,
  'GET /v1/reference/language': plain,
  'GET /v1/settings': plain,
  'GET /v1/cache/stats': plain,
  'POST /v1/cache/sweep': plain,
  'POST /v1/cache/clear': plain,
  'POST /v1/oneshot/batch': [
    { body: { ...BATCH, execute: true } },
    { body: BATCH },
    { body: { ...BATCH, ...NAMED, dialect: 'duckdb', execute: true, max_parallelism: 1, fail_fast: true } },
    { body: { queries: BATCH.queries.map((one) => ({ ...one, dialect: 'duckdb', execute: true })) } },
    { body: { ...BATCH, model_yaml: childOf('Cost'), persist_model: true, dedup: false } },
  ],
  'GET /odata/': plain,
  'GET /odata': plain,
  'GET /odata/:feed': plain,
  'GET /odata/:feed/': plain,
  'GET /odata/:feed/$metadata': plain,
  'GET /odata/:feed/:set': [
    ...[
      '',
      '?$count=true',
      '?$select=Region,Revenue',
      '?$apply=groupby((Region),aggregate(Revenue))',
      '?$filter=Zip_No gt 1',
    ].map((url) => ({ url })),
    ...['Customers', 'Orders'].map((set) => ({ in: { set } })),
  ],
  'GET /odata/:feed/:set/$count': plain,
  'POST /odata/:feed/:set/$query': [{ body: '$select=Region,Revenue', headers: { 'content-type': 'text/plain' } }],
  'POST /odata/:feed/:set': [{ in: { set: '$batch' }, body: { requests: [] } }, { body: { Margin: 1 } }],
  'PUT /odata/:feed/:set': plain,
  'PATCH /odata/:feed/:set': plain,
  'DELETE /odata/:feed/:set': plain,
  'GET /ui': plain,
  'GET /ui/*': [{ in: { '*': '' } }],
  'GET /ui/api/*': ['v1/models', `${OF_PAGE}/models/shop/schema`, `${OF_PAGE}/models/shop/values/Customer`].map((path) => ({
    in: { '*': path },
    headers: { 'x-grainline-ui': '1' },
  })),
  'POST /ui/api/*': QUERIES.map((query) => ({
    in: { '*': `${OF_PAGE}/query/execute` },
    body: { query, model_id: 'shop' },
    headers: { 'x-grainline-ui': '1' },
  })),
  'DELETE /ui/api/*': [{ in: { '*': 'v1/sessions/00000000-0000-4000-8000-000000000000' }, headers: { 'x-grainline-ui': '1' } }],
}

/** The doors that refuse every principal, and the code of the refusal. */
export const ANSWERS_NOBODY: Readonly<Record<string, RegExp>> = {
  'POST /v1/sessions/:session_id/models': /CURATED_MODE/,
  'DELETE /v1/sessions/:session_id/models/:model_id': /CURATED_MODE/,
  'DELETE /v1/sessions/:session_id': /SESSION_PROTECTED/,
  'DELETE /ui/api/*': /SESSION_NOT_FOUND/,
  ...Object.fromEntries(
    ['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [`${method} /odata/:feed/:set`, /METHOD_NOT_ALLOWED/]),
  ),
}

/** A request by one principal, and the answer, as text that is equal on two servers. */
export interface Seen {
  readonly door: string
  readonly name: string
  readonly status: number
  readonly text: string
}

const IN: Readonly<Record<string, string>> = { session_id: 'shop', model_id: 'shop', feed: 'shop', set: 'shop' }

/** A route, or a tool of MCP, whose URL is `/mcp/` and its name. */
export interface Door {
  readonly door: string
  readonly url: string
}
type Chosen = (door: Door) => boolean

/** The lists of MCP, and what is in them beside tools. */
const LISTS = 'MCP lists'

/** A change asks one in so many doors, another one for each commit. */
export function partOfDoors(shop: Pick<TestServer, 'routes'>, count: number): Chosen {
  const routes = requestsOf(shop, {}, () => true).map(({ door }) => door)
  const tools = Object.keys(CALLED).map((name) => `MCP ${name}`)
  const wanted = new Set(oneIn(count, [...new Set(routes), ...tools, LISTS]))
  return ({ door }) => wanted.has(door)
}

/** What a principal sees on every route, and with every tool and resource of MCP; or at those doors that are chosen. */
export async function everyDoor(shop: Pick<Served, 'app' | 'routes'>, who: Who, only?: Chosen): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  const isWanted = ({ method, url }: Route) => only === undefined || only({ door: `${method} ${url}`, url })
  for (const { door, name, request } of requestsOf(shop, IN, isWanted))
    seen.push({ door, name, ...(await sent(shop, who, request)) })
  return [...seen, ...(await everyTool(shop, who, only))]
}

type Route = TestServer['routes'][number]

/** Requests to the routes of a server. `parts` are the values of the parts of paths. */
export function requestsOf(
  { routes }: Pick<TestServer, 'routes'>,
  parts: Readonly<Record<string, string>>,
  wanted: (route: Route) => boolean,
) {
  return routes
    .filter((route) => isAnswered(route) && wanted(route))
    .flatMap(({ method, url }) =>
      asksOf(method, url).map((ask) => {
        const path = pathOf(url, { ...IN, ...parts, ...ask.in }) + (ask.url ?? '')
        const payload = bodyIn(url, ask, parts['model_id'] ?? '')
        const request = {
          ...{ method: method as 'GET', url: path, headers: ask.headers ?? {} },
          ...(payload !== undefined && { payload: payload as object }),
        }
        return { door: `${method} ${url}`, name: `${method} ${path} ${JSON.stringify(ask.body) ?? ''}`, request }
      }),
    )
}

const isAnswered = ({ method, url }: TestServer['routes'][number]): boolean =>
  method !== 'HEAD' && method !== 'OPTIONS' && method !== 'TRACE' && url !== '/v1/mcp' && url !== '*'

/** A route of a session takes what its shortcut takes. */
function asksOf(method: string, url: string): readonly Ask[] {
  const shortcut = url.replace(/\/sessions\/:session_id(\/models\/:model_id)?(?=\/)/, '')
  const known = ASKED[`${method} ${url}`] ?? ASKED[`${method} ${shortcut}`]
  if (known === undefined) throw new Error(`${method} ${url} is a new route: give it requests that it answers in doors.ts`)
  return known
}

const pathOf = (url: string, parts: Readonly<Record<string, string>>): string =>
  url.replace(/:([a-z_]+)|\*/g, (part, name: string | undefined) => {
    const value = parts[name ?? part] ?? 'Region'
    return part === '*' ? value : encodeURIComponent(value)
  })

/** In a session the body names the model. */
function bodyIn(url: string, { body }: Ask, model: string): unknown {
  const isOfModel = url.includes('/:model_id') || url.includes('semantic-ql') || /\/(validate|models)$/.test(url)
  if (!url.includes(':session_id/') || isOfModel || body === undefined) return body
  return { model_id: model, ...(body as object) }
}

async function sent(
  { app }: Pick<Served, 'app'>,
  who: Who,
  request: ReturnType<typeof requestsOf>[number]['request'],
): Promise<Pick<Seen, 'status' | 'text'>> {
  const answer = await app.inject({ ...request, headers: { 'x-api-key': KEYS[who], ...request.headers } })
  const headers = Object.entries(answer.headers).filter(([name]) => !VARIES.has(name))
  const kept = headers.map(([name, value]) => `${name}: ${String(value)}`)
  const decompressed = DECOMPRESS[String(answer.headers['content-encoding'])]
  const isBytes = /octet-stream|arrow|parquet/.test(String(answer.headers['content-type']))
  const text = decompressed
    ? decompressed(answer.rawPayload).toString()
    : isBytes
      ? answer.rawPayload.toString('latin1')
      : answer.payload
  return { status: answer.statusCode, text: alike(`${kept.join('\n')}\n${text}`) }
}

/** Headers that differ between any two answers, and lengths of texts in which times and ids differ, too. An answer is sent in pieces if it takes longer. */
const VARIES: ReadonlySet<string> = new Set(['date', 'server-timing', 'x-request-id', 'content-length', 'transfer-encoding'])

const DECOMPRESS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  ...(zstdDecompressSync && { zstd: zstdDecompressSync }),
}

/** By tool. A tool that is not here fails the test. */
export const CALLED: Readonly<Record<string, readonly object[]>> = {
  search_fields: [
    {},
    { text: 'customer' },
    { text: 'zq' },
    { text: 'revenue of the north and of Bo' },
    { text: 'margin cost' },
    { with: ['Revenue'] },
  ],
  describe_fields: [
    { names: ['Revenue', 'Region', 'Zip No', 'Average'], samples: 20 },
    { names: ['Nope'] },
    { names: ['Kept Mean', 'Margin Sum', 'Orders.Cost'] },
  ],
  field_values: [{ field: 'Customer' }, { field: 'Region', contains: 'o' }],
  query: [
    { measures: ['Revenue'], dimensions: ['Region'] },
    { measures: ['Revenue'], dimensions: ['Region'], receipt: true },
    { dimensions: ['Zip No', 'Customer'], measures: ['Orders Count'] },
  ],
  validate_model: [{ model_yaml: 'version: 1\nname: x\n' }],
  load_model: [{ model_yaml: 'version: 1\nname: x\n' }],
  remove_model: [{ model: 'shop' }],
}
const REFUSED_TOOLS: ReadonlySet<string> = new Set(['load_model', 'remove_model'])

async function everyTool({ app }: Pick<Served, 'app'>, who: Who, only: Chosen | undefined): Promise<readonly Seen[]> {
  const seen: Seen[] = []
  const ask = async (method: string, params: object) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/mcp',
      headers: {
        'x-api-key': KEYS[who],
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      payload: { jsonrpc: '2.0', id: 1, method, params },
    })
    const text = alike(answer.payload)
    // biome-ignore lint/suspicious/noExplicitAny: what a server answers is looked into freely by tests.
    const result: any = JSON.parse(/^data: (.*)$/m.exec(answer.payload)?.[1] ?? answer.payload).result
    return { result, text, status: result === undefined || result.isError ? 422 : answer.statusCode }
  }
  const note = (door: string, name: string, { status, text }: { readonly status: number; readonly text: string }) =>
    seen.push({ door, name: `MCP ${name}`, status: REFUSED_TOOLS.has(door.slice(4)) ? 200 : status, text })
  const { result } = await ask('tools/list', {})
  for (const { name } of result.tools as { name: string }[]) {
    const calls = CALLED[name]
    if (calls === undefined) throw new Error(`${name} is a new tool: give it arguments in doors.ts`)
    if (only && !only({ door: `MCP ${name}`, url: `/mcp/${name}` })) continue
    for (const given of calls)
      note(`MCP ${name}`, `${name} ${JSON.stringify(given)}`, await ask('tools/call', { name, arguments: given }))
  }
  if (only && !only({ door: LISTS, url: '' })) return seen
  const { result: listed } = await ask('resources/list', {})
  const { result: templates } = await ask('resources/templates/list', {})
  const { result: known } = await ask('prompts/list', {})
  note(LISTS, 'lists', { status: 200, text: alike(JSON.stringify([listed, templates, known])) })
  for (const { method, params } of furtherOfMcp(listed.resources, templates.resourceTemplates, known.prompts))
    note(`MCP ${method}`, `${method} ${JSON.stringify(params)}`, await ask(method, params))
  return seen
}

/** What MCP is asked beside its tools: each resource, also by names that are hidden or of nothing, each prompt, and what completes a name. */
export function furtherOfMcp(
  resources: readonly { readonly uri: string }[],
  templates: readonly { readonly uriTemplate: string }[],
  prompts: readonly { readonly name: string; readonly arguments?: readonly { readonly name: string }[] | undefined }[],
): readonly { readonly method: McpMethod; readonly params: Record<string, unknown> }[] {
  const named = templates.flatMap(({ uriTemplate }) =>
    NAMES_READ.map((name) => uriTemplate.replace('{name}', encodeURIComponent(name))),
  )
  const places = [
    ...templates.map(({ uriTemplate }) => ({ ref: { type: 'ref/resource', uri: uriTemplate }, names: ['name'] })),
    ...prompts.map(({ name, arguments: all = [] }) => ({
      ref: { type: 'ref/prompt', name },
      names: all.map((argument) => argument.name),
    })),
  ]
  return [
    ...[...resources.map(({ uri }) => uri), ...named].map((uri) => ({ method: 'resources/read' as const, params: { uri } })),
    ...places.flatMap(({ ref, names }) =>
      names.flatMap((name) =>
        STARTS.map((value) => ({ method: 'completion/complete' as const, params: { ref, argument: { name, value } } })),
      ),
    ),
    ...prompts.map(({ name, arguments: all = [] }) => ({
      method: 'prompts/get' as const,
      params: { name, arguments: Object.fromEntries(all.map((argument) => [argument.name, 'Margin Sum'])) },
    })),
  ]
}
export type McpMethod = 'resources/read' | 'completion/complete' | 'prompts/get'
const NAMES_READ = ['Revenue', 'Zip No', 'Kept Rate', 'Margin Sum', 'Cost Group', 'Orders.Cost', 'Nope', '%2e%2e']
/** The starts of names that are shown, of hidden ones, of tables, and of all. */
const STARTS = ['', 'r', 'Marg', 'cost', 'Zip C', 'zq_', 'hidden_', 'Kept', '%', '_']

/** Times and ids differ between any two servers. */
export const alike = (text: string): string =>
  text
    .replace(
      /"(execution_time_ms|uptime_seconds|read_at|checked_at|created_at|last_accessed_at|expires_at|max_expires_at|recorded_at|request_id|timestamp|cached_at)":("[^"]*"|[\d.]+)/g,
      '"$1":0',
    )
    .replace(/nonce[-="' ]+(content=")?[\w-]+/g, 'nonce')
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}|req-[\w-]+/g, 'id')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
