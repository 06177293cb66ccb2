/** Joins with `during`, as models declare them. The expected rows are written by hand. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const model = (during: string, more = '', settings = '') =>
  loadText(`
version: 1
${settings}
dataObjects:
  Prices:
    code: prices
    columns:
      Product: { code: product, abstractType: int }
      Since: { code: since, abstractType: date }
      Until: { code: until, abstractType: date }
      Label: { code: label, abstractType: string }
      Price: { code: price, abstractType: int }
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Product: { code: product, abstractType: int }
      Day: { code: day, abstractType: date }
      At: { code: at, abstractType: timestamp_tz }
      Units: { code: units, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Prices, columnsFrom: [Product], columnsTo: [Product], during: ${during} }]
dimensions:
  Sale: { dataObject: Sales, column: Id }
  Label: { dataObject: Prices, column: Label }
  Sold In: { dataObject: Sales, column: At, timeGrain: month }
measures:
  Sales: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
  Value: { aggregation: sum, expression: '{[Sales].[Units]} * {[Prices].[Price]}' }
${more}
`)

const { rows } = await database(
  "SET TimeZone = 'UTC'",
  `CREATE TABLE prices AS SELECT * FROM (VALUES
    (1, NULL, DATE '2024-02-01', 'first', 10), (1, DATE '2024-02-01', DATE '2024-03-01', 'second', 20), (1, DATE '2024-03-01', NULL, 'third', 30),
    (2, NULL, DATE 'infinity', 'always', 5), (3, DATE '2024-02-01', DATE '2024-02-01', 'empty', 1), (4, DATE '2024-02-02', DATE '9999-12-31', 'late', 7))
    v(product, since, until, label, price)`,
  `CREATE TABLE sales AS SELECT * FROM (VALUES
    (1, 1, DATE '2024-01-31', TIMESTAMPTZ '2024-01-31 23:30:00+00', 1), (2, 1, DATE '2024-02-01', TIMESTAMPTZ '2024-02-01 00:00:00+00', 1),
    (3, 1, DATE '2024-02-29', TIMESTAMPTZ '2024-02-29 23:00:00+00', 1), (4, 1, DATE '2024-03-01', TIMESTAMPTZ '2024-03-01 12:00:00+00', 1),
    (5, 1, DATE '2030-01-01', TIMESTAMPTZ '2030-01-01 00:00:00+00', 2), (6, 1, NULL, NULL, 1), (7, 2, DATE '2024-02-01', TIMESTAMPTZ '2024-02-01 00:00:00+00', 3),
    (8, 3, DATE '2024-02-01', TIMESTAMPTZ '2024-02-01 00:00:00+00', 1), (9, 4, DATE '2024-02-01', TIMESTAMPTZ '2024-02-01 22:30:00+00', 1),
    (10, NULL, DATE '2024-02-01', NULL, 1)) v(id, product, day, "at", units)`,
)

const labels = { select: { dimensions: ['Sale', 'Label'], measures: ['Sales'] }, order_by: [{ field: 'Sale' }] }
const asked = async (of: ReturnType<typeof model>, query: object) => rows(compileFor(query, of).sql)
const labelsOf = async (of: ReturnType<typeof model>, query: object = labels) =>
  (await asked(of, query)).map(([, label]) => label)

t.test('from ≤ time < to; NULL ends are open, an empty period holds never, and a time that is NULL is in none', async (t) => {
  const found = await labelsOf(model('{ time: Day, from: Since, to: Until }'))
  t.same(found, ['first', 'second', 'second', 'third', 'third', null, 'always', null, null, null])
})

t.test('an end that is NULL is after the last date, and a beginning that is NULL before the first', async (t) => {
  const { rows: far } = await database(
    "CREATE TABLE prices AS SELECT 1 AS product, CAST(NULL AS DATE) AS since, CAST(NULL AS DATE) AS until, 'always' AS label, 10 AS price",
    `CREATE TABLE sales AS SELECT id, 1 AS product, day, CAST(NULL AS TIMESTAMPTZ) AS "at", 1 AS units
      FROM (VALUES (1, DATE '9999-12-31'), (2, DATE '0001-01-01'), (3, NULL)) v(id, day)`,
  )
  const found = await far(compileFor(labels, model('{ time: Day, from: Since, to: Until }')).sql)
  t.same(
    found.map(([, label]) => label),
    ['always', 'always', null],
  )
})

t.test('includesEnd: the last day belongs to the period', async (t) => {
  const of = model('{ time: Day, from: Since, to: Until, includesEnd: true }')
  const found = await labelsOf(of, { ...labels, where: [{ field: 'Sale', op: 'in', value: [1, 8, 9] }] })
  t.same(found, ['first', 'empty', null])
})

t.test('an amount by the price of its day; a filter on the price tests it and finds no other', async (t) => {
  const of = model('{ time: Day, from: Since, to: Until }')
  t.same(await asked(of, { select: { measures: ['Value'] } }), [['155']])
  const where = [{ field: 'Label', op: '=', value: 'second' }]
  t.same(await asked(of, { select: { measures: ['Value'] }, where }), [['40']])
  const where2 = [{ field: 'Label', op: '=', value: 'first' }]
  t.same(await asked(of, { select: { measures: ['Sales'] }, where: where2 }), [['1']])
})

t.test('a static filter chooses the rows that may match', async (t) => {
  const of = model(
    '{ time: Day, from: Since, to: Until }',
    "filters: [{ dataObject: Prices, column: Label, operator: '!=', value: second }]",
  )
  const found = await asked(of, labels)
  t.same(
    found.map(([sale, label]) => [sale, label]),
    [
      ['1', 'first'],
      ['4', 'third'],
      ['5', 'third'],
      ['7', 'always'],
    ],
  )
})

t.test('an instant is read as its day in the zone of the join, and never in that of the query', async (t) => {
  const timed = { ...labels, where: [{ field: 'Sale', op: 'in', value: [1, 3, 9] }] }
  const utc = model('{ time: At, from: Since, to: Until }')
  const east = model('{ time: At, from: Since, to: Until, zone: Asia/Tokyo }')
  const data = model('{ time: At, from: Since, to: Until }', '', 'settings: { defaultTimezone: Asia/Tokyo }')
  for (const timezone of [undefined, 'Pacific/Auckland', 'America/Los_Angeles']) {
    const query = { ...timed, ...(timezone && { timezone }) }
    t.same(await labelsOf(utc, query), ['first', 'second', null])
    t.same(await labelsOf(east, query), ['second', 'third', 'late'])
    t.same(await labelsOf(data, query), ['second', 'third', 'late'])
  }
})
