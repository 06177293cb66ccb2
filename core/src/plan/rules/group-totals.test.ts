/** Coarser values that add up are aggregated over the groups of the answer, if the engine computes these once and hashes joins. */
import t from 'tap'
import { postgres } from '../../../../plugins/dialect-postgres/src/index.js'
import { compileFor, loadText } from '../../../../test/support/compile.js'

const MODEL = loadText(`
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Day: { code: day, abstractType: date }
      City: { code: city, abstractType: string }
      State: { code: state, abstractType: string }
      Price: { code: price, abstractType: float, sqlType: 'DECIMAL(9, 2)' }
dimensions:
  City: { dataObject: Orders, column: City }
  State: { dataObject: Orders, column: State }
  Day: { dataObject: Orders, column: Day }
measures:
  Price: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }] }
  Orders: { aggregation: count, columns: [{ dataObject: Orders, column: Id }] }
  Price of City: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }], grain: { mode: FIXED, keepOnly: [City] } }
  Orders of City: { aggregation: count, columns: [{ dataObject: Orders, column: Id }], grain: { mode: FIXED, keepOnly: [City] } }
  Days of City: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Day }], grain: { mode: FIXED, keepOnly: [City] } }
  Price of State: { aggregation: max, columns: [{ dataObject: Orders, column: Price }], grain: { mode: FIXED, keepOnly: [State] } }
  All Prices: { aggregation: sum, columns: [{ dataObject: Orders, column: Price }], total: true }
`)

const ROWS: readonly (readonly [title: string, measures: readonly string[], coarser: readonly string[], windows: number])[] = [
  ['totals with the same keys are one aggregation', ['Price of City', 'Orders of City'], ['City'], 0],
  ['and a count of different values by these keys is in it', ['Price of City', 'Days of City'], ['City'], 0],
  ['each set of keys is an aggregation', ['Price of State', 'Price of City', 'Days of City'], ['City', 'State'], 0],
  ['a total of all groups is a window', ['All Prices'], [], 1],
  ['beside aggregated totals, too', ['Price of City', 'All Prices'], ['City'], 1],
]

for (const [title, measures, coarser, windows] of ROWS)
  t.test(title, (t) => {
    const query = { select: { dimensions: ['City', 'State', 'Day'], measures: ['Price', 'Orders', ...measures] } }
    const { sql } = compileFor(query, MODEL)
    const keys = [
      ...sql.matchAll(
        /SELECT\s+"groups"\."(\w+)"(?: AS "\w+")?,\s+[A-Z(]+DISTINCT|SELECT\s+"groups"\."(\w+)"(?: AS "\w+")?,\s+(?:CAST|SUM|MAX)/g,
      ),
    ]
    t.strictSame(
      keys.map((found) => found[1] ?? found[2]),
      coarser,
    )
    t.equal(sql.split(' OVER (').length - 1, windows)
    t.equal(sql.split('FROM "orders"').length, 2, 'the rows are read once')
    t.match(compileFor(query, MODEL, postgres).sql, ' OVER (', 'another engine has windows')
    t.end()
  })
