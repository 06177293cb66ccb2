/** Every row of an answer meets the conditions on what it shows, also for measures that ignore them (decision 141). */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { ask } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'

const model = loadText(`
dataObjects:
  Plans:
    code: plans
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Tier: { code: tier, abstractType: string }
      Kind: { code: kind, abstractType: string }
      Price: { code: price, abstractType: int }
dimensions:
  Tier: { dataObject: Plans, column: Tier }
  Kind: { dataObject: Plans, column: Kind }
measures:
  Price: { aggregation: sum, columns: [{ dataObject: Plans, column: Price }] }
  Of All: { aggregation: sum, columns: [{ dataObject: Plans, column: Price }], filterContext: { mode: RELATIVE, exclude: [Tier] } }
  Total: { aggregation: sum, columns: [{ dataObject: Plans, column: Price }], filterContext: { mode: FIXED }, total: true }
metrics:
  Share: { type: derived, expression: '{[Price]} / {[Of All]}' }
  Dearest: { type: aggregate, measure: Of All, aggregation: max, per: [Tier] }
`)
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(`CREATE TABLE plans AS SELECT * FROM
  (VALUES (1, 'pro', 'a', 1), (2, 'free', 'a', 2), (3, 'enterprise', 'b', 4), (4, NULL, 'b', 8)) v(id, tier, kind, price)`)
t.teardown(() => connection.closeSync())

const where = [{ field: 'Tier', op: 'in', value: ['pro', 'free'] }]
const rowsOf = async (select: object, more: object = {}) => {
  const { rows } = await ask(connection, compileFor({ select, where, ...more }, model).sql)
  return rows.map((row) => row.map(String).join(' ')).sort()
}

t.test('a measure that ignores a condition brings no row that the condition excludes', async (t) => {
  t.same(await rowsOf({ dimensions: ['Tier'], measures: ['Share'] }), ['free 1', 'pro 1'])
  t.same(await rowsOf({ dimensions: ['Tier'], measures: ['Of All'] }), ['free 2', 'pro 1'])
  t.same(await rowsOf({ dimensions: ['Tier'], measures: ['Total'] }), ['free 15', 'pro 15'])
})

t.test('its value is as before where the row does not show the field of the condition', async (t) => {
  t.same(await rowsOf({ measures: ['Of All'] }), ['15'])
  t.same(await rowsOf({ dimensions: ['Kind'], measures: ['Of All'] }), ['a 3', 'b 12'])
  t.same(await rowsOf({ dimensions: ['Kind'], measures: ['Dearest'] }), ['a 2', 'b 8'])
  t.same(await rowsOf({ dimensions: ['Tier'], measures: ['Of All'] }, { grouping: 'rollup' }), [
    'free 2 false',
    'null 15 true',
    'pro 1 false',
  ])
})
