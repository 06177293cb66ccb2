/** Combinations that never occur: conditions on the own object of each dimension restrict its values. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const key = { code: 'id', abstractType: 'int', primaryKey: true }
const named = { code: 'name', abstractType: 'string' }
const joined = (...to: string[]) => ({
  columns: {
    Id: key,
    ...Object.fromEntries(to.map((object) => [`${object} Id`, { code: `${object.toLowerCase()}_id`, abstractType: 'int' }])),
  },
  joins: to.map((joinTo) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [`${joinTo} Id`], columnsTo: ['Id'] })),
})
const { model } = parseModelSync({
  json: {
    dataObjects: {
      Shops: { code: 'shops', columns: { Id: key, Name: named } },
      Buyers: { code: 'buyers', columns: { Id: key, Name: named } },
      Sales: { code: 'sales', ...joined('Shops', 'Buyers') },
      Visits: { code: 'visits', ...joined('Shops', 'Buyers'), countable: false },
    },
    dimensions: {
      Shop: { dataObject: 'Shops', column: 'Name' },
      Buyer: { dataObject: 'Buyers', column: 'Name' },
      Sale: { dataObject: 'Sales', column: 'Id' },
    },
  },
})
const { rows } = await database(
  "CREATE TABLE shops AS SELECT * FROM (VALUES (1, 'North'), (2, 'South')) s(id, name)",
  "CREATE TABLE buyers AS SELECT * FROM (VALUES (1, 'Ana'), (2, 'Bob')) b(id, name)",
  'CREATE TABLE sales AS SELECT * FROM (VALUES (7, 1, 1), (8, 1, 2)) s(id, shops_id, buyers_id)',
  'CREATE TABLE visits AS SELECT * FROM (VALUES (1, 1, 1)) v(id, shops_id, buyers_id)',
)

t.test('a filter on a dimension that joins several objects restricts only the objects that reach it', async (t) => {
  const query = {
    select: { dimensions: ['Shop', 'Sale'] },
    dimensions_exclude: true,
    where: [{ field: 'Buyer', op: 'eq', value: 'Ana' }],
    order_by: [{ field: 1 }, { field: 2 }],
  }
  // Sales and visits both join buyers with shops. Only the sale is restricted by its buyer, so Ana's shops are not known.
  t.same(await rows(compileFor(query, model!).sql), [['South', '7']])
})
