/** A table that is only tested for existence becomes a semi-join; if other parts of the query read it, it remains a join. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const int = (code: string, more: object = {}) => ({ code, abstractType: 'int', ...more })
const count = (name: string, more: object = {}) => ({
  aggregation: 'count',
  columns: [{ dataObject: name, column: 'Id' }],
  ...more,
})

const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Shops: {
        code: 'shops',
        columns: { Id: int('id', { primaryKey: true }), Town: { code: 'town', abstractType: 'string' }, Region: int('region') },
      },
      Sales: {
        code: 'sales',
        columns: { Id: int('id', { primaryKey: true }), Shop: int('shop'), Amount: int('amount') },
        joins: [{ joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['Shop'], columnsTo: ['Id'] }],
      },
      Visits: {
        code: 'visits',
        columns: { Id: int('id', { primaryKey: true }), Shop: int('shop'), Region: int('region') },
        joins: [{ joinType: 'many-to-one', joinTo: 'Shops', columnsFrom: ['Shop', 'Region'], columnsTo: ['Id', 'Region'] }],
      },
    },
    dimensions: { Town: { dataObject: 'Shops', column: 'Town' } },
    measures: { Shops: count('Shops'), Sold: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'Amount' }] } },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const { rows } = await database(
  'CREATE TABLE shops (id BIGINT, town VARCHAR, region BIGINT)',
  'CREATE TABLE sales (id BIGINT, shop BIGINT, amount BIGINT)',
  'CREATE TABLE visits (id BIGINT, shop BIGINT, region BIGINT)',
  `INSERT INTO shops VALUES (1, 'a', 1), (2, 'a', 1), (3, 'b', NULL), (NULL, 'b', 1), (4, NULL, 2)`,
  'INSERT INTO sales VALUES (1, 1, 5), (2, 1, 6), (3, NULL, 7), (4, 4, 8), (5, 9, 1)',
  'INSERT INTO visits VALUES (1, 1, 1), (2, 1, 1), (3, 2, 2), (4, 3, NULL), (5, NULL, 1)',
)
const exists = (target: string, op = 'exists', more: object = {}) => ({
  field: 'Shops',
  op,
  subquery: { dataObject: target, ...more },
})
const asked = (where: readonly unknown[]) => {
  const query = { select: { dimensions: ['Town'], measures: ['Shops'] }, where, order_by: [{ field: 'Town' }] }
  return compileFor(query, model).sql
}
/** A count of a key counts rows, also rows whose key is missing. */
const truth = (where: string): string => `SELECT town, count(*) FROM shops s WHERE ${where} GROUP BY 1 ORDER BY 1 NULLS LAST`

t.test('a join of one column becomes IN over the values of a subquery', async (t) => {
  const sql = asked([exists('Sales')])
  t.match(sql, /WHERE "shops"\."id" IN \(\s+SELECT "sales"\."shop"\s+FROM "sales"\s+\)/)
  t.notMatch(sql, /DISTINCT|hit/)
  t.same(await rows(sql), await rows(truth('EXISTS (SELECT 1 FROM sales x WHERE x.shop = s.id)')))
})

t.test('so does each of several, beside other conditions', async (t) => {
  const amount = { filter: [{ field: 'Amount', op: 'gt', value: 5 }] }
  const sql = asked([exists('Sales'), { field: 'Town', op: 'is_not_null' }, exists('Sales', 'exists', amount)])
  t.equal(sql.match(/ IN \(\n/g)?.length, 2)
  t.same(
    await rows(sql),
    await rows(truth('town IS NOT NULL AND EXISTS (SELECT 1 FROM sales x WHERE x.shop = s.id AND x.amount > 5)')),
  )
})

t.test('a join of two columns becomes EXISTS with a comparison of both', async (t) => {
  const sql = asked([exists('Visits')])
  t.match(sql, /\sEXISTS \(\s+SELECT 1/)
  t.notMatch(sql, /DISTINCT/)
  t.same(await rows(sql), await rows(truth('EXISTS (SELECT 1 FROM visits x WHERE x.shop = s.id AND x.region = s.region)')))
})

t.test('a condition that no row exists is an anti join', async (t) => {
  const without = asked([exists('Sales', 'nonexists')])
  t.match(without, /\nANTI JOIN "sales" ON "shops"."id" = "sales"."shop"\n/)
  t.same(await rows(without), await rows(truth('NOT EXISTS (SELECT 1 FROM sales x WHERE x.shop = s.id)')))
})

t.test('a condition in an OR stays a join', async (t) => {
  const either = asked([{ logic: 'or', filters: [exists('Sales'), { field: 'Town', op: 'equals', value: 'b' }] }])
  t.match(either, /LEFT JOIN/)
  t.same(await rows(either), await rows(truth(`EXISTS (SELECT 1 FROM sales x WHERE x.shop = s.id) OR town = 'b'`)))
})
