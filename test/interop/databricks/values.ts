/** Values that Spark would change, truncate or not find. */
import { parseModelSync } from '@grainline/core/unstable'
import { compileFor } from '../../corpus/corpus.js'
import { type OpenEngine, type SuiteTest, withEngine } from '../suites.js'

const decimal = (precision: number, scale: number) => ({ abstractType: 'float', sqlType: `decimal(${precision},${scale})` })
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Rates: {
        code: 'rates',
        columns: {
          Name: { code: 'name', abstractType: 'string', primaryKey: true },
          A: { code: 'a', ...decimal(20, 10) },
          B: { code: 'b', ...decimal(20, 10) },
          Count: { code: 'n', abstractType: 'int' },
          Product: { expression: '{A} * {B}' },
          Counted: { expression: '{A} * {Count}' },
          Doubled: { expression: '2 * {A} * {B}' },
        },
      },
    },
    dimensions: { Name: { dataObject: 'Rates', column: 'Name' } },
    measures: {
      'Sum A': { aggregation: 'sum', columns: [{ dataObject: 'Rates', column: 'A' }] },
      'Sum B': { aggregation: 'sum', columns: [{ dataObject: 'Rates', column: 'B' }] },
      Products: { aggregation: 'sum', columns: [{ dataObject: 'Rates', column: 'Product' }] },
      Larger: { aggregation: 'sum', expression: '{[Rates].[A]} * {[Rates].[B]} + {[Rates].[A]}' },
    },
    metrics: {
      Both: { type: 'derived', expression: '{[Sum A]} + {[Sum B]}' },
      'Of Sums': { type: 'derived', expression: '{[Sum A]} * {[Sum B]}' },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

export const valuesOn = (t: SuiteTest, open: OpenEngine): Promise<void> =>
  withEngine(t, open, async ({ dialect, load, ask }) => {
    const variable = `\${env:PATH}`
    await load(`CREATE TABLE rates (name VARCHAR, a DECIMAL(20,10), b DECIMAL(20,10), n BIGINT);
    INSERT INTO rates VALUES ('${variable}', 1.0000000001, 3.0000000001, 3), ('large', 1234567.0000000001, 2, 1)`)
    const rowsOf = async (query: object) => {
      const { sql, columns } = compileFor(dialect, query, model)
      return (await ask(sql, columns)).rows
    }

    t.test('arithmetic of decimals keeps every planned digit', async (t) => {
      const fields = ['Product', 'Counted', 'Doubled'].map((name) => `Rates.${name}`)
      t.same(await rowsOf({ select: { fields }, order_by: [{ field: 'Rates.Product' }] }), [
        ['3.00000000040000000001', '3.0000000003', '6.00000000080000000002'],
        ['2469134.0000000002', '1234567.0000000001', '4938268.0000000004'],
      ])
      const measures = ['Products', 'Larger', 'Both', 'Of Sums']
      t.same(await rowsOf({ select: { measures } }), [
        ['2469137.00000000060000000001', '3703705.00000000080000000001', '1234573.0000000003', '6172840.00012345780000000002'],
      ])
    })

    t.test('groups can be ordered by a measure that is not selected', async (t) => {
      const select = { dimensions: ['Name'] }
      for (const [direction, first] of [
        ['asc', variable],
        ['desc', 'large'],
      ] as const)
        t.same((await rowsOf({ select, order_by: [{ field: 'Products', direction }], limit: 1 }))[0], [first])
    })

    t.test('a text that looks like a session variable is an ordinary text', async (t) => {
      const select = { dimensions: ['Name'] }
      t.same(await rowsOf({ select, where: [{ field: 'Name', op: '=', value: variable }] }), [[variable]])
      t.same(await rowsOf({ select, where: [{ field: 'Name', op: 'contains', value: variable }] }), [[variable]])
      t.same(await rowsOf({ select, where: [{ field: 'Name', op: 'like', value: '$\\{env%' }] }), [[variable]])
    })

    t.test('a factor that leaves no room for decimal places fails', async (t) => {
      await load(
        'CREATE TABLE rates (name VARCHAR, a DECIMAL(20,10), b DECIMAL(20,10), n BIGINT); INSERT INTO rates VALUES (NULL, 1e9, 1, 1)',
      )
      await t.rejects(rowsOf({ select: { fields: ['Rates.Product'] } }), { message: /NUMERIC_VALUE_OUT_OF_RANGE/ })
    })
  })
