/** Elements of an array column as rows of a separate object. */
import { defineDialect } from '@grainline/core/dialect'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { erDiagram } from '../../core/src/discovery/er-diagram.js'
import { joinGraphView } from '../../core/src/discovery/join-graph-view.js'
import { compileFor, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const items = (column: string, more: object = {}) => ({
  code: 'items_flat',
  nestedIn: { dataObject: 'Orders', column },
  columns: {
    Sku: { code: 'sku', abstractType: 'string' },
    Quantity: { code: 'qty', abstractType: 'int' },
    Place: { code: '#', abstractType: 'int' },
    Worth: { expression: '{Quantity} * 10', abstractType: 'int' },
    ...more,
  },
})
const document = {
  dataObjects: {
    Orders: {
      code: 'orders',
      columns: {
        Id: { code: 'id', abstractType: 'int', primaryKey: true },
        'Customer Id': { code: 'customer', abstractType: 'int' },
        Freight: { code: 'freight', abstractType: 'int' },
        Items: { code: 'items', abstractType: 'json' },
        'Items as JSON': { code: 'doc', abstractType: 'json', sqlType: 'json' },
        Tags: { code: 'tags', abstractType: 'json' },
      },
      joins: [{ joinType: 'many-to-one', joinTo: 'Customers', columnsFrom: ['Customer Id'], columnsTo: ['Id'] }],
    },
    Customers: {
      code: 'customers',
      columns: { Id: { code: 'id', abstractType: 'int', primaryKey: true }, Name: { code: 'name', abstractType: 'string' } },
    },
    Items: items('Items'),
    'JSON Items': items('Items as JSON', { Extra: { code: 'more', abstractType: 'json' } }),
    'Order Tags': {
      code: '-',
      nestedIn: { dataObject: 'Orders', column: 'Tags' },
      columns: { Tag: { code: '*', abstractType: 'string' } },
    },
  },
  dimensions: {
    Sku: { dataObject: 'Items', column: 'Sku' },
    Place: { dataObject: 'Items', column: 'Place' },
    'JSON Sku': { dataObject: 'JSON Items', column: 'Sku' },
    Tag: { dataObject: 'Order Tags', column: 'Tag' },
    Customer: { dataObject: 'Customers', column: 'Name' },
    Order: { dataObject: 'Orders', column: 'Id' },
  },
  measures: {
    Quantity: { aggregation: 'sum', columns: [{ dataObject: 'Items', column: 'Quantity' }] },
    Worth: { aggregation: 'sum', columns: [{ dataObject: 'JSON Items', column: 'Worth' }] },
    Freight: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Freight' }] },
    'First Sku': { aggregation: 'first', columns: [{ dataObject: 'Items', column: 'Sku' }] },
  },
}
const { model, errors } = parseModelSync({ json: document })
if (!model) throw new Error(JSON.stringify(errors))

const { rows } = await database(
  'CREATE TABLE customers (id BIGINT, name VARCHAR)',
  "INSERT INTO customers VALUES (1, 'Ana'), (2, 'Bob')",
  'CREATE TABLE orders (id BIGINT, customer BIGINT, freight BIGINT, items STRUCT(sku VARCHAR, qty BIGINT)[], doc JSON, tags VARCHAR[])',
  `INSERT INTO orders VALUES
    (1, 1, 5, [{sku: 'b', qty: 2}, {sku: 'a', qty: 1}, {sku: 'b', qty: 4}], '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', ['new', 'gift']),
    (2, 2, 7, [{sku: 'a', qty: 8}, NULL], '[{"qty": 3}]', ['new']), (3, 2, 9, [], '[]', NULL), (4, NULL, 11, NULL, NULL, ['old', 'old'])`,
)
const by = (dimensions: readonly string[], measures: readonly string[], more: object = {}) =>
  rows(
    compileFor({ select: { dimensions, measures }, order_by: dimensions.map((_, i) => ({ field: i + 1 })), ...more }, model).sql,
  )

t.test('elements are rows: they are counted, summed, and grouped by fields that their row reaches', async (t) => {
  t.same(await by(['Sku'], ['Quantity', 'Items Count']), [
    ['a', '9', '2'],
    ['b', '6', '2'],
    [null, null, '1'],
  ])
  t.same(await by(['Customer', 'Place'], ['Quantity']), [
    ['Ana', '1', '2'],
    ['Ana', '2', '1'],
    ['Ana', '3', '4'],
    ['Bob', '1', '8'],
    ['Bob', '2', null],
  ])
})

t.test('the row that contains the elements counts once per group of its elements', async (t) => {
  t.same(await by(['Sku'], ['Freight', 'Orders Count']), [
    ['a', '12', '2'],
    ['b', '5', '1'],
    [null, '27', '3'],
  ])
  t.same(await by(['Tag'], ['Freight']), [
    ['gift', '5'],
    ['new', '12'],
    ['old', '11'],
    [null, '9'],
  ])
  t.same(await by([], ['Freight', 'Quantity', 'Worth', 'Order Tags Count']), [['32', '15', '60', '5']])
})

t.test('exists filters, the key of an element, and JSON arrays', async (t) => {
  const sold = (op: string) => [
    { field: 'Order', op, subquery: { dataObject: 'Items', filter: [{ field: 'Sku', op: 'eq', value: 'b' }] } },
  ]
  t.same(await by([], ['Freight'], { where: sold('exists') }), [['5']])
  t.same(await by([], ['Freight'], { where: sold('nonexists') }), [['27']])
  t.same(await by(['Customer'], ['First Sku']), [
    ['Ana', 'b'],
    ['Bob', 'a'],
  ])
  t.same(await by(['JSON Sku'], ['Worth']), [
    ['b', '20'],
    ["it's", '10'],
    [null, '30'],
  ])
  const raw = { select: { fields: ['Order Tags.Tag', 'Order Tags.Position', 'Orders.Id'] }, limit: 9 }
  t.same(await rows(compileFor(raw, model).sql), [
    ['new', '1', '1'],
    ['gift', '2', '1'],
    ['new', '1', '2'],
    ['old', '1', '4'],
    ['old', '2', '4'],
  ])
})

t.test('an array within an array is unnested like the outer one', async (t) => {
  const deep = {
    ...document.dataObjects,
    Items: items('Items', { Marks: { code: 'marks', abstractType: 'json' } }),
    'JSON Items': items('Items as JSON', { Marks: { code: 'marks', abstractType: 'json' } }),
    Marks: {
      code: '-',
      nestedIn: { dataObject: 'Items', column: 'Marks' },
      columns: { Mark: { code: '*', abstractType: 'string' } },
    },
    'JSON Marks': {
      code: '-',
      nestedIn: { dataObject: 'JSON Items', column: 'Marks' },
      columns: { 'JSON Mark': { code: 'of', abstractType: 'string' }, Place: { code: '#', abstractType: 'int' } },
    },
  }
  const dimensions = {
    ...document.dimensions,
    Mark: { dataObject: 'Marks', column: 'Mark' },
    'JSON Mark': { dataObject: 'JSON Marks', column: 'JSON Mark' },
  }
  const loaded = parseModelSync({ json: { ...document, dataObjects: deep, dimensions } })
  t.same(loaded.errors, [])
  t.same(loaded.model?.dataObjects.get('Marks')?.key, ['Items Orders Id', 'Items Place', 'Position'])
  const { rows } = await database(
    'CREATE TABLE customers (id BIGINT, name VARCHAR)',
    'CREATE TABLE orders (id BIGINT, customer BIGINT, freight BIGINT, items STRUCT(sku VARCHAR, qty BIGINT, marks VARCHAR[])[], doc JSON, tags VARCHAR[])',
    `INSERT INTO orders VALUES
      (1, 1, 5, [{sku: 'b', qty: 2, marks: ['x', 'y']}, {sku: 'a', qty: 1, marks: ['x']}], '[{"qty": 2, "marks": [{"of": "x"}, {"of": "y"}]}]', NULL),
      (2, 1, 7, [{sku: 'a', qty: 8, marks: []}, NULL, {sku: 'c', qty: 3, marks: NULL}], '[{"qty": 4}]', NULL), (3, 1, 9, NULL, NULL, NULL)`,
  )
  const by = (dimension: string, measures: readonly string[]) =>
    rows(compileFor({ select: { dimensions: [dimension], measures }, order_by: [{ field: 1 }] }, loaded.model!).sql)
  t.same(await by('Mark', ['Marks Count', 'Quantity', 'Freight']), [
    ['x', '2', '3', '5'],
    ['y', '1', '2', '5'],
    [null, '0', '11', '16'],
  ])
  t.same(await by('JSON Mark', ['JSON Marks Count', 'Worth', 'Freight']), [
    ['x', '1', '20', '5'],
    ['y', '1', '20', '5'],
    [null, '0', '40', '16'],
  ])
  t.same(await by('Sku', ['Marks Count']), [
    ['a', '1'],
    ['b', '2'],
  ])
})

t.test('an engine that cannot unnest refuses the query by name; others have their own syntax', (t) => {
  const plain = defineDialect(duckdb, { name: 'plain', elements: null })
  const query = { select: { dimensions: ['Sku'], measures: ['Quantity'] } }
  t.match(refusalOf(query, model, plain), { code: 'UNSUPPORTED_SQL_FEATURE', message: /on plain/ })
  t.match(compileFor(query, model, postgres).sql, /JSONB_ARRAY_ELEMENTS.*WITH ORDINALITY/)

  const elements: typeof duckdb.elements = (request) => (request.sqlType === 'json' ? null : duckdb.elements!(request))
  const lists = defineDialect(duckdb, { name: 'lists', elements })
  const ofJson = { select: { fields: ['JSON Items.Sku'] } }
  t.match(refusalOf(ofJson, model, lists), {
    code: 'UNSUPPORTED_SQL_FEATURE',
    message: /of an array of type 'json' .* on lists$/,
  })
  t.equal(compileFor(query, model, lists).sql, compileFor(query, model, duckdb).sql)
  t.end()
})

t.test('an invalid nested object is refused when the model loads', (t) => {
  const refused = (change: object) => parseModelSync({ json: { dataObjects: { ...document.dataObjects, ...change } } }).errors
  const { Orders } = document.dataObjects
  const keyless = { ...Orders, columns: { ...Orders.columns, Id: { code: 'id', abstractType: 'int' } } }
  t.match(refused({ Orders: keyless })[0], { code: 'INVALID_SETTING', path: 'dataObjects.Items.nestedIn', message: /primaryKey/ })
  const twice = { code: '-', nestedIn: { dataObject: 'Items', column: 'Sku' }, columns: {} }
  const round = { Deep: twice, Items: { ...document.dataObjects.Items, nestedIn: { dataObject: 'Deep', column: 'Sku' } } }
  const around = { ...twice, columns: { Sku: { code: 'sku', abstractType: 'json' } } }
  t.match(refused({ ...round, Deep: around })[0], { code: 'INVALID_SETTING', message: /nested in itself/ })
  t.match(refused({ Deep: { ...twice, nestedIn: { dataObject: 'Orders', column: 'Itmes' } } }), [{ code: 'UNKNOWN_COLUMN' }])
  t.end()
})

t.test('the join graph leads from the elements to the object that contains them', async (t) => {
  const { model } = parseModelSync({ text: JSON.stringify(document) })
  const implied = joinGraphView(model!).edges.filter(({ nested_in }) => nested_in !== undefined)
  t.same(
    implied.map(({ from_object, to_object, cardinality, nested_in }) => [from_object, to_object, cardinality, nested_in]),
    [
      ['Items', 'Orders', 'many-to-one', 'Items'],
      ['JSON Items', 'Orders', 'many-to-one', 'Items as JSON'],
      ['Order Tags', 'Orders', 'many-to-one', 'Tags'],
    ],
  )
  t.match(erDiagram(model!, { showColumns: false, theme: 'default' }), /e5 \}o--o\| e1 : "in Tags"/)
})

