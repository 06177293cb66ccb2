/**
 * Distinct counts at a coarser grain are counted over the groups of the answer if these contain all values, with the same result as over
 * the rows.
 */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { randomFrom } from '../oracle/generate/random.js'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const int = (code: string, more: object = {}) => ({ code, abstractType: 'int', ...more })
const text = (code: string) => ({ code, abstractType: 'string' })
const to = (joinTo: string, column: string) => ({ joinType: 'many-to-one', joinTo, columnsFrom: [column], columnsTo: ['Id'] })
const key = { Id: int('id', { primaryKey: true }) }
const sales = (column: string) => ({ dataObject: 'Sales', column })
const counted = (columns: readonly object[], include: readonly string[], more: object = {}) => ({
  aggregation: 'count_distinct',
  columns,
  anchor: 'Sales',
  grain: { mode: 'FIXED', include },
  ...more,
})
const priced = { filters: [{ column: sales('Price'), operator: 'set' }] }

const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Shops: { code: 'shops', columns: { ...key, Town: text('town') } },
      Items: { code: 'items', columns: { ...key, Name: text('name') } },
      Sales: {
        code: 'sales',
        columns: { ...key, Shop: int('shop'), Item: int('item'), Month: int('month'), Price: int('price') },
        joins: [to('Shops', 'Shop'), to('Items', 'Item')],
      },
    },
    dimensions: {
      Town: { dataObject: 'Shops', column: 'Town' },
      Item: { dataObject: 'Items', column: 'Id' },
      Name: { dataObject: 'Items', column: 'Name' },
      Month: sales('Month'),
    },
    measures: {
      Prices: { aggregation: 'sum', columns: [sales('Price')] },
      Items: counted([{ dataObject: 'Items', column: 'Id' }], ['Town']),
      'Priced Items': counted([{ dataObject: 'Items', column: 'Id' }], ['Town'], priced),
      'Priced Pairs': counted([{ dataObject: 'Items', column: 'Id' }, sales('Month')], ['Town'], priced),
      Months: counted([sales('Month')], []),
      'Sold Items': counted([sales('Item')], ['Town']),
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const dimensions = ['Town', 'Item', 'Name', 'Month']
const asked = (measure: string) =>
  compileFor({ select: { dimensions, measures: ['Prices', measure] }, where: [{ field: 'Month', op: '<>', value: 3 }] }, model)
    .sql

/** What each measure counts over the rows `r` of a town, or over all rows. */
const TRUTHS: readonly (readonly [measure: string, count: string, of: string])[] = [
  ['Items', 'count(DISTINCT r.item_id)', 'r.town IS NOT DISTINCT FROM g.town'],
  ['Priced Items', 'count(DISTINCT r.item_id) FILTER (r.price IS NOT NULL)', 'r.town IS NOT DISTINCT FROM g.town'],
  [
    'Priced Pairs',
    'count(DISTINCT (r.item_id, r.month)) FILTER (r.price IS NOT NULL AND r.item_id IS NOT NULL AND r.month IS NOT NULL)',
    'r.town IS NOT DISTINCT FROM g.town',
  ],
  ['Months', 'count(DISTINCT r.month)', 'true'],
  ['Sold Items', 'count(DISTINCT r.item)', 'r.town IS NOT DISTINCT FROM g.town'],
]

const truth = (count: string, of: string): string => `WITH rows AS (
  SELECT s.*, i.id AS item_id, i.name, p.town FROM sales s LEFT JOIN items i ON s.item = i.id LEFT JOIN shops p ON s.shop = p.id WHERE s.month <> 3
), g AS (SELECT town, item_id, name, month, sum(price) AS prices FROM rows GROUP BY ALL)
SELECT g.*, (SELECT ${count} FROM rows r WHERE ${of}) FROM g`

const seed = Number(process.env['SEED'] ?? 7)
const { rows } = await database(...tables(seed))

for (const [measure, count, of] of TRUTHS)
  t.test(`${measure} (SEED=${seed})`, async (t) => {
    const sorted = (all: readonly unknown[]): readonly string[] => all.map((row) => JSON.stringify(row)).toSorted()
    t.same(sorted(await rows(asked(measure))), sorted(await rows(truth(count, of))))
    t.equal(asked(measure).match(/FROM "sales"/g)?.length, measure === 'Sold Items' ? 2 : 1)
  })

/** Rows without an item, with a missing item, without a shop, a month or a price; names and towns that several have. */
function tables(seed: number): readonly string[] {
  const random = randomFrom(seed)
  const some = (values: number): string => (random.chance(0.15) ? 'NULL' : String(random.between(1, values)))
  const inserted = Array.from(
    { length: 300 },
    (_, id) => `(${id}, ${some(6)}, ${some(9)}, ${some(5)}, ${random.chance(0.6) ? 'NULL' : some(4)})`,
  )
  return [
    'CREATE TABLE shops (id BIGINT, town VARCHAR)',
    'CREATE TABLE items (id BIGINT, name VARCHAR)',
    'CREATE TABLE sales (id BIGINT, shop BIGINT, item BIGINT, month BIGINT, price BIGINT)',
    `INSERT INTO shops VALUES (1, 'a'), (2, 'a'), (3, 'b'), (4, NULL), (5, 'c')`,
    `INSERT INTO items VALUES (1, 'x'), (2, 'x'), (3, 'y'), (4, NULL), (5, 'z'), (6, 'z'), (7, 'u')`,
    `INSERT INTO sales VALUES ${inserted.join(', ')}`,
  ]
}
