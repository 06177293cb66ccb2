/** A count of keys counts rows where every row is there once. */
import t from 'tap'
import { compileFor, loadText } from '../../../test/support/compile.js'

const model = loadText(`
version: 1
name: shop
dataObjects:
  Orders:
    code: orders
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Status: { code: status, abstractType: string }
  Lines:
    code: lines
    columns:
      Order Id: { code: order_id, abstractType: int, primaryKey: true }
      Number: { code: number, abstractType: int, primaryKey: true }
      Product: { code: product, abstractType: string }
    joins: [{ joinType: many-to-one, joinTo: Orders, columnsFrom: [Order Id], columnsTo: [Id] }]
dimensions:
  Status: { dataObject: Orders, column: Status }
  Product: { dataObject: Lines, column: Product }
measures:
  Order Ids: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }] }
  Same Ids: { aggregation: count, distinct: true, columns: [{ dataObject: Orders, column: Id }] }
  Paid Ids: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }], filters: [{ field: Orders.Status, op: eq, value: paid }] }
  States: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Status }] }
  Numbers: { aggregation: count_distinct, columns: [{ dataObject: Lines, column: Number }] }
  Orders of Lines: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }], anchor: Lines }
  Fanned Ids: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }], allowFanOut: true }
`)

const sqlOf = (measures: readonly string[], dimensions: readonly string[] = []): string =>
  compileFor({ select: { dimensions, measures } }, model).sql

for (const measure of ['Order Ids', 'Same Ids'])
  t.test(`${measure}: the key of each row`, async (t) => t.match(sqlOf([measure], ['Status']), 'COUNT(*)'))

t.test('the keys of some rows', async (t) =>
  t.match(sqlOf(['Order Ids', 'Paid Ids'], []), `COUNT(CASE WHEN "orders"."status" = 'paid' THEN 1 END)`),
)

const DISTINCT: readonly (readonly [title: string, measure: string, ...dimensions: readonly string[]])[] = [
  ['a column that is no key', 'States'],
  ['a part of a key', 'Numbers'],
  ['the key of an object that rows are joined to', 'Orders of Lines'],
  ['a key of rows that are there for each of their lines', 'Fanned Ids', 'Product'],
]

for (const [title, measure, ...dimensions] of DISTINCT)
  t.test(`${title} is counted once`, async (t) => t.match(sqlOf([measure], dimensions), 'COUNT(DISTINCT'))
