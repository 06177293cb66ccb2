/** The top values of a dimension, and all others as one group (decision 67). */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compile } from '../../core/src/compile.js'
import { builtInAggregates } from '../../core/src/model/functions/aggregates.js'
import { builtInFunctions } from '../../core/src/model/functions/catalogue.js'
import { parseQuery } from '../../core/src/query/parse-query.js'
import type { CellView } from '../../core/src/resolve/resolved-query.js'
import { cellQuery } from '../../core/src/service/cell-query.js'
import { duckdb } from '../../plugins/dialect-duckdb/src/index.js'
import { compileFor, NOW, refusalOf } from '../support/compile.js'
import { database } from './database.js'

const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          On: { code: 'sold_on', abstractType: 'date' },
          Shop: { code: 'shop', abstractType: 'string' },
          Floor: { code: 'floor', abstractType: 'int' },
          Buyer: { code: 'buyer', abstractType: 'string' },
          N: { code: 'n', abstractType: 'int' },
        },
      },
      'Top Values': { code: 'top_values', columns: { N: { code: 'n', abstractType: 'int' } } },
    },
    dimensions: {
      Date: { dataObject: 'Sales', column: 'On' },
      Shop: { dataObject: 'Sales', column: 'Shop' },
      Floor: { dataObject: 'Sales', column: 'Floor' },
    },
    measures: {
      Sold: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'N' }] },
      Buyers: { aggregation: 'count_distinct', columns: [{ dataObject: 'Sales', column: 'Buyer' }] },
      'All Sold': { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'N' }], total: true },
      'Sold Elsewhere': { aggregation: 'sum', columns: [{ dataObject: 'Top Values', column: 'N' }] },
    },
    metrics: {
      'Per Buyer': { expression: '{[Sold]} / {[Buyers]}' },
      'Mean Shop': { type: 'aggregate', measure: 'Sold', aggregation: 'avg', per: ['Shop'] },
      Place: { type: 'window', windowFunction: 'rank', measure: 'Sold' },
      Before: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date' } },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))
const { rows } = await database(
  'CREATE TABLE sales (id BIGINT, sold_on DATE, shop VARCHAR, floor BIGINT, buyer VARCHAR, n BIGINT)',
  `INSERT INTO sales VALUES (1, DATE '2025-01-10', 'a', 1, 'x', 10), (2, DATE '2025-01-11', 'Others', 1, 'y', 9), (3, DATE '2025-02-28', 'b', 2, 'x', 4),
    (4, NULL, 'c', NULL, 'x', 3), (5, DATE '2025-02-01', NULL, 3, 'z', 50), (6, DATE '2025-02-01', 'd', 3, NULL, NULL)`,
)
const top = { dimension: 'Shop', by: 'Sold', n: 2, others: 'Others' }
const query = (dimensions: readonly string[], measures: readonly string[], more: object = {}) => ({
  select: { dimensions, measures },
  top,
  order_by: dimensions.map((field) => ({ field })),
  ...more,
})
const ask = (...[dimensions, measures, more]: Parameters<typeof query>) =>
  rows(compileFor(query(dimensions, measures, more), model).sql)

t.test('the rest is one group of its rows, distinct from a value of the same name, and is last', async (t) => {
  t.same(await ask(['Shop'], ['Sold', 'Buyers', 'Per Buyer', 'All Sold', 'Mean Shop', 'Place']), [
    ['Others', '9', '1', 9, '76', 9, '3', false],
    ['a', '10', '1', 10, '76', 10, '2', false],
    ['Others', '57', '2', 28.5, '76', 19, '1', true],
  ])
  const { columns } = compileFor(query(['Shop'], ['Sold']), model)
  t.match(columns, [{ name: 'Shop' }, { name: 'Sold' }, { name: 'Shop is others', role: 'grouping', type: { kind: 'boolean' } }])
})

t.test('without an order, values are listed by rank, in either direction, with the rest last', async (t) => {
  const by = (more: object) => ask(['Shop'], ['Buyers'], { order_by: [], top: { ...top, n: 2, ...more } })
  const ranked = async (order: 'asc' | 'desc') =>
    await rows(
      `SELECT shop FROM (SELECT shop, sum(n) AS s FROM sales GROUP BY 1) WHERE shop IS NOT NULL AND s IS NOT NULL ORDER BY s ${order}, shop LIMIT 2`,
    )
  for (const order of ['asc', 'desc'] as const) {
    const shops = (answer: readonly (readonly unknown[])[]) => answer.map(([shop]) => [shop])
    const { others: _, ...alone } = top
    t.same(shops(await by({ order })).slice(0, 2), await ranked(order))
    t.equal((await by({ order })).at(-1)!.at(-1), true)
    t.same(shops(await ask(['Shop'], ['Buyers'], { order_by: [], top: { ...alone, n: 2, order } })), await ranked(order))
  }
})

t.test('without a name for the rest, the rest is left out of rows and totals', async (t) => {
  const { others: _, ...alone } = top
  t.same(await ask(['Shop'], ['Sold', 'All Sold', 'Place'], { top: alone, grouping: 'rollup' }), [
    ['Others', '9', '76', '2', false],
    ['a', '10', '76', '1', false],
    [null, '76', '76', '1', true],
  ])
})

t.test('a number remains a number, and a missing number belongs to the rest', async (t) => {
  const floors = { top: { ...top, dimension: 'Floor', n: 1, order: 'asc' } }
  t.same(await ask(['Floor'], ['Sold'], floors), [
    ['2', '4', false],
    [null, '72', true],
  ])
})

t.test('ties are decided by the value of the dimension, and NULL takes no place', async (t) => {
  t.same(await ask(['Shop'], ['Sold'], { top: { ...top, by: 'Buyers', n: 1 } }), [
    ['Others', '9', false],
    ['Others', '67', true],
  ])
  t.same(await ask(['Shop'], [], { top: { ...top, n: 9 } }), [
    ['Others', false],
    ['a', false],
    ['b', false],
    ['c', false],
    ['Others', true],
  ])
})

t.test('the answer can be ordered by the column that marks the rest, and having can select the rest', async (t) => {
  const order_by = [{ field: 'Shop is others', direction: 'desc' }, { field: 'Sold' }]
  const [first] = await ask(['Shop'], ['Sold'], { order_by })
  t.same(first, ['Others', '57', true])
  t.same(await ask(['Shop'], ['Sold'], { having: [{ field: 'Shop', op: 'is_null' }] }), [['Others', '57', true]])
  t.same(await ask(['Shop'], ['Sold'], { having: [{ field: 'Shop', op: '=', value: 'Others' }] }), [['Others', '9', false]])
})

t.test('the rows behind a cell of the rest', async (t) => {
  const behind: CellView = { cell: { Shop: null }, shows: 'rows' }
  const context = {
    dialect: duckdb,
    functions: builtInFunctions,
    aggregates: builtInAggregates,
    now: NOW,
    behind,
    storedTypes: 'declared',
  } as const
  const asked = cellQuery(parseQuery(query(['Shop'], ['Sold'])), { ...behind, measures: ['Sold'] })
  const { sql, columns } = compile(asked, model, context)
  const id = columns.findIndex(({ name }) => name === 'Sales.Id')
  const found = await rows(sql)
  t.same(found.map((row) => row[id]).toSorted(), ['3', '4', '5', '6'])
})

t.test('the names in the subquery that finds the top are not names of tables of the model', async (t) => {
  const { sql, data_objects, resolved } = compileFor(query(['Shop'], ['Sold']), model)
  t.match(sql, /^WITH "top_values_2" AS/)
  t.same(data_objects, ['Sales'])
  t.same(resolved.measures, ['Sold'])
})

const refused: readonly (readonly [string, object, string, string])[] = [
  ['a dimension that is not selected', query(['Shop'], ['Sold'], { top: { ...top, dimension: 'Floor' } }), 'UNKNOWN_DIMENSION', 'top.dimension'],
  ['one that is selected twice', query(['Date:month', 'Date:year'], ['Sold'], { top: { ...top, dimension: 'Date' } }), 'INVALID_QUERY', 'top.dimension'],
  ['an unknown measure', query(['Shop'], ['Sold'], { top: { ...top, by: 'Solt' } }), 'UNKNOWN_MEASURE', 'top.by'],
  ['a measure that the dimension does not cut', query(['Shop'], ['Sold'], { top: { ...top, by: 'Sold Elsewhere' } }), 'NO_JOIN_PATH', 'top.by'],
  ['a metric along a time that is not there', query(['Shop'], ['Sold'], { top: { ...top, by: 'Before' } }), 'WINDOW_GRAIN_REQUIRED', 'top.by'],
  ['a metric along the time that is cut', query(['Date:month'], ['Before'], { top: { ...top, dimension: 'Date' } }), 'TIME_DIMENSION_NOT_SELECTED', 'top.dimension'],
  ['gaps of the time that is cut', query(['Date:month'], ['Sold'], { top: { ...top, dimension: 'Date' }, fill_gaps: true }), 'TIME_DIMENSION_NOT_SELECTED', 'fill_gaps'],
  ['plain rows', { select: { fields: ['Sales.Shop'] }, top }, 'INVALID_QUERY', 'top'],
  ['what never occurs', { select: { dimensions: ['Shop', 'Floor'] }, dimensions_exclude: true, top }, 'INVALID_QUERY', 'top'],
] // biome-ignore format: a table
for (const [what, asked, code, path] of refused) {
  t.test(`${what} is refused as ${code} at '${path}'`, async (t) => t.match(refusalOf(asked, model), { code, path }))
}

t.test('all unknown names of a query are reported together', async (t) => {
  const { details } = refusalOf(query(['Shop'], ['Solt'], { top: { ...top, by: 'Byers' } }), model)
  t.match(details.findings, [{ path: 'select.measures[0]' }, { path: 'top.by', suggestions: ['Buyers'] }])
})
