/** Static filters of the two sides of a many-to-many join, of which one side has no key. */
import t from 'tap'
import { compileFor, loadText } from '../support/compile.js'
import { database } from './database.js'

const number = (code: string) => ({ code, abstractType: 'int' })
const key = { ...number('id'), primaryKey: true }
const to = (joinTo: string, from: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [from], columnsTo: ['Id'] })

/** Codes lead to a region by themselves, and to another one by their customers. The filter of regions applies to both. */
const model = loadText(
  JSON.stringify({
    version: 1,
    dataObjects: {
      Regions: { code: 'regions', columns: { Id: key } },
      Customers: { code: 'customers', columns: { Id: key, Region: number('region_id') }, joins: [to('Regions', 'Region')] },
      Codes: {
        code: 'codes',
        columns: { Value: number('value'), Mark: number('mark'), Customer: number('customer_id'), Region: number('region_id') },
        joins: [to('Customers', 'Customer'), to('Regions', 'Region')],
      },
      Items: {
        code: 'items',
        columns: { Id: key, Size: number('size'), Tag: number('tag'), Region: number('region_id') },
        joins: [
          to('Regions', 'Region'),
          { joinType: 'many-to-many', joinTo: 'Codes', columnsFrom: ['Tag'], columnsTo: ['Mark'] },
        ],
      },
    },
    dimensions: { Size: { dataObject: 'Items', column: 'Size' }, Mark: { dataObject: 'Codes', column: 'Mark' } },
    measures: {
      'Values of the mark': {
        aggregation: 'sum',
        columns: [{ dataObject: 'Codes', column: 'Value' }],
        grain: { mode: 'FIXED', include: ['Mark'] },
      },
    },
    filters: [{ dataObject: 'Regions', column: 'Id', operator: '!=', value: 7 }],
  }),
)

const TABLES = `
CREATE TABLE regions (id INT);
INSERT INTO regions VALUES (1), (7);
CREATE TABLE customers (id INT, region_id INT);
INSERT INTO customers VALUES (1, 1), (2, 7);
CREATE TABLE codes (value INT, mark INT, customer_id INT, region_id INT);
INSERT INTO codes VALUES (10, 1, 1, 1), (10, 1, 1, 1), (20, 1, 2, 1), (30, 2, 2, 1), (40, 3, 1, 7);
CREATE TABLE items (id INT, size INT, tag INT, region_id INT);
INSERT INTO items VALUES (1, 100, 1, 1), (2, 200, 1, 7), (3, 300, 2, 1), (4, 400, 3, 1)`

t.test('a code of another region by its customer has no items, and neither code needs a key', async (t) => {
  const { rows } = await database(TABLES)
  const { sql } = compileFor({ select: { dimensions: ['Mark', 'Size'], measures: ['Values of the mark'] } }, model)
  t.same(
    new Set(await rows(sql)),
    new Set([
      ['1', '100', '40'],
      ['1', null, '40'],
      ['2', null, '30'],
    ]),
    sql,
  )
})
