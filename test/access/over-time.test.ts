/** Row policies on the target of a join over time: the rows that remain are those among which the join finds one. */
import t from 'tap'
import { servedShop } from './served.js'

const MODEL = `
version: 1
name: shop
settings: { defaultDialect: duckdb }
dataObjects:
  Rates:
    code: rates
    columns:
      Currency: { code: currency, abstractType: string, primaryKey: true }
      Since: { code: since, abstractType: date, primaryKey: true }
      Until: { code: until, abstractType: date }
      Region: { code: region, abstractType: string }
      State: { code: state, abstractType: string }
      Rate: { code: rate, abstractType: int }
  Sales:
    code: sales
    columns:
      Currency: { code: currency, abstractType: string }
      Day: { code: day, abstractType: date }
      Amount: { code: amount, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Rates, columnsFrom: [Currency], columnsTo: [Currency], OVER_TIME }
dimensions:
  Rate: { dataObject: Rates, column: Rate }
measures:
  Amount: { columns: [{ dataObject: Sales, column: Amount }], aggregation: sum }
filters: [{ dataObject: Rates, column: State, operator: FINAL }]
access:
  attributes: { regions: { type: string, list: true } }
  rows:
    - { name: own rates, label: Your rates, dataObject: Rates, where: { field: Rates.Region, op: in, value: { attribute: regions } }, unless: [auditor, admin] }
`
const AS_OF = 'asOf: { time: Day, to: Since }'
const DURING = 'during: { time: Day, from: Since, to: Until }'
const IS_FINAL = 'equals, value: final'
/** True of a row that is not there, too. */
const IS_NULL = 'is_null'

const SALES =
  "CREATE TABLE sales AS SELECT currency, CAST(day AS DATE) AS day, amount FROM (VALUES ('EUR', '2023-12-01', 10000), ('EUR', '2024-01-15', 10), ('EUR', '2024-02-15', 100), ('EUR', '2024-03-15', 1000)) AS t(currency, day, amount)"

const tablesOf = (rates: string): readonly string[] => [
  `CREATE TABLE rates AS SELECT currency, CAST(since AS DATE) AS since, CAST(until AS DATE) AS until, region, state, rate FROM (VALUES ${rates}) AS t(currency, since, until, region, state, rate)`,
  SALES,
]

const modelOf = (join: string, final: string): string => MODEL.replace('OVER_TIME', join).replace('FINAL', final)
const byRate = { select: { dimensions: ['Rate'], measures: ['Amount'] }, order_by: [{ field: 'Rate' }] }

t.test('asOf finds the last row that a static filter and the policy leave', async (t) => {
  const tables = tablesOf(
    "('EUR', '2024-01-01', NULL, 'North', 'final', 1), ('EUR', '2024-02-01', NULL, 'South', 'final', 2), ('EUR', '2024-03-01', NULL, 'North', 'draft', 3)",
  )
  const { rows } = await servedShop(t, { tables, model: modelOf(AS_OF, IS_FINAL) })
  t.same(await rows('north', byRate), [[1, 1110]], 'neither the rate of the south nor the draft hides the one before')
  t.same(await rows('north', { select: { measures: ['Amount'] } }), [[1110]], 'also if nothing of the rate is asked')
  t.same(await rows('south', byRate), [[2, 1100]], 'a sale that finds no rate is removed')
  t.same(
    await rows('auditor', byRate),
    [
      [1, 10],
      [2, 1100],
    ],
    'a role that no policy binds',
  )
})

t.test('a sale that finds no rate is removed by the policy, although the static filter is true of it', async (t) => {
  const tables = tablesOf(
    "('EUR', '2024-01-01', NULL, 'North', 'draft', 1), ('EUR', '2024-02-01', NULL, 'South', NULL, 2), ('EUR', '2024-03-01', NULL, 'North', NULL, 3)",
  )
  const { rows } = await servedShop(t, { tables, model: modelOf(AS_OF, IS_NULL) })
  t.same(await rows('north', byRate), [[3, 1000]])
  t.same(await rows('south', byRate), [[2, 1100]])
})

t.test('during finds the period that holds, of those that a static filter and the policy leave', async (t) => {
  const tables = tablesOf(
    "('EUR', '2024-01-01', '2024-03-01', 'North', 'final', 1), ('EUR', '2024-02-01', '2024-04-01', 'South', 'final', 2), ('EUR', '2024-01-02', '2024-02-01', 'North', 'draft', 3)",
  )
  const { rows } = await servedShop(t, { tables, model: modelOf(DURING, IS_FINAL) })
  t.same(await rows('north', byRate), [[1, 110]])
  t.same(await rows('south', byRate), [[2, 1100]])
  t.same(await rows('north', { select: { measures: ['Amount'] } }), [[110]])
})

t.test('asOf finds the last row that a static filter over other rows leaves', async (t) => {
  const model = modelOf(AS_OF, 'equals, value: true')
    .replace('column: State', 'column: Listed')
    .replace(
      '      State: {',
      "      Listed: { exists: Listings, filters: [{ field: Open, op: '=', value: true }], abstractType: boolean }\n      State: {",
    )
    .replace(
      '  Sales:\n',
      `    joins: [{ joinType: many-to-one, joinTo: Currencies, columnsFrom: [Currency], columnsTo: [Name] }]
  Currencies: { code: currencies, columns: { Name: { code: name, abstractType: string, primaryKey: true } } }
  Listings:
    code: listings
    columns: { Currency: { code: currency, abstractType: string }, Open: { code: open, abstractType: boolean } }
    joins: [{ joinType: many-to-one, joinTo: Currencies, columnsFrom: [Currency], columnsTo: [Name] }]
  Sales:
`,
    )
    .replace('access:\n', 'access:\n  unbound: [Currencies, Listings]\n')
  const tables = [
    ...tablesOf("('EUR', '2024-01-01', NULL, 'North', 'final', 1), ('EUR', '2024-02-01', NULL, 'South', 'final', 2)"),
    "CREATE TABLE currencies AS SELECT 'EUR' AS name",
    "CREATE TABLE listings AS SELECT 'EUR' AS currency, true AS open",
  ]
  const { rows } = await servedShop(t, { tables, model })
  t.same(await rows('north', { select: { measures: ['Amount'] } }), [[1110]])
  t.same(await rows('south', byRate), [[2, 1100]])
  t.same(await rows('empty', { select: { measures: ['Amount'] } }), [[null]])
})
