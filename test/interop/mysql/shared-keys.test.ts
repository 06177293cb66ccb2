/** MySQL groups a common table as if it were sorted, where another place of the statement looks rows up by the same column. */
import { parseModelSync } from '@grainline/core/unstable'
import { mysql } from '@grainline/dialect-mysql'
import t from 'tap'
import { compileFor } from '../../corpus/corpus.js'
import { withEngine } from '../suites.js'
import { openEngine } from './engine.js'

const int = (code: string) => ({ code, abstractType: 'int' })
const key = { ...int('id'), primaryKey: true }
const to = (joinTo: string, column: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [column], columnsTo: ['Id'] })
const { model } = parseModelSync({
  json: {
    dataObjects: {
      Regions: { code: 'regions', columns: { Id: key } },
      Customers: { code: 'customers', columns: { Id: key, Region: int('region_id') }, joins: [to('Regions', 'Region')] },
      Codes: {
        code: 'codes',
        columns: { Id: key, Customer: int('customer_id'), Above: int('above') },
        joins: [to('Customers', 'Customer')],
      },
      Tree: { closure: { dataObject: 'Codes', key: 'Id', parent: 'Above' }, joins: [to('Codes', 'Descendant')] },
    },
    dimensions: { Level: { dataObject: 'Tree', column: 'Level' } },
  },
})

t.test('the levels of a tree that two facts read', (t) =>
  withEngine(
    t,
    () => openEngine('mysql', mysql),
    async ({ dialect, load, ask }) => {
      await load(`CREATE TABLE regions (id INTEGER); INSERT INTO regions VALUES (1), (3);
        CREATE TABLE customers (id INTEGER, region_id INTEGER); INSERT INTO customers VALUES (1, NULL), (7, 1), (8, 3);
        CREATE TABLE codes (id INTEGER, customer_id INTEGER, above INTEGER); INSERT INTO codes VALUES (2, 7, 1), (3, 1, 2), (4, 8, 3);`)
      const query = {
        select: { dimensions: ['Level'], measures: ['Customers Count', 'Regions Count'] },
        order_by: [{ field: 'Level' }],
      }
      const { sql, columns } = compileFor(dialect, query, model!)
      // Code 3 is below 2, and 4 below 3: all customers are at the first level or below it.
      t.strictSame((await ask(sql, columns)).rows, [['1', '3', '2'], ['2', '2', '1'], ['3', '1', '1']], sql) // biome-ignore format: rows
    },
  ),
)
