/**
 * Coarser values that ignore filters are computed only for the keys of the answer if they read tables directly, and their values are always
 * the same.
 */
import type { Dialect } from '@grainline/core/dialect'
import { parseModelSync } from '@grainline/core/unstable'
import { duckdb } from '@grainline/dialect-duckdb'
import { mysql } from '@grainline/dialect-mysql'
import { postgres } from '@grainline/dialect-postgres'
import t from 'tap'
import { compileFor } from '../support/compile.js'
import { database } from './database.js'

const n = [{ dataObject: 'Stock', column: 'N' }]
const ever = { grain: { mode: 'FIXED', keepOnly: ['Shop'] }, filterContext: { mode: 'FIXED' } }
const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Stock: {
        code: 'stock',
        columns: {
          Id: { code: 'id', abstractType: 'int', primaryKey: true },
          Shop: { code: 'shop', abstractType: 'string' },
          Kind: { code: 'kind', abstractType: 'string' },
          On: { code: 'counted_on', abstractType: 'date' },
          N: { code: 'n', abstractType: 'int' },
        },
      },
    },
    dimensions: {
      Id: { dataObject: 'Stock', column: 'Id' },
      Shop: { dataObject: 'Stock', column: 'Shop' },
      Kind: { dataObject: 'Stock', column: 'Kind' },
      Day: { dataObject: 'Stock', column: 'On' },
    },
    metrics: {
      'Seen Twice': { expression: 'CASE WHEN {[Counted]} > 0 AND {[Counted Ever]} > 10 THEN 1 END' },
      'Shops Seen Twice': { type: 'aggregate', aggregation: 'count', measure: 'Seen Twice', per: ['Shop'] },
      'Item Seen Twice': { expression: 'CASE WHEN {[Counted]} > 0 AND {[Item Ever]} > 10 THEN 1 END' },
      'Items Seen Twice': { type: 'aggregate', aggregation: 'count', measure: 'Item Seen Twice', per: ['Id'] },
    },
    measures: {
      'Item Ever': {
        aggregation: 'sum',
        columns: n,
        grain: { mode: 'FIXED', keepOnly: ['Id'] },
        filterContext: { mode: 'FIXED' },
      },
      Counted: { aggregation: 'sum', columns: n },
      'Counted Ever': { aggregation: 'sum', columns: n, ...ever },
      'In Stock Ever': {
        aggregation: 'sum',
        columns: n,
        ...ever,
        semiAdditive: { timeDimension: 'Day', take: 'last', per: ['Kind'] },
      },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))
const { rows } = await database(
  'CREATE TABLE stock (id BIGINT, shop VARCHAR, kind VARCHAR, counted_on DATE, n BIGINT)',
  `INSERT INTO stock VALUES (1, 'a', 'x', DATE '2025-01-01', 1), (2, 'a', 'x', DATE '2025-01-02', 2), (3, 'a', 'y', DATE '2025-01-01', 4),
    (4, 'b', 'x', DATE '2025-01-01', 8), (5, NULL, 'y', DATE '2025-01-01', 16), (6, NULL, 'x', DATE '2025-01-01', 32)`,
)
const sqlOf = (measure: string): string => {
  const where = [{ field: 'Kind', op: '=', value: 'y' }]
  return compileFor(
    { select: { dimensions: ['Shop', 'Kind'], measures: ['Counted', measure] }, where, order_by: [{ field: 1 }] },
    model,
  ).sql
}

t.test('the keys of the answer, including NULL, restrict the groups that are computed', async (t) => {
  t.match(sqlOf('Counted Ever'), /SELECT DISTINCT .* AS "asked"/s)
  t.same(await rows(sqlOf('Counted Ever')), [
    ['a', 'y', '4', '7'],
    [null, 'y', '16', '48'],
  ])
})

t.test('a metric that aggregates each entity first is computed for all groups', async (t) => {
  t.notMatch(sqlOf('In Stock Ever'), /asked/)
  t.same(await rows(sqlOf('In Stock Ever')), [
    ['a', 'y', '4', '6'],
    [null, 'y', '16', '48'],
  ])
})

const metricOf = (name: string, dialect: Dialect): string =>
  compileFor({ select: { measures: [name] }, where: [{ field: 'Kind', op: '=', value: 'y' }] }, model, dialect).sql

/** It reads both ranges of a table in one pass otherwise, and asks for no keys. */
const byRange: Dialect = { ...postgres, planner: { ...postgres.planner, readsByRow: false } }

t.test('facts that are united are limited to the keys of the leading one where the dialect says so', async (t) => {
  const sql = metricOf('Shops Seen Twice', byRange)
  t.match(sql, /UNION ALL/)
  t.match(sql, /FROM "stock"\n {2}JOIN \(\n {4}SELECT DISTINCT .* FROM "stock_facts"\n {2}\) AS "asked" ON COALESCE/s)
  t.same(await rows(sql), [['1']])
  t.notMatch(metricOf('Shops Seen Twice', mysql), /asked/)
})

t.test('a column of the key is never NULL', async (t) => {
  for (const dialect of [duckdb, byRange])
    t.match(metricOf('Items Seen Twice', dialect), /AS "asked" ON "stock"\."id" = "asked"\."Id"/)
  t.same(await rows(metricOf('Items Seen Twice', postgres)), [['1']])
})
