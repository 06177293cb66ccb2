/** Elements of arrays as rows on any engine: objects in JSON, records if an engine has them, and values; other JSON values have no rows. */
import { parseModelSync } from '@grainline/core/unstable'
import { compileFor } from '../corpus/corpus.js'
import { type OpenEngine, type SuiteTest, withEngine } from './suites.js'
import type { Deviations } from './witness.js'

export interface NestedTables {
  /** Statements that create the table `nested_orders` and its rows. */
  readonly load: string
  /** The types of its columns in the model. */
  readonly doc: string
  readonly tags: string
  /** The type of the column `items`, an array of records; absent if an engine has none. */
  readonly items?: string
}

const IN_JSON: NestedTables = {
  load: `CREATE TABLE nested_orders (id BIGINT, freight BIGINT, doc JSON, tags JSON);
    INSERT INTO nested_orders VALUES (1, 5, '[{"sku": "b", "qty": 2}, {"sku": "it''s", "qty": 1}]', '["new", "gift"]'),
      (2, 7, '[{"qty": 3}]', '["new"]'), (3, 9, '{}', NULL), (4, 11, NULL, '["old", "old"]')`,
  doc: 'JSON',
  tags: 'JSON',
}

const json = (sqlType: string, code: string) => ({ code, abstractType: 'json', sqlType })
const array = (column: string, columns: object) => ({ code: '-', nestedIn: { dataObject: 'Orders', column }, columns })
const measure = (aggregation: string, dataObject: string, column: string) => ({ aggregation, columns: [{ dataObject, column }] })
const ITEM = { Sku: { code: 'sku', abstractType: 'string' }, Quantity: { code: 'qty', abstractType: 'int' } }

function modelOf({ doc, tags, items }: NestedTables) {
  const { model, errors } = parseModelSync({
    json: {
      dataObjects: {
        Orders: {
          code: 'nested_orders',
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            Freight: { code: 'freight', abstractType: 'int' },
            Doc: json(doc, 'doc'),
            Tags: json(tags, 'tags'),
            ...(items !== undefined && { Items: json(items, 'items') }),
          },
        },
        'JSON Items': array('Doc', ITEM),
        'Order Tags': array('Tags', { Tag: { code: '*', abstractType: 'string' }, Place: { code: '#', abstractType: 'int' } }),
        ...(items !== undefined && { Items: array('Items', ITEM) }),
      },
      dimensions: {
        'JSON Sku': { dataObject: 'JSON Items', column: 'Sku' },
        Tag: { dataObject: 'Order Tags', column: 'Tag' },
        ...(items !== undefined && { Sku: { dataObject: 'Items', column: 'Sku' } }),
      },
      measures: {
        Freight: measure('sum', 'Orders', 'Freight'),
        'JSON Quantity': measure('sum', 'JSON Items', 'Quantity'),
        'Last Place': measure('max', 'Order Tags', 'Place'),
        ...(items !== undefined && { Quantity: measure('sum', 'Items', 'Quantity') }),
      },
    },
  })
  if (!model) throw new Error(JSON.stringify(errors))
  return model
}

export const nestedOn = (
  t: SuiteTest,
  open: OpenEngine,
  deviations: Deviations = {},
  tables: NestedTables = IN_JSON,
): Promise<void> =>
  withEngine(t, open, async ({ dialect, load, ask }) => {
    await load(tables.load)
    const model = modelOf(tables)
    const test = (
      name: string,
      dimension: string,
      measures: readonly string[],
      wanted: readonly (readonly (string | null)[])[],
    ) =>
      t.test(name, { skip: deviations[name] ?? false }, async (t) => {
        const query = { select: { dimensions: [dimension], measures }, order_by: [{ field: 1 }] }
        const { sql, columns } = compileFor(dialect, query, model)
        t.same((await ask(sql, columns)).rows, wanted)
      })

    test(
      'fields of objects',
      'JSON Sku',
      ['JSON Quantity', 'Freight'],
      [
        ['b', '2', '5'],
        ["it's", '1', '5'],
        [null, '3', '27'],
      ],
    )
    test(
      'values and their positions',
      'Tag',
      ['Freight', 'Last Place'],
      [
        ['gift', '5', '2'],
        ['new', '12', '1'],
        ['old', '11', '2'],
        [null, '9', null],
      ],
    )
    if (tables.items !== undefined)
      test(
        'fields of records',
        'Sku',
        ['Quantity', 'Freight'],
        [
          ['a', '9', '12'],
          ['b', '2', '5'],
          [null, null, '20'],
        ],
      )
  })
