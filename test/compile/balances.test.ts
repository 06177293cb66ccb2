/** Balances: values that can be summed over entities, but not over time (decision 46). The expected numbers are computed by hand. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const model = loadText(`
version: 1
dataObjects:
  Balances:
    code: balances
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Account: { code: account, abstractType: string }
      Day: { code: day, abstractType: date }
      Amount: { code: amount, abstractType: int, sqlType: integer }
    joins:
      - { joinType: many-to-one, joinTo: Accounts, columnsFrom: [Account], columnsTo: [Name] }
  Accounts:
    code: accounts
    columns:
      Name: { code: name, abstractType: string, primaryKey: true }
      Region: { code: region, abstractType: string }
dimensions:
  Account: { dataObject: Balances, column: Account }
  Region: { dataObject: Accounts, column: Region }
  Date: { dataObject: Balances, column: Day }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Balances, column: Amount }] }
  Last: { aggregation: sum, columns: [{ dataObject: Balances, column: Amount }], semiAdditive: { timeDimension: Date, take: last, per: [Account] } }
  First: { aggregation: sum, columns: [{ dataObject: Balances, column: Amount }], semiAdditive: { timeDimension: Date, take: first, per: [Account] } }
  Average: { aggregation: sum, columns: [{ dataObject: Balances, column: Amount }], semiAdditive: { timeDimension: Date, take: avg, per: [Account] } }
  Closing: { aggregation: sum, columns: [{ dataObject: Balances, column: Amount }], semiAdditive: { timeDimension: Date, take: last } }
  Rows: { aggregation: count, columns: [{ dataObject: Balances, column: ID }], semiAdditive: { timeDimension: Date, take: max, per: [Account] } }
  Last of A:
    aggregation: sum
    columns: [{ dataObject: Balances, column: Amount }]
    filters: [{ field: Balances.Account, op: equals, value: a }]
    semiAdditive: { timeDimension: Date, take: last }
  All: { aggregation: sum, columns: [{ dataObject: Balances, column: Amount }], total: true, semiAdditive: { timeDimension: Date, take: last, per: [Account] } }
metrics:
  Before: { type: period_over_period, measure: Last, periodOverPeriod: { timeDimension: Date, offset: -1, offsetGrain: month } }
  So Far: { type: cumulative, measure: Last, timeDimension: Date }
  Share: { expression: "{[Last]} / {[All]}" }
`)

const { rows } = await database(
  `CREATE TABLE balances AS SELECT * FROM (VALUES
    (1, 'a', DATE '2024-01-10', 10), (2, 'a', DATE '2024-01-31', 20), (3, 'a', DATE '2024-02-15', 5),
    (4, 'b', DATE '2024-01-31', 100),
    (5, 'c', DATE '2024-01-05', 7), (6, 'c', DATE '2024-02-10', NULL), (7, 'c', NULL, 1000)) v(id, account, day, amount)`,
  `CREATE TABLE accounts AS SELECT * FROM (VALUES ('a', 'N'), ('b', 'N'), ('c', 'S')) v(name, region)`,
)
const ask = (dimensions: readonly string[], measures: readonly string[], rest: object = {}) =>
  rows(compileFor({ select: { dimensions, measures }, ...rest }, model).sql)
const by = { order_by: [{ field: 1 }, { field: 2 }] }

t.test('a month has the sum of the last value of each account', async (t) => {
  t.same(await ask(['Date:month'], ['Last', 'First', 'Average', 'Closing'], by), [
    ['2024-01-01', '127', '117', 122, '120'],
    ['2024-02-01', '5', '5', 5, '5'],
  ])
})

t.test('without dimensions each account has the value at its own last time, and a row without a time is ignored', async (t) => {
  t.same(await ask([], ['Last', 'Closing', 'Amount', 'Rows']), [['105', '5', '1142', '3']])
})

t.test('groups of several accounts are summed', async (t) => {
  t.same(await ask(['Region'], ['Last', 'First'], by), [
    ['N', '105', '110'],
    ['S', null, '7'],
  ])
})

t.test('the filter of a measure applies before the last time is found', async (t) => {
  t.same(await ask(['Date:month'], ['Last of A', 'Closing'], by), [
    ['2024-01-01', '20', '120'],
    ['2024-02-01', '5', '5'],
  ])
  t.same(await ask([], ['Last of A', 'Closing'], { where: [{ field: 'Date', op: 'lt', value: '2024-02-01' }] }), [['20', '120']])
})

t.test('a measure at a coarser grain has the value of each account at its last time', async (t) => {
  t.same(await ask(['Region'], ['Last', 'All', 'Share'], by), [
    ['N', '105', '105', 1],
    ['S', null, '105', null],
  ])
})

t.test('prior periods and running values of balances are balances, too', async (t) => {
  t.same(await ask(['Date:month'], ['Last', 'Before', 'So Far'], by), [
    ['2024-01-01', '127', null, '127'],
    ['2024-02-01', '5', '127', '105'],
  ])
})

t.test('subtotals are balances, not sums of balances', async (t) => {
  t.same(await ask(['Date:month'], ['Last'], { grouping: 'rollup', ...by }), [
    ['2024-01-01', '127', false],
    ['2024-02-01', '5', false],
    [null, '105', true],
  ])
})
