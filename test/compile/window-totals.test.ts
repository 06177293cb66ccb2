/** Coarser values without a second scan, if a window over the rows of the answer gives exactly the same value. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const model = loadText(`
version: 1
dataObjects:
  Sales:
    code: sales
    columns:
      ID: { code: id, abstractType: int, primaryKey: true }
      Shop: { code: shop, abstractType: string }
      Kind: { code: kind, abstractType: string }
      N: { code: n, abstractType: int, sqlType: integer }
      Rate: { code: rate, abstractType: float }
dimensions:
  Shop: { dataObject: Sales, column: Shop }
  Kind: { dataObject: Sales, column: Kind }
measures:
  Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }] }
  Kinds: { aggregation: count_distinct, columns: [{ dataObject: Sales, column: Kind }] }
  All Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], total: true }
  Shop Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], grain: { mode: FIXED, include: [Shop] } }
  Shop Rows: { aggregation: count, columns: [{ dataObject: Sales, column: ID }], grain: { mode: FIXED, include: [Shop] } }
  Largest: { aggregation: max, columns: [{ dataObject: Sales, column: N }], total: true }
  All Kinds: { aggregation: count_distinct, columns: [{ dataObject: Sales, column: Kind }], total: true }
  All Rates: { aggregation: sum, columns: [{ dataObject: Sales, column: Rate }], total: true }
  Whatever Kind: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], total: true, filterContext: { mode: RELATIVE, exclude: [Kind] } }
  Tea Sold: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], filters: [{ field: Sales.Kind, op: equals, value: tea }] }
  All Tea: { aggregation: sum, columns: [{ dataObject: Sales, column: N }], total: true, filters: [{ field: Sales.Kind, op: equals, value: tea }] }
metrics:
  Share: { expression: "{[Sold]} / {[All Sold]}" }
`)
const { rows } = await database(
  `CREATE TABLE sales AS SELECT * FROM (VALUES (1, 'a', 'tea', 1, 0.5), (2, 'a', 'jam', 2, 1.5), (3, 'b', 'tea', 4, 2), (4, NULL, 'tea', 8, 4), (5, 'a', NULL, 16, 8)) v(id, shop, kind, n, rate)`,
)
const scans = (sql: string): number => sql.match(/(FROM|JOIN) "sales"/g)?.length ?? 0
const asked = (measures: readonly string[], rest: object = {}) =>
  compileFor({ select: { dimensions: ['Shop', 'Kind'], measures }, order_by: [{ field: 1 }, { field: 2 }], ...rest }, model).sql

t.test('sums, counts, minimums and maximums at a coarser grain are windows over one scan', async (t) => {
  const sql = asked(['Sold', 'All Sold', 'Shop Sold', 'Shop Rows', 'Largest', 'Share'])
  t.equal(scans(sql), 1)
  t.same(await rows(sql), [
    ['a', 'jam', '2', '31', '19', '3', '16', 2 / 31],
    ['a', 'tea', '1', '31', '19', '3', '16', 1 / 31],
    ['a', null, '16', '31', '19', '3', '16', 16 / 31],
    ['b', 'tea', '4', '31', '4', '1', '16', 4 / 31],
    [null, 'tea', '8', '31', '8', '1', '16', 8 / 31],
  ])
})

t.test('having and limit apply after the windows', async (t) => {
  const sql = asked(['Sold', 'All Sold'], { having: [{ field: 'Sold', op: 'gt', value: 3 }], limit: 1 })
  t.equal(scans(sql), 1)
  t.same(await rows(sql), [['a', null, '16', '31']])
})

t.test(
  'a measure that does not fold exactly, or reads other rows, gets its own scan, unless its values are groups',
  async (t) => {
    for (const [measure, value, read] of [
      ['All Kinds', '2', 1],
      ['All Rates', 16, 2],
    ] as const) {
      const sql = asked(['Sold', measure])
      t.equal(scans(sql), read, measure)
      t.same((await rows(sql))[0]?.[3], value)
    }
    const where = [{ field: 'Kind', op: '=', value: 'tea' }]
    const sql = asked(['Sold', 'All Sold', 'Whatever Kind'], { where })
    t.equal(scans(sql), 2)
    t.same(await rows(sql), [
      ['a', 'tea', '1', '13', '31'],
      ['b', 'tea', '4', '13', '31'],
      [null, 'tea', '8', '13', '31'],
    ])
  },
)

t.test('a measure with a filter alone gives too few groups to compute the totals of others', async (t) => {
  t.same(await rows(asked(['Tea Sold', 'All Sold'])), [
    ['a', 'tea', '1', '31'],
    ['b', 'tea', '4', '31'],
    [null, 'tea', '8', '31'],
  ])
  const sql = asked(['Sold', 'All Tea'])
  t.equal(scans(sql), 1)
  t.same(
    (await rows(sql)).map((row) => row[3]),
    ['13', '13', '13', '13', '13'],
  )
})
