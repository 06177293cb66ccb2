/** Hidden fields, as people with different keys see them over REST. */
import t from 'tap'
import { servedShop } from './served.js'
import { MODEL, TABLES } from './shop.js'

/** A shop whose zip codes and margins are for auditors; everybody sees the mean margin. */
const HIDING = MODEL.replace('      Zip No: {', '      Zip Code: { code: zip, abstractType: string }\n      Zip No: {')
  .replace(
    'metrics:\n',
    `  Margin: { columns: [{ dataObject: Orders, column: Margin }], aggregation: sum }
  Mean Margin: { columns: [{ dataObject: Orders, column: Margin }], aggregation: avg }
metrics:
  Margin Rate: { expression: '{[Margin]} / {[Revenue]}' }
  Shown Rate: { expression: '{[Margin]} / {[Revenue]}' }
  Doubled Rate: { expression: '{[Shown Rate]} * 2' }
`,
  )
  .replace('      Amount: {', '      Margin: { expression: "{Amount} * 2", abstractType: int }\n      Amount: {')
  .replace(
    'examples:',
    `segments:
  Far: { filters: [{ field: Zip No, op: '>', value: 100 }] }
  Near: { filters: [{ expression: "{[Customers].[Zip]} = '101'" }] }
  Northern: { filters: [{ field: Region, op: '=', value: North }] }
examples:`,
  )
  .replace('examples: [', 'examples: [{ name: zips, query: { select: { dimensions: [Zip No], measures: [Revenue] } } }, ')
  .replace(
    '  unbound:',
    '  fields: [{ hide: [Customers.Zip, Orders.Margin], publish: [Mean Margin, Shown Rate], unless: [auditor, admin] }]\n  unbound:',
  )

const served = (t: Parameters<typeof servedShop>[0]) =>
  servedShop(t, {
    model: HIDING,
    tables: TABLES,
    plugins: ['@grainline/evaluator-duckdb', '@grainline/mcp', '@grainline/surface-odata'],
  })

const HIDDEN = /Zip|(?<!Mean )Margin|Far|Near\b|zips|hidden_/

t.test('a hidden field does not exist, on any list', async (t) => {
  const { get } = await served(t)
  const lists = [
    'schema',
    'dimensions',
    'measures',
    'metrics',
    'examples',
    'join-graph',
    'diagram/er',
    'composables',
    'sessions/shop/models/shop',
  ]
  for (const list of lists) {
    const { status, text } = await get('north', `/v1/${list}`)
    t.equal(status, 200, `${list}: ${text}`)
    t.notMatch(text, HIDDEN, list)
    t.match((await get('auditor', `/v1/${list}`)).status, 200, list)
  }
  t.match((await get('auditor', '/v1/schema')).text, /Zip No.*Margin Rate/)
  t.match((await get('north', '/v1/schema')).body.measures, [{ name: 'Revenue' }, { name: 'Mean Margin', columns: [] }])
})

t.test('naming a hidden field is naming an unknown one', async (t) => {
  const { post, get } = await served(t)
  const asked = async (who: 'north' | 'auditor', query: object) => {
    const { body } = await post(who, '/v1/query/execute', { query })
    return body
  }
  const queries: Readonly<Record<string, object>> = {
    UNKNOWN_DIMENSION: { select: { dimensions: ['Zip No'], measures: ['Revenue'] } },
    UNKNOWN_MEASURE: { select: { measures: ['Margin'] } },
    UNKNOWN_FILTER_FIELD: { select: { measures: ['Revenue'] }, where: [{ field: 'Customers.Zip', op: '=', value: '1' }] },
    RAW_FIELD_UNKNOWN_COLUMN: { select: { fields: ['Customers.Zip No'] } },
  }
  for (const [code, query] of Object.entries(queries)) {
    const body = await asked('north', query)
    t.equal(body.code, code, JSON.stringify(body))
    const text = JSON.stringify(body).replaceAll(/'[^']*' is not/g, '')
    t.notMatch(text, HIDDEN, text)
    t.not((await asked('auditor', query)).code, code)
  }
  const segment = await asked('north', { select: { measures: ['Revenue'] }, where: [{ segment: 'Far' }] })
  t.equal(segment.code, 'UNKNOWN_FILTER_FIELD')
  const alias = { select: { dimensions: [{ as: 'Zip No', expression: "concat({Region}, '')" }], measures: ['Revenue'] } }
  t.same((await asked('north', alias)).rows, [['North', 30]])
  t.equal((await get('north', '/v1/values/Zip No')).status, 404)
  t.equal((await get('north', '/v1/explain/Margin Rate')).status, 404)
  t.match((await post('north', '/v1/query/semantic-ql', { sql: 'SELECT "Margin" FROM shop' })).body, {
    code: 'UNKNOWN_SELECT_ITEM',
  })
})

t.test('published measures have their numbers, and show neither definition nor rows', async (t) => {
  const { post, get, rows } = await served(t)
  const query = { select: { dimensions: ['Region'], measures: ['Mean Margin', 'Shown Rate', 'Doubled Rate'] } }
  t.same(await rows('north', query), [['North', 30, 2, 4]])
  t.same(await rows('auditor', { ...query, where: [{ field: 'Region', op: '=', value: 'North' }] }), [['North', 30, 2, 4]])
  const answer = await post('north', '/v1/query/execute?receipt=true', { query })
  t.notMatch(answer.text, HIDDEN)
  t.match(answer.body, { sql: null, warnings: [{ code: 'SQL_WITHHELD' }] })
  t.match(answer.body.receipt.definitions, [
    { name: 'Region' },
    { name: 'Mean Margin', definition: 'Mean Margin' },
    { name: 'Shown Rate', definition: 'Shown Rate' },
  ])
  for (const name of ['Mean Margin', 'Shown Rate', 'Doubled Rate']) {
    const { status, text } = await get('north', `/v1/explain/${name}`)
    t.equal(status, 200)
    t.notMatch(text, HIDDEN, text)
  }
  const cell = { query, measure: 'Mean Margin', cell: { Region: 'North' } }
  const behind = await post('north', '/v1/query/rows', cell)
  t.match(behind.body, { reconciled: true, facts: [{ measure: 'Mean Margin', row_count: 2, rows: [[2]] }] }, behind.text)
  t.notMatch(behind.text, HIDDEN)
  const revenue = await post('north', '/v1/query/rows', {
    ...cell,
    query: { select: { dimensions: ['Region'], measures: ['Revenue'] } },
    measure: 'Revenue',
  })
  t.match(revenue.body, { facts: [{ row_count: 2 }] }, revenue.text)
  t.notMatch(revenue.text, HIDDEN, 'raw rows have no hidden columns')
  t.equal((await post('north', '/v1/query/rows', { ...cell, measure: 'Shown Rate' })).body.code, 'NO_ROWS_BEHIND')
})
