/** Elements of arrays of tuples, of arrays of values and of JSON arrays, as rows. */
import { parseModelSync } from '@grainline/core'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { withEngine } from '../suites.js'
import { openEngine } from './engine.js'

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
          Doc: { code: 'doc', abstractType: 'json', sqlType: 'json' },
          Items: { code: 'items', abstractType: 'json', sqlType: 'Array(Tuple(sku String, qty Int64))' },
          Tags: { code: 'tags', abstractType: 'json', sqlType: 'Array(String)' },
        },
      },
      'JSON Items': array('Doc', item),
      Items: array('Items', item),
      'Order Tags': array('Tags', { Tag: { code: '*', abstractType: 'string' }, Place: { code: '#', abstractType: 'int' } }),
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
      'Last Place': { aggregation: 'max', columns: [{ dataObject: 'Order Tags', column: 'Place' }] },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

await withEngine(t, openEngine, async ({ dialect, load, ask }) => {
  // The loader of the suites knows no arrays, and leaves a table that may exist as it is written.
  await load(`CREATE TABLE IF NOT EXISTS nested_orders (id Int64, freight Int64, doc Nullable(String), items Array(Tuple(sku String, qty Int64)),
      tags Array(String)) ENGINE = Memory;
    INSERT INTO nested_orders VALUES
      (1, 5, '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', [('b', 2), ('a', 1)], ['new', 'gift']),
      (2, 7, '[{"qty": 3}]', [('a', 8)], ['new']), (3, 9, '{}', [], []), (4, 11, NULL, [], ['old', 'old'])`)
  const rowsOf = async (dimension: string, measures: readonly string[]) => {
    const query = { select: { dimensions: [dimension], measures }, order_by: [{ field: 1 }] }
    const { sql, columns } = compileFor(dialect, query, model)
    return (await ask(sql, columns)).rows
  }
  t.test('arrays of tuples', async (t) =>
    t.same(await rowsOf('Sku', ['Quantity', 'Freight']), [
      ['a', '9', '12'],
      ['b', '2', '5'],
      [null, null, '20'],
    ]),
  )
  t.test('arrays of values and their places', async (t) =>
    t.same(await rowsOf('Tag', ['Freight', 'Last Place']), [
      ['gift', '5', '2'],
      ['new', '12', '1'],
      ['old', '11', '2'],
      [null, '9', null],
    ]),
  )
  t.test('arrays in JSON; an object is none', async (t) =>
    t.same(await rowsOf('JSON Sku', ['JSON Quantity', 'Freight']), [
      ['b', '2', '5'],
      ["it's", '1', '5'],
      [null, '3', '27'],
    ]),
  )
})
