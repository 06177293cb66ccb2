/** Joins with `asOf`, as models declare them, by the engine's own join and by numbers. The expected rows are written by hand. */
import t from 'tap'
import { compileWithout, loadText } from '../support/compile.js'
import { database } from './database.js'

const model = (asOf: string, more = '', settings = '') =>
  loadText(`
version: 1
${settings}
dataObjects:
  Sources:
    code: sources
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Name: { code: name, abstractType: string }
  Rates:
    code: rates
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Currency: { code: currency, abstractType: string }
      Day: { code: day, abstractType: date }
      At: { code: at, abstractType: timestamp_tz }
      Rate: { code: rate, abstractType: int }
      Source: { code: source, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Sources, columnsFrom: [Source], columnsTo: [Id] }]
  Sales:
    code: sales
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Currency: { code: currency, abstractType: string }
      Day: { code: day, abstractType: date }
      At: { code: at, abstractType: timestamp_tz }
      Amount: { code: amount, abstractType: int }
    joins: [{ joinType: many-to-one, joinTo: Rates, columnsFrom: [Currency], columnsTo: [Currency], asOf: ${asOf} }]
dimensions:
  Sale: { dataObject: Sales, column: Id }
  Rate: { dataObject: Rates, column: Rate }
  Source: { dataObject: Sources, column: Name }
measures:
  Sales: { aggregation: count, columns: [{ dataObject: Sales, column: Id }] }
  Rates: { aggregation: count, columns: [{ dataObject: Rates, column: Id }] }
  Value: { aggregation: sum, expression: '{[Sales].[Amount]} * {[Rates].[Rate]}' }
${more}
`)

const { rows } = await database(
  "SET TimeZone = 'UTC'",
  `CREATE TABLE sources AS SELECT * FROM (VALUES (1, 'bank'), (2, 'draft')) v(id, name)`,
  `CREATE TABLE rates AS SELECT id, currency, day, CAST(day AS TIMESTAMPTZ) AS "at", rate, source FROM (VALUES
    (1, 'USD', DATE '2024-01-01', 10, 1), (2, 'USD', DATE '2024-01-10', 20, 1), (3, 'USD', DATE '2024-01-10', 21, 2),
    (4, 'USD', NULL, 99, 1), (5, 'GBP', DATE '2024-01-05', 30, 1), (6, NULL, DATE '2024-01-01', 77, 1))
    v(id, currency, day, rate, source)`,
  `CREATE TABLE sales AS SELECT id, currency, day, CAST(day AS TIMESTAMPTZ) + INTERVAL 23 HOUR AS "at", amount FROM (VALUES
    (1, 'USD', DATE '2023-12-31', 1), (2, 'USD', DATE '2024-01-01', 1), (3, 'USD', DATE '2024-01-09', 1), (4, 'USD', DATE '2024-01-10', 1),
    (5, 'USD', DATE '2024-02-01', 1), (6, 'GBP', DATE '2024-01-04', 2), (7, 'GBP', DATE '2024-01-12', 2), (8, NULL, DATE '2024-01-12', 1),
    (9, 'USD', NULL, 1), (10, 'JPY', DATE '2024-01-12', 1)) v(id, currency, day, amount)`,
)

const FORMS = [
  ['by the engine', []],
  ['by numbers', ['engine-as-of']],
] as const
type Without = readonly string[]
const asked = async (of: ReturnType<typeof model>, query: object, without: Without) =>
  rows(compileWithout(query, of, without).sql)
const bySale = { select: { dimensions: ['Sale', 'Rate'], measures: ['Sales'] }, order_by: [{ field: 'Sale' }] }
const ratesOf = async (of: ReturnType<typeof model>, without: Without, query: object = bySale) =>
  (await asked(of, query, without)).map(([, rate]) => rate)

