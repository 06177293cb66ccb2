/** Elements of JSON arrays, of arrays of values and of arrays of a composite type, on a real server. */
import { builtInAggregates, builtInFunctions, compile, parseModelSync, parseQuery } from '@grainline/core'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { openPostgres } from './open.js'

const array = (column: string, columns: object) => ({ code: '-', nestedIn: { dataObject: 'Orders', column }, columns })
const item = { Sku: { code: 'sku', abstractType: 'string' }, Quantity: { code: 'qty', abstractType: 'int' } }
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Orders: {
        code: 'nested_orders',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Freight: { code: 'freight', abstractType: 'int' },
          Doc: { code: 'doc', abstractType: 'json' },
          Items: { code: 'items', abstractType: 'json', sqlType: 'nested_item[]' },
          Tags: { code: 'tags', abstractType: 'json', sqlType: 'text[]' },
        },
      },
      'JSON Items': array('Doc', item),
      Items: array('Items', item),
      'Order Tags': array('Tags', { Tag: { code: '*', abstractType: 'string' } }),
    },
    dimensions: Object.fromEntries(
      [
        ['JSON Sku', 'JSON Items', 'Sku'],
        ['Sku', 'Items', 'Sku'],
        ['Tag', 'Order Tags', 'Tag'],
      ].map(([name, dataObject, column]) => [name, { dataObject, column }]),
    ),
    measures: {
      Freight: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Freight' }] },
      Quantity: { aggregation: 'sum', columns: [{ dataObject: 'Items', column: 'Quantity' }] },
      'JSON Quantity': { aggregation: 'sum', columns: [{ dataObject: 'JSON Items', column: 'Quantity' }] },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const opened = await openPostgres()
if (typeof opened === 'string') t.pass(opened)
else {
  const { client, close } = opened
  t.teardown(close)
  await client.query(`
    CREATE TYPE nested_item AS (sku TEXT, qty BIGINT);
    CREATE TABLE nested_orders (id BIGINT, freight BIGINT, doc JSONB, items nested_item[], tags TEXT[]);
    INSERT INTO nested_orders VALUES
      (1, 5, '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', ARRAY[('b', 2)::nested_item, ('a', 1)::nested_item], ARRAY['new', 'gift']),
      (2, 7, '[{"qty": 3}]', ARRAY[('a', 8)::nested_item], ARRAY['new']), (3, 9, '{}', '{}', NULL), (4, 11, NULL, NULL, ARRAY['old', 'old'])`)
  const ask = async (dimension: string, measures: readonly string[]) => {
    const query = parseQuery({ select: { dimensions: [dimension], measures }, order_by: [{ field: 1 }] })
    const { sql } = compile(query, model, {
      dialect: postgres,
      functions: builtInFunctions,
      aggregates: builtInAggregates,
      now: new Date(0),
    })
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return rows.map((row) => row.map((cell) => (cell === null ? null : String(cell))))
  }
  t.test('arrays of a composite type', async (t) =>
    t.same(await ask('Sku', ['Quantity', 'Freight']), [
      ['a', '9', '12'],
      ['b', '2', '5'],
      [null, null, '20'],
    ]),
  )
  t.test('arrays of values', async (t) =>
    t.same(await ask('Tag', ['Freight', 'Order Tags Count']), [
      ['gift', '5', '1'],
      ['new', '12', '2'],
      ['old', '11', '2'],
      [null, '9', '0'],
    ]),
  )
  t.test('arrays in JSON; an object is none', async (t) =>
    t.same(await ask('JSON Sku', ['JSON Quantity', 'Freight']), [
      ['b', '2', '5'],
      ["it's", '1', '5'],
      [null, '3', '27'],
    ]),
  )
}
