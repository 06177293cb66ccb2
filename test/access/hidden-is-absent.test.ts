/**
 * A question that leaves something to the model is answered as if what is hidden were not in it: whatever the compiler chooses by itself, and whatever it advises.
 * Each is asked of a model with hidden fields, and of the same model without these.
 */
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { tileQuery } from '../../plugins/surface-ui/web/src/dashboard/dashboard.js'
import { readFileText } from '../../plugins/surface-ui/web/src/dashboard/dashboard-file.js'
import { type Served, servedShop } from './served.js'
import { KEYS, type Who } from './shop.js'

const column = (code: string, abstractType: string, more: object = {}) => ({ code, abstractType, ...more })
const key = { primaryKey: true }
const join = (joinTo: string, from: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [from], columnsTo: ['Id'] })
const dimension = (dataObject: string, name: string) => ({ dataObject, column: name })
const measure = (dataObject: string, name: string, aggregation = 'sum') => ({
  columns: [{ dataObject, column: name }],
  aggregation,
})

interface Parts {
  readonly dimensions?: Readonly<Record<string, object>>
  readonly measures?: Readonly<Record<string, object>>
  readonly metrics?: Readonly<Record<string, object>>
  readonly fields?: readonly object[]
}

/** What is hidden stands before what is shown, so that whoever takes the first finds it. */
const modelOf = ({ dimensions = {}, measures = {}, metrics = {}, fields = [] }: Parts, times: object = {}) =>
  JSON.stringify({
    ...{ version: 1, name: 'shop', settings: { defaultDialect: 'duckdb' } },
    dataObjects: {
      Customers: { code: 'customers', columns: { Id: column('id', 'int', key), Name: column('name', 'string') } },
      Products: { code: 'products', columns: { Id: column('id', 'int', key) } },
      Likes: {
        code: 'likes',
        columns: {
          'Customer Id': column('customer_id', 'int'),
          'Product Id': column('product_id', 'int'),
          ...hiddenOf(fields, 'Likes'),
        },
        joins: [join('Customers', 'Customer Id'), join('Products', 'Product Id')],
      },
      Orders: {
        code: 'orders',
        columns: {
          ...{ Id: column('id', 'int', key), 'Customer Id': column('customer_id', 'int'), Placed: column('placed', 'date') },
          ...hiddenOf(fields, 'Orders'),
        },
        joins: [join('Customers', 'Customer Id')],
      },
    },
    dimensions: { ...dimensions, Customer: dimension('Customers', 'Name'), Product: dimension('Products', 'Id'), ...times },
    measures,
    metrics,
    access: { fields },
  })

const HIDDEN_COLUMNS = { Orders: { Shipped: column('shipped', 'date') }, Likes: { Weight: column('weight', 'int') } } as const
const hiddenOf = (fields: readonly object[], object: keyof typeof HIDDEN_COLUMNS): object =>
  fields.length > 0 ? HIDDEN_COLUMNS[object] : {}

const CONVERTED = {
  type: 'conversion',
  base: 'Orders Count',
  conversion: 'Orders Count',
  entity: 'Customer',
  window: '3d',
  calculation: 'count',
}
const HIDDEN: Parts = {
  dimensions: { Shipped: dimension('Orders', 'Shipped') },
  measures: { 'Likes Weight': measure('Likes', 'Weight') },
  metrics: {},
  fields: [{ hide: ['Orders.Shipped', 'Likes.Weight'], unless: ['admin'] }],
}
/** A rule that hides what both have, so that both are views. */
const ABSENT: Parts = {}

const TABLES = [
  "CREATE TABLE customers AS SELECT * FROM (VALUES (1, 'Ann'), (2, 'Bob')) AS t(id, name)",
  'CREATE TABLE products AS SELECT * FROM (VALUES (1), (2)) AS t(id)',
  'CREATE TABLE likes AS SELECT * FROM (VALUES (1, 1, 5), (2, 2, 7)) AS t(customer_id, product_id, weight)',
  "CREATE TABLE orders AS SELECT * FROM (VALUES (1, 1, DATE '2026-01-01', DATE '2026-02-01'), (2, 1, DATE '2026-01-20', DATE '2026-02-02'), (3, 2, DATE '2026-01-02', NULL)) AS t(id, customer_id, placed, shipped)",
]