t.test('elements that are a bridge group the facts of their holder, on DuckDB as by hand', async (t) => {
  const { model } = parseModelSync({
    text: `dataObjects:
  People:
    code: people
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Tags: { code: tags, abstractType: json } }
  Sales:
    code: sales
    columns: { Id: { code: id, abstractType: int, primaryKey: true }, Person: { code: person, abstractType: int }, Amount: { code: amount, abstractType: int } }
    joins: [{ joinType: many-to-one, joinTo: People, columnsFrom: [Person], columnsTo: [Id] }]
  Person Tags:
    nestedIn: { dataObject: People, column: Tags }
    bridge: true
    columns: { Tag: { code: '*', abstractType: string } }
dimensions:
  Tag: { dataObject: Person Tags, column: Tag }
measures:
  Amount: { aggregation: sum, columns: [{ dataObject: Sales, column: Amount }] }
`,
  })
  const { rows } = await database(
    "CREATE TABLE people AS SELECT * FROM (VALUES (1, ['x', 'y', 'x']), (2, []::VARCHAR[]), (3, ['y'])) v(id, tags)",
    'CREATE TABLE sales AS SELECT * FROM (VALUES (1, 1, 10), (2, 1, 20), (3, 2, 5), (4, 3, 7), (5, NULL, 100)) v(id, person, amount)',
  )
  const tags = 'LEFT JOIN people p ON p.id = person LEFT JOIN (SELECT id, UNNEST(tags) AS tag FROM people) e ON e.id = p.id'
  const grouped = compileFor(
    { select: { dimensions: ['Tag'], measures: ['Amount', 'Sales Count'] }, order_by: [{ field: 'Tag' }] },
    model!,
  )
  t.same(
    await rows(grouped.sql),
    await rows(
      `SELECT tag, SUM(amount), COUNT(*) FROM (SELECT DISTINCT s.id, tag, amount FROM sales s ${tags}) x GROUP BY 1 ORDER BY 1 NULLS LAST`,
    ),
  )
  t.match(grouped.warnings, [{ code: 'OVERLAPPING_GROUPS' }])
  const filtered = compileFor({ select: { measures: ['Amount'] }, where: [{ field: 'Tag', op: '=', value: 'y' }] }, model!)
  t.same(filtered.warnings, [])
  t.same(
    await rows(filtered.sql),
    await rows("SELECT SUM(amount) FROM sales WHERE person IN (SELECT id FROM people WHERE list_contains(tags, 'y'))"),
  )
})
