/** What a dimension with `via` means at objects on all sides of it (decision 140). */
import { DuckDBInstance } from '@duckdb/node-api'
import t from 'tap'
import { ask } from '../support/answers.js'
import { compileFor, loadText } from '../support/compile.js'

const MODEL = `
dataObjects:
  Suppliers:
    code: suppliers
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Supplier: { code: supplier, abstractType: string } }
  Products:
    code: products
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Name: { code: name, abstractType: string }, Supplier: { code: supplier_id, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: Suppliers, columnsFrom: [Supplier], columnsTo: [Id] }]
  Purchases:
    code: purchases
    columns:
      Id: { code: id, abstractType: int, primaryKey: true }
      Product: { code: product_id, abstractType: int }
      Supplier: { code: supplier_id, abstractType: int }
    joins:
      - { joinType: many-to-one, joinTo: Products, columnsFrom: [Product], columnsTo: [Id] }
      - { joinType: many-to-one, joinTo: Suppliers, columnsFrom: [Supplier], columnsTo: [Id] }
dimensions:
  Supplier: { dataObject: Suppliers, column: Supplier }
  Purchased Product: { dataObject: Products, column: Name, via: Purchases }
  Purchase Supplier: { dataObject: Suppliers, column: Supplier, via: Purchases }
`
const DATA = `
CREATE TABLE suppliers AS SELECT * FROM (VALUES (1, 'S1'), (2, 'S2'), (3, 'S3')) v(id, supplier);
CREATE TABLE products AS SELECT * FROM (VALUES (1, 'Tea', 1), (2, 'Jam', 1)) v(id, name, supplier_id);
CREATE TABLE purchases AS SELECT * FROM (VALUES (1, 1, 2), (2, 1, 3)) v(id, product_id, supplier_id);
`
const model = loadText(MODEL)
const connection = await (await DuckDBInstance.create(':memory:')).connect()
await connection.run(DATA)
t.teardown(() => connection.closeSync())

const rowsOf = async (...names: readonly string[]) => {
  const [dimensions, measures] = [names.filter((n) => !n.endsWith('Count')), names.filter((n) => n.endsWith('Count'))]
  const { rows } = await ask(connection, compileFor({ select: { dimensions, measures } }, model).sql)
  return rows.map((row) => row.map(String).join(' ')).sort()
}

t.test('an object behind the via of a dimension is no bridge to it', async (t) => {
  t.same(await rowsOf('Purchased Product', 'Suppliers Count'), ['Tea 2', 'null 1'])
})

t.test('rows of the via, and of what lies behind it on the way, have one value', async (t) => {
  t.same(await rowsOf('Purchased Product', 'Purchases Count'), ['Tea 2'])
  t.same(await rowsOf('Purchased Product', 'Products Count'), ['Jam 1', 'Tea 1'])
})

t.test('an object that reaches the target on another way is connected by rows of the via', async (t) => {
  t.same(await rowsOf('Purchase Supplier', 'Products Count'), ['S2 1', 'S3 1', 'null 1'])
})

t.test('which values of several roles occur together is known where all ways have been passed', async (t) => {
  t.same(await rowsOf('Purchased Product'), ['Jam', 'Tea'])
  t.same(await rowsOf('Supplier', 'Purchased Product'), ['S2 Tea', 'S3 Tea'])
  t.same(await rowsOf('Purchased Product', 'Purchase Supplier'), ['Tea S2', 'Tea S3'])
})