const served = (t: Test, model: string) =>
  servedShop(t, { model, tables: TABLES, plugins: ['@grainline/evaluator-duckdb', '@grainline/surface-ui'] })
const own = (definition: object) => ({ select: { measures: [{ as: 'Own', ...definition }] } })
/** Of each of them a name, a time, a way or an advice is left to the model. */
const QUERIES: Readonly<Record<string, object>> = {
  'an own conversion without a time': own(CONVERTED),
  'an own funnel without a time': own({
    ...{ type: 'funnel', entity: 'Customer', window: '3d', calculation: 'count', step: 2 },
    steps: [{ measure: 'Orders Count' }, { measure: 'Orders Count' }],
  }),
  'an own running sum without a time': own({ type: 'cumulative', measure: 'Orders Count' }),
  'an own comparison without a time': own({
    type: 'period_over_period',
    measure: 'Orders Count',
    periodOverPeriod: { offset: 1, offsetGrain: 'month' },
  }),
  'an own first value without an order': own({ aggregation: 'first', columns: [{ dataObject: 'Orders', column: 'Id' }] }),
  'an own balance without a time': own({
    aggregation: 'sum',
    columns: [{ dataObject: 'Orders', column: 'Id' }],
    semiAdditive: { take: 'last' },
  }),
  'gaps of no time': { select: { dimensions: ['Customer'], measures: ['Orders Count'] }, fill_gaps: true },
  'fields that one measure connects': { select: { dimensions: ['Customer', 'Product'] } },
  'a measure that does not reach a field': { select: { dimensions: ['Product'], measures: ['Orders Count'] } },
  'a count that does not reach a field': { select: { dimensions: ['Product'], measures: ['Customers Count'] } },
  'a filter that applies to nothing': {
    select: { measures: ['Customers Count'] },
    where: [{ field: 'Product', op: '=', value: 1 }],
  },
  'an order by nothing that is there': { select: { measures: ['Orders Count'] }, order_by: [{ field: 'Ship' }] },
  'an unknown name near a hidden one': { select: { dimensions: ['Shiped'], measures: ['Likes Weigth'] } },
  'an unknown object': { select: { fields: ['Like.Weight'] } },
  'a comparison by an unknown time': { select: { measures: ['Orders Count'] }, compare: { time: 'Ship', unit: 'month' } },
  'raw rows of one object': { select: { fields: ['Orders.Id'] }, order_by: [{ field: 'Orders.Ship' }] },
}

