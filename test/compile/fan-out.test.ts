/** `allowFanOut`: a row counts once per connection, as with plain SQL joins. The expected numbers are computed by hand. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const MODEL = `
version: 1
dataObjects:
  People: { code: people, columns: { ID: { code: id, abstractType: int, primaryKey: true }, Credit: { code: credit, abstractType: int } } }
  Orders:
    code: orders
    columns: { Who: { code: who, abstractType: int }, Status: { code: status, abstractType: string } }
    joins: [{ joinType: many-to-one, joinTo: People, columnsFrom: [Who], columnsTo: [ID] }]
  Visits:
    code: visits
    columns: { Who: { code: who, abstractType: int }, Source: { code: source, abstractType: string } }
    joins: [{ joinType: many-to-one, joinTo: People, columnsFrom: [Who], columnsTo: [ID] }]
dimensions:
  Status: { dataObject: Orders, column: Status }
  Source: { dataObject: Visits, column: Source }
measures:
  Credit: { aggregation: sum, columns: [{ dataObject: People, column: Credit }] }
  Fanned: { aggregation: sum, columns: [{ dataObject: People, column: Credit }], allowFanOut: true }
`
const model = loadText(MODEL)
const { rows } = await database(
  'CREATE TABLE people AS SELECT * FROM (VALUES (1, 10), (2, 100)) v(id, credit)',
  `CREATE TABLE orders AS SELECT * FROM (VALUES (1, 'paid'), (1, 'paid'), (1, 'open'), (2, 'paid')) v(who, status)`,
  `CREATE TABLE visits AS SELECT * FROM (VALUES (1, 'ad'), (1, 'ad')) v(who, source)`,
)
const ask = (dimensions: readonly string[], rest: object = {}) =>
  rows(
    compileFor(
      { select: { dimensions, measures: ['Credit', 'Fanned'] }, order_by: dimensions.map((_, i) => ({ field: i + 1 })), ...rest },
      model,
    ).sql,
  )

t.test('a row contributes once per row of the bridge, and once if the bridge has no row for it', async (t) => {
  t.same(await ask(['Status']), [
    ['open', '10', '10'],
    ['paid', '110', '120'],
  ])
  t.same(await ask(['Source']), [
    ['ad', '10', '20'],
    [null, '100', '100'],
  ])
})

t.test('unrelated bridges are combined row by row, also if the columns read from them have equal values', async (t) => {
  t.same(await ask(['Status', 'Source']), [
    ['open', 'ad', '10', '20'],
    ['paid', 'ad', '10', '40'],
    ['paid', null, '100', '100'],
  ])
  t.same(await ask(['Status'], { where: [{ field: 'Source', op: 'eq', value: 'ad' }] }), [
    ['open', '10', '20'],
    ['paid', '10', '40'],
  ])
})
