/**
 * Metrics that run a query within the query: aggregates of aggregates, conversions, and metrics over time as inputs of others (decisions
 * 47, 48, 56). The expected numbers are computed by hand.
 */
import t from 'tap'
import { compileFor, loadText, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const MODEL = `
version: 1
dataObjects:
  Visits:
    code: visits
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Who: { code: who, abstractType: int }
      At: { code: moment, abstractType: timestamp }
      Source: { code: source, abstractType: string }
    joins: [{ joinType: many-to-one, joinTo: People, columnsFrom: [Who], columnsTo: [ID] }]
  Orders:
    code: orders
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Who: { code: who, abstractType: int }
      At: { code: moment, abstractType: timestamp }
      Store: { code: store, abstractType: string }
      Amount: { code: amount, abstractType: int, sqlType: integer }
    joins: [{ joinType: many-to-one, joinTo: People, columnsFrom: [Who], columnsTo: [ID] }]
  People:
    code: people
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      City: { code: city, abstractType: string }
dimensions:
  Person: { dataObject: People, column: ID }
  City: { dataObject: People, column: City }
  Source: { dataObject: Visits, column: Source }
  Visited: { dataObject: Visits, column: At }
  Ordered: { dataObject: Orders, column: At }
  Store: { dataObject: Orders, column: Store }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
  Large: { aggregation: count, columns: [{ dataObject: Orders, column: ID }], filters: [{ field: Orders.Amount, op: gt, value: 50 }] }
  All Orders: { aggregation: count, columns: [{ dataObject: Orders, column: ID }], filterContext: { mode: FIXED } }
metrics:
  Sold So Far: { type: cumulative, measure: Amount, timeDimension: Ordered, cumulativeType: sum }
  Large and Stores Before: { type: period_over_period, expression: '{[Large]} * 10 + {[Stores]}', periodOverPeriod: { timeDimension: Ordered } }
  Store Average: { type: aggregate, measure: Amount, aggregation: avg, per: [Store] }
  Stores: { type: aggregate, measure: Amount, aggregation: count, per: [Store] }
  Best City Average: { type: aggregate, measure: Store Average, aggregation: max, per: [City] }
  Converted: { type: conversion, base: Visits Count, conversion: Orders Count, entity: Person, timeDimension: Visited, conversionTimeDimension: Ordered, window: 7d, calculation: count }
  Rate: { type: conversion, base: Visits Count, conversion: Orders Count, entity: Person, timeDimension: Visited, conversionTimeDimension: Ordered, window: 7d }
  Before: { type: period_over_period, measure: Amount, periodOverPeriod: { timeDimension: Ordered, offset: -1, offsetGrain: month } }
  Average Before: { type: period_over_period, measure: Store Average, periodOverPeriod: { timeDimension: Ordered, offset: -1, offsetGrain: month } }
  Two Before: { type: period_over_period, measure: Before, periodOverPeriod: { timeDimension: Ordered, offset: -1, offsetGrain: month } }
  So Far: { type: cumulative, measure: Amount, timeDimension: Ordered }
  So Far Before: { type: period_over_period, measure: So Far, periodOverPeriod: { timeDimension: Ordered, offset: -1, offsetGrain: month } }
  Sum of Before: { type: cumulative, measure: Before, timeDimension: Ordered, cumulativeType: sum }
  Average So Far: { type: cumulative, measure: Store Average, timeDimension: Ordered }
  Monthly: { type: aggregate, measure: Amount, aggregation: avg, per: [Ordered] }
  Monthly So Far: { type: cumulative, measure: Monthly, timeDimension: Ordered }
  Stores So Far: { type: cumulative, measure: Stores, timeDimension: Ordered }
  Rate So Far: { type: cumulative, measure: Rate, timeDimension: Visited }
  Rate Before: { type: period_over_period, measure: Rate, periodOverPeriod: { timeDimension: Visited, offset: -1, offsetGrain: month } }
  Rank: { type: window, windowFunction: rank, measure: Store Average }
`
const model = loadText(MODEL)
const { rows } = await database(
  `CREATE TABLE people AS SELECT * FROM (VALUES (1, 'Bonn'), (2, 'Bonn'), (3, 'Ulm')) v(id, city)`,
  `CREATE TABLE visits AS SELECT * FROM (VALUES
    (1, 1, TIMESTAMP '2024-01-01 10:00', 'ad'), (2, 1, TIMESTAMP '2024-01-20 10:00', 'ad'), (3, 2, TIMESTAMP '2024-01-02 00:00', 'mail'),
    (4, 3, TIMESTAMP '2024-02-01 00:00', 'mail'), (5, NULL, TIMESTAMP '2024-01-03 00:00', 'ad'), (6, 3, NULL, 'ad')) v(id, who, moment, source)`,
  `CREATE TABLE orders AS SELECT * FROM (VALUES
    (1, 1, TIMESTAMP '2024-01-08 10:00', 'x', 10), (2, 1, TIMESTAMP '2024-01-08 11:00', 'y', 30), (3, 2, TIMESTAMP '2024-01-02 00:00', 'x', 6),
    (4, 3, TIMESTAMP '2024-02-05 00:00', 'x', 100), (5, 2, TIMESTAMP '2024-03-01 00:00', NULL, 8), (6, NULL, TIMESTAMP '2024-03-02 00:00', 'y', NULL)) v(id, who, moment, store, amount)`,
)
const ask = (dimensions: readonly string[], measures: readonly string[], rest: object = {}) =>
  rows(compileFor({ select: { dimensions, measures }, ...rest }, model).sql)
const by = { order_by: [{ field: 1 }, { field: 2 }] }

t.test('the average over stores of the sales of each store', async (t) => {
  t.same(await ask([], ['Store Average', 'Stores', 'Amount']), [[(116 + 30 + 8) / 3, '3', '154']])
  t.same(await ask(['City'], ['Store Average', 'Stores'], by), [
    ['Bonn', (16 + 30 + 8) / 3, '3'],
    ['Ulm', 100, '1'],
    [null, null, '0'],
  ])
})

t.test('an aggregate of an aggregate of an aggregate', async (t) => {
  t.same(await ask([], ['Best City Average']), [[100]])
})

t.test('the aggregate is per store also if the answer is grouped by store', async (t) => {
  t.same(await ask(['Store'], ['Store Average', 'Stores'], by), [
    ['x', 116, '1'],
    ['y', 30, '1'],
    [null, 8, '1'],
  ])
})

t.test('subtotals and ranks of averages per store are recomputed', async (t) => {
  t.same(await ask(['City'], ['Store Average', 'Rank'], { grouping: 'rollup', ...by }), [
    ['Bonn', 18, '2', false],
    ['Ulm', 100, '1', false],
    [null, (116 + 30 + 8) / 3, '1', true],
    [null, null, '3', false],
  ])
})

t.test('averages per store over time: the month before, and all months so far', async (t) => {
  t.same(await ask(['Ordered:month'], ['Store Average', 'Average Before', 'Average So Far', 'Stores So Far'], by), [
    ['2024-01-01', 23, null, 23, '2'],
    ['2024-02-01', 100, 23, (116 + 30) / 2, '2'],
    ['2024-03-01', 8, 100, (116 + 30 + 8) / 3, '3'],
  ])
})

t.test('a total counts once per group of the window, also if the groups are read from rows without a key', async (t) => {
  const regions = loadText(`
version: 1
dataObjects:
  Regions: { code: regions, columns: { Name: { code: name, abstractType: string }, Area: { code: area, abstractType: int } } }
  Shops:
    code: shops
    columns: { Opened: { code: opened, abstractType: date }, Region: { code: region, abstractType: string } }
    joins: [{ joinType: many-to-one, joinTo: Regions, columnsFrom: [Region], columnsTo: [Name] }]
dimensions:
  Region: { dataObject: Regions, column: Name }
  Opened: { dataObject: Shops, column: Opened }
measures:
  Whole Area: { aggregation: sum, columns: [{ dataObject: Regions, column: Area }], total: true }
metrics:
  Per Region: { type: aggregate, measure: Whole Area, aggregation: sum, per: [Region] }
  So Far: { type: cumulative, measure: Per Region, timeDimension: Opened }
`)
  const shops = await database(
    `CREATE TABLE regions AS SELECT * FROM (VALUES ('North', 3), ('South', 4), ('Sea', 10)) v(name, area)`,
    `CREATE TABLE shops AS SELECT * FROM (VALUES
      (DATE '2024-01-01', 'North'), (DATE '2024-01-02', 'North'), (DATE '2024-01-03', 'South'), (DATE '2024-01-03', 'South')) v(opened, region)`,
  )
  const { sql } = compileFor({ select: { dimensions: ['Opened:day'], measures: ['So Far'] }, order_by: [{ field: 1 }] }, regions)
  t.same(
    (await shops.rows(sql)).map((row) => row.at(-1)),
    ['17', '17', '34', null],
  )
})

t.test('a running average aggregates each month of the window, if the rows are grouped by month', async (t) => {
  t.same(await ask(['Ordered:month'], ['Monthly So Far'], { order_by: [{ field: 1 }] }), [
    ['2024-01-01', 46],
    ['2024-02-01', 73],
    ['2024-03-01', 154 / 3],
  ])
  t.same(
    await ask(['Store', 'Ordered:month'], ['Monthly So Far'], {
      where: [{ field: 'Store', op: 'eq', value: 'x' }],
      order_by: [{ field: 2 }],
    }),
    [
      ['x', '2024-01-01', 16],
      ['x', '2024-02-01', 58],
    ],
  )
})

t.test('an absent prior value is NULL for counts too, beside a measure that has a value', async (t) => {
  t.same(await ask(['Ordered:month'], ['Large and Stores Before'], { order_by: [{ field: 1 }] }), [
    ['2024-01-01', null],
    ['2024-02-01', null],
    ['2024-03-01', '11'],
  ])
})

t.test('a condition that a time is missing does not bound a running value', async (t) => {
  const where = [{ field: 'Ordered', op: 'is_null' }]
  t.same(await ask(['Ordered:month'], ['All Orders', 'Sold So Far'], { where, order_by: [{ field: 1 }] }), [
    ['2024-01-01', '3', '46'],
    ['2024-02-01', '1', '146'],
    ['2024-03-01', '2', '154'],
  ])
})

t.test('metrics over time can be inputs of other metrics', async (t) => {
  t.same(await ask(['Ordered:month'], ['Amount', 'Before', 'Two Before', 'So Far', 'So Far Before', 'Sum of Before'], by), [
    ['2024-01-01', '46', null, null, '46', null, null],
    ['2024-02-01', '100', '46', null, '146', '46', '46'],
    ['2024-03-01', '8', '100', '46', '154', '146', '146'],
  ])
})

t.test('a visit converts when an order of the same person follows within the window', async (t) => {
  // Visit 1: order 1 follows after exactly 7 days. Visit 2: too late. Visit 3: at the same instant as order 3. Visit 4: before order 4.
  t.same(await ask([], ['Converted', 'Rate', 'Visits Count']), [['2', 2 / 5, '6']])
  t.same(await ask(['Source'], ['Converted', 'Rate'], by), [
    ['ad', '1', 1 / 3],
    ['mail', '1', 1 / 2],
  ])
  t.same(await ask(['City'], ['Rate', 'Amount'], by), [
    ['Bonn', 1 / 3, '54'],
    ['Ulm', 1 / 2, '100'],
    [null, null, null],
  ])
})

t.test('filters of the query restrict base events, not conversions', async (t) => {
  const where = [{ field: 'Visited', op: 'lt', value: '2024-01-15' }]
  t.same(await ask([], ['Converted', 'Rate'], { where }), [['1', 1 / 2]])
})

t.test('conversion rates over time', async (t) => {
  t.same(await ask(['Visited:month'], ['Rate', 'Rate Before', 'Rate So Far'], by), [
    ['2024-01-01', 1 / 3, null, 1 / 3],
    ['2024-02-01', 1, 1 / 3, 2 / 4],
    [null, 0, null, null],
  ])
})

t.test('a running value of a metric over time must declare how values are combined', async (t) => {
  t.throws(
    () => loadText(`${MODEL}  Wrong: { type: cumulative, measure: Before, timeDimension: Ordered }\n`),
    /'Before' depends on other rows, so 'Wrong' must say how its values are folded/,
  )
})

t.test('events are rows that a measure counts', async (t) => {
  const wrong = MODEL.replace('Rate: { type: conversion, base: Visits Count', 'Rate: { type: conversion, base: Amount')
  t.throws(() => loadText(wrong), /'Amount' must count rows/)
})

t.test('a group that the base does not reach is refused', async (t) => {
  t.equal(refusalOf({ select: { dimensions: ['Source'], measures: ['Store Average'] } }, model).code, 'NO_JOIN_PATH')
})

t.test(
  'a filter that one measure ignores on purpose and that applies to no other is refused, also if the first one is nested',
  async (t) => {
    const ignoring = loadText(
      MODEL.replace(
        'metrics:',
        'metrics:\n  Sum So Far: { type: cumulative, measure: Ignoring, timeDimension: Ordered, cumulativeType: sum }',
      ).replace(
        'measures:',
        'measures:\n  Ignoring: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filterContext: { mode: RELATIVE, exclude: [Source] } }',
      ),
    )
    const query = {
      select: { dimensions: ['Ordered:month'], measures: ['Sum So Far', 'Orders Count'] },
      where: [{ field: 'Source', op: 'exists', subquery: { data_object: 'Visits', filter: [] } }],
    }
    t.equal(refusalOf(query, ignoring).code, 'FILTER_APPLIES_TO_NOTHING')
  },
)