for (const [name, times] of Object.entries({
  'a time of the rows that is shown': { Placed: dimension('Orders', 'Placed') },
  'no time of the rows': {},
}))
  t.test(`beside ${name}`, async (t) => {
    const [hidden, absent] = [await served(t, modelOf(HIDDEN, times)), await served(t, modelOf(ABSENT, times))]
    let answered = 0
    for (const [what, query] of Object.entries(QUERIES))
      for (const url of ['/v1/query/execute?receipt=true', '/v1/composables']) {
        const [one, other] = [await hidden.post('auditor', url, { query }), await absent.post('auditor', url, { query })]
        t.equal(one.status, other.status, `${what}: ${one.text.slice(0, 300)}`)
        t.same(plain(one.body), plain(other.body), `${what}: ${url}`)
        t.notMatch(one.text, /hidden_|…|(?<!Likes )Weight'? is(?! not)/, what)
        if (one.status === 200) answered++
      }
    t.ok(answered > 0, `${answered} are answered`)
    const { status } = await hidden.post('ops', '/v1/query/execute', { query: { select: { dimensions: ['Shipped'] } } })
    t.equal(status, 200, 'somebody sees them')
  })

/** SQL is withheld from whom something is hidden, and hashes differ. */
const WITHHELD = [
  'sql',
  'explain',
  'resolved',
  'physical_tables',
  'execution_time_ms',
  'request_id',
  'model',
  'version',
  'read_at',
  'instance',
]
function plain(body: unknown): unknown {
  const left = JSON.parse(JSON.stringify(body, (name, value: unknown) => (WITHHELD.includes(name) ? undefined : value)))
  const warnings = (left.warnings ?? []).filter(({ code }: { code: string }) => code !== 'SQL_WITHHELD')
  return { ...left, ...(left.warnings && { warnings }) }
}

t.test('a conversion of the model has the time that its author meant, whether or not it is shown', async (t) => {
  const model = parse(modelOf({ ...HIDDEN, metrics: { Again: CONVERTED } }))
  model.access.fields[0].publish = ['Again']
  const { rows } = await served(t, JSON.stringify(model))
  const query = { select: { measures: ['Again'] } }
  t.same(await rows('ops', query), [[1]])
  t.same(await rows('auditor', query), [[1]])
})

/** What somebody saved who sees more, and what somebody wrote who would like to. */
const FILES = [
  `dashboard:
  title: Shipping
  model: shop
  time: { dimension: Shipped, range: { from: 2026-01-01, to: 2026-03-31 }, compare: true }
  filters: [{ field: Shipped, op: is_not_null }, { field: Likes.Weight, op: '>', value: 1 }]
  tiles:
    - { title: Weight, as: number, query: { select: { measures: [Likes Weight] } } }
    - { title: By day, as: chart, query: { select: { dimensions: ['Shipped:month'], measures: [Orders Count] } }, chart: { x: Shipped, measures: [Likes Weight] } }
    - { title: Own, as: table, query: { select: { measures: [{ as: X, aggregation: max, expression: '{[Likes].[Weight]}' }] } } }
    - { title: Rows, as: table, query: { select: { fields: [Orders.Id, Orders.Shipped] } } }`,
  'question: { title: One, model: shop, as: table, query: { select: { dimensions: [Customer], measures: [Orders Count] }, order_by: [{ field: Shipped }] } }',
  'question: { title: View, model: vault, as: table, query: { view: Shipped, select: { measures: [Orders Count] } } }',
]

/** The questions of a file, each as the page asks it. */
function questionsIn(text: string): readonly object[] {
  const opened = readFileText(text)
  if (opened.kind === 'question') return [opened.question.query]
  const { tiles, filters, time } = opened.dashboard
  const range = time?.range
  const field = time && { name: time.dimension, type: 'date' as const, grain: undefined }
  return tiles.flatMap((tile) => [
    tile.query,
    tileQuery(tile, { filters: filters ?? [], field: undefined, range: undefined }),
    tileQuery(tile, { field: field as never, range }),
  ])
}

async function onPage({ app }: Served, who: Who, session: string, query: object) {
  const url = `/ui/api/v1/sessions/${session}/query/execute`
  const headers = { 'x-api-key': KEYS[who], 'x-grainline-ui': '1' }
  const answer = await app.inject({ method: 'POST', url, headers, payload: { query, model_id: 'shop' } })
  return { status: answer.statusCode, text: answer.payload, body: answer.json() }
}

t.test('a file that the page saved for somebody shows nobody else what is hidden, nor the session of somebody', async (t) => {
  const [hidden, absent] = [await served(t, modelOf(HIDDEN)), await served(t, modelOf(ABSENT))]
  const refused: string[] = []
  for (const query of FILES.flatMap(questionsIn)) {
    const [one, other] = [await onPage(hidden, 'auditor', 'shop', query), await onPage(absent, 'auditor', 'shop', query)]
    t.equal(one.status, other.status, JSON.stringify(query))
    t.same(plain(one.body), plain(other.body), JSON.stringify(query))
    t.notMatch(one.text, /hidden_|…/)
    if (one.status >= 400) refused.push(one.body.code)
  }
  t.ok(refused.length > 8, refused.join())
  const { body } = await hidden.post('ops', '/v1/sessions', {})
  const [question] = questionsIn(FILES[1]!.replace('Shipped', 'Customer'))
  const answers = await Promise.all(
    [body.session_id, '00000000-0000-4000-8000-000000000000'].map((session) => onPage(hidden, 'auditor', session, question!)),
  )
  t.match(answers[0], { status: 404, body: { code: 'SESSION_NOT_FOUND' } })
  t.same(unnamed(answers[0]!.text, body.session_id), unnamed(answers[1]!.text, '00000000-0000-4000-8000-000000000000'))
})

const unnamed = (text: string, session: string): unknown => plain(JSON.parse(text.replaceAll(session, 'id')))
