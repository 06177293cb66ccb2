/** Elements of JSON arrays as rows on any engine; whatever is no array has none. */
import { parseModelSync } from '@grainline/core'
import type t from 'tap'
import { compileFor } from '../corpus/corpus.js'
import { type Deviations, type OpenEngine, withEngine } from './suites.js'

const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Orders: {
        code: 'nested_orders',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Freight: { code: 'freight', abstractType: 'int' },
          Doc: { code: 'doc', abstractType: 'json', sqlType: 'JSON' },
          Tags: { code: 'tags', abstractType: 'json', sqlType: 'JSON' },
        },
      },
      Items: {
        code: '-',
        nestedIn: { dataObject: 'Orders', column: 'Doc' },
        columns: { Sku: { code: 'sku', abstractType: 'string' }, Quantity: { code: 'qty', abstractType: 'int' } },
      },
      'Order Tags': {
        code: '-',
        nestedIn: { dataObject: 'Orders', column: 'Tags' },
        columns: { Tag: { code: '*', abstractType: 'string' }, Place: { code: '#', abstractType: 'int' } },
      },
    },
    dimensions: { Sku: { dataObject: 'Items', column: 'Sku' }, Tag: { dataObject: 'Order Tags', column: 'Tag' } },
    measures: {
      Freight: { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Freight' }] },
      Quantity: { aggregation: 'sum', columns: [{ dataObject: 'Items', column: 'Quantity' }] },
      'Last Place': { aggregation: 'max', columns: [{ dataObject: 'Order Tags', column: 'Place' }] },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const TABLES = `CREATE TABLE nested_orders (id BIGINT, freight BIGINT, doc JSON, tags JSON);
  INSERT INTO nested_orders VALUES (1, 5, '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', '["new", "gift"]'),
    (2, 7, '[{"qty": 3}]', '["new"]'), (3, 9, '{}', NULL), (4, 11, NULL, '["old", "old"]')`

export const nestedOn = (t: Test, open: OpenEngine, deviations: Deviations = {}): Promise<void> =>
  withEngine(t, open, async ({ dialect, load, ask }) => {
    await load(TABLES)

    const rowsOf = async (dimension: string, measures: readonly string[]) => {
      const { sql, columns } = compileFor(
        dialect,
        { select: { dimensions: [dimension], measures }, order_by: [{ field: 1 }] },
        model,
      )
      return (await ask(sql, columns)).rows
    }

    t.test('fields of objects', { skip: deviations['fields of objects'] ?? false }, async (t) =>
      t.same(await rowsOf('Sku', ['Quantity', 'Freight']), [
        ['b', '2', '5'],
        ["it's", '1', '5'],
        [null, '3', '27'],
      ]),
    )
    t.test('values and their places', async (t) =>
      t.same(await rowsOf('Tag', ['Freight', 'Last Place']), [
        ['gift', '5', '2'],
        ['new', '12', '1'],
        ['old', '11', '2'],
        [null, '9', null],
      ]),
    )
  })

type Test = typeof t