for (const [form, without] of FORMS) {
  t.test(`${form}: the last row at or before a day, of several the one with the greatest key`, async (t) => {
    const found = await ratesOf(model('{ time: Day, to: Day }'), without)
    t.same(found, [null, '10', '10', '21', '21', null, '30', null, null, null])
  })

  t.test(`${form}: the first row at or after a day`, async (t) => {
    const found = await ratesOf(model('{ time: Day, to: Day, direction: forward }'), without)
    t.same(found, ['10', '10', '21', '21', null, '30', null, null, null, null])
  })

  t.test(`${form}: a row that is too far away is not found; the limit belongs to it`, async (t) => {
    const near = async (asOf: string) => ratesOf(model(asOf), without)
    t.same(await near('{ time: Day, to: Day, within: 7 days }'), [null, '10', null, '21', null, null, '30', null, null, null])
    t.same(await near('{ time: Day, to: Day, within: 8 days }'), [null, '10', '10', '21', null, null, '30', null, null, null])
    const forward = await near('{ time: Day, to: Day, within: 1 day, direction: forward }')
    t.same(forward, ['10', '10', '21', '21', null, '30', null, null, null, null])
  })

  t.test(`${form}: an amount by the rate of its day, a filter tests the row and finds no other`, async (t) => {
    const of = model('{ time: Day, to: Day }')
    t.same(await asked(of, { select: { measures: ['Value'] } }, without), [['122']])
    const where = [{ field: 'Rate', op: '=', value: 10 }]
    t.same(await asked(of, { select: { measures: ['Value', 'Sales'] }, where }, without), [['20', '2']])
  })

  t.test(`${form}: static filters of the target and of what it reaches choose the candidates`, async (t) => {
    const own = model('{ time: Day, to: Day }', 'filters: [{ dataObject: Rates, column: Id, operator: "!=", value: 3 }]')
    t.same(await ratesOf(own, without), ['10', '10', '20', '20', '30'])
    const reached = model(
      '{ time: Day, to: Day }',
      'filters: [{ dataObject: Sources, column: Name, operator: "=", value: bank }]',
    )
    t.same(await ratesOf(reached, without), ['10', '10', '20', '20', '30'])
    const source = { select: { dimensions: ['Sale', 'Source'], measures: ['Value'] }, order_by: [{ field: 'Sale' }] }
    t.same(
      (await asked(reached, source, without)).map(([, name, value]) => [name, value]),
      [
        ['bank', '10'],
        ['bank', '10'],
        ['bank', '20'],
        ['bank', '20'],
        ['bank', '60'],
      ],
    )
  })

  t.test(`${form}: required drops the rows that find none, also if one is too far away`, async (t) => {
    const of = model('{ time: Day, to: Day, within: 7 days }, required: true')
    t.same(await ratesOf(of, without), ['10', '21', '30'])
  })

  t.test(`${form}: instants, and their days in the zone of the join`, async (t) => {
    t.same(await ratesOf(model('{ time: At, to: At }'), without), [null, '10', '10', '21', '21', null, '30', null, null, null])
    const tokyo = await ratesOf(model('{ time: At, to: Day, zone: Asia/Tokyo }'), without)
    t.same(tokyo, ['10', '10', '21', '21', '21', '30', '30', null, null, null])
    const hours = await ratesOf(model('{ time: At, to: At, within: 1 day }'), without)
    t.same(hours, [null, '10', null, '21', null, null, null, null, null, null])
  })

  t.test(`${form}: read backwards, a row belongs to those that find it`, async (t) => {
    const of = model('{ time: Day, to: Day }')
    const back = { select: { dimensions: ['Sale'], measures: ['Rates'] }, order_by: [{ field: 'Sale' }] }
    t.same(await asked(of, back, without), [
      ['2', '1'],
      ['3', '1'],
      ['4', '1'],
      ['5', '1'],
      ['7', '1'],
      [null, '3'],
    ])
    const found = { field: 'Rates', op: 'exists', subquery: { dataObject: 'Sales' } }
    const lacking = { field: 'Sales', op: 'nonexists', subquery: { dataObject: 'Rates' } }
    t.same(await asked(of, { select: { measures: ['Rates'] }, where: [found] }, without), [['3']])
    t.same(await asked(of, { select: { measures: ['Sales'] }, where: [lacking] }, without), [['5']])
  })

  t.test(`${form}: the first and the last date are days like others`, async (t) => {
    const { rows: far } = await database(
      'CREATE TABLE sources (id INT, name VARCHAR)',
      `CREATE TABLE rates AS SELECT id, 'USD' AS currency, day, CAST(NULL AS TIMESTAMPTZ) AS "at", id AS rate, 1 AS source
        FROM (VALUES (1, DATE '0001-01-01'), (2, DATE '9999-12-31')) v(id, day)`,
      `CREATE TABLE sales AS SELECT id, 'USD' AS currency, day, CAST(NULL AS TIMESTAMPTZ) AS "at", 1 AS amount
        FROM (VALUES (1, DATE '0001-01-01'), (2, DATE '0001-01-09'), (3, DATE '9999-12-24'), (4, DATE '9999-12-31')) v(id, day)`,
    )
    const found = async (asOf: string) => (await far(compileWithout(bySale, model(asOf), without).sql)).map(([, rate]) => rate)
    t.same(await found('{ time: Day, to: Day, within: 1 week }'), ['1', null, null, '2'])
    t.same(await found('{ time: Day, to: Day, within: 1 week, direction: forward }'), ['1', null, '2', '2'])
  })
}
