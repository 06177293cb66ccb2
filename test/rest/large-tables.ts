/** Four tables that DuckDB reads with several threads at a time, and models and queries over them by the generators of the oracle. */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { extendModel, laterKinds } from '../oracle/generate/later.js'
import { withTop } from '../oracle/generate/later-top.js'
import { generateMeasures } from '../oracle/generate/measures.js'
import { generateMetrics } from '../oracle/generate/metrics.js'
import { ATTRIBUTES } from '../oracle/generate/model.js'
import { DAYS, INTS, MOMENTS, PRICES, STRINGS } from '../oracle/generate/pools.js'
import { generateQuery } from '../oracle/generate/query.js'
import type { Random } from '../oracle/generate/random.js'
import type { ColumnJson, DimensionJson, MeasureJson, ModelJson, ObjectJson, QueryJson } from '../oracle/model.js'

/** A thread reads one row group at a time; this is the smallest. https://duckdb.org/docs/stable/sql/statements/attach */
const ROW_GROUP = 2048

const KINDS = laterKinds(
  'grain,window,pop,grouping,cumulative,firstlast,semi,aggregate,nesting,cross,gaps,aggregations,fanout,top',
)

const TABLES = {
  Regions: { rows: 40, columns: ['name', 'flag'], parent: undefined },
  Customers: { rows: 3000, columns: ['name', 'ratio', 'day'], parent: 'Regions' },
  Orders: { rows: 16 * ROW_GROUP, columns: ['qty', 'price', 'ratio', 'twin', 'day', 'at', 'flag'], parent: 'Customers' },
  Returns: { rows: 12 * ROW_GROUP, columns: ['name', 'qty', 'ratio', 'at'], parent: 'Customers' },
} as const
type Name = keyof typeof TABLES
const NAMES = Object.keys(TABLES) as Name[]

/** The rows of the second half repeat the hundredths of the first in another order, but not doubles with every digit, whose sums may differ. */
const REPEATED = new Set(['ratio', 'twin'])

/** `twin`: groups of which every two have the same hundredths. */
const COLUMNS: Readonly<Record<string, ColumnJson>> = { ...ATTRIBUTES, twin: { code: 'twin', abstractType: 'int' } }

export interface LargeTables {
  /** Files with the same rows in the same order, one for each server. */
  readonly files: readonly string[]
  readonly remove: () => void
}

/** `cents`: doubles are hundredths; otherwise they have every digit. */
export async function largeTables(seed: number, { cents, copies }: { cents: boolean; copies: number }): Promise<LargeTables> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'grainline-bytes-'))
  const files = Array.from({ length: copies }, (_, i) => path.join(folder, `tables-${i}.duckdb`))
  const [first, ...others] = files as [string, ...string[]]
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`ATTACH '${first}' AS tables (ROW_GROUP_SIZE ${ROW_GROUP})`)
  for (const name of NAMES) await connection.run(createTable(name, seed, cents))
  await connection.run('DETACH tables')
  connection.closeSync()
  for (const file of others) copyFileSync(first, file)
  return { files, remove: () => rmSync(folder, { recursive: true }) }
}

/** Values depend on the number of the row and the seed alone. */
function createTable(name: Name, seed: number, cents: boolean): string {
  const { rows, columns, parent } = TABLES[name]
  const half = rows / 2
  const drawn = (column: string, use = '') =>
    `hash(${cents && REPEATED.has(column) ? 'j' : 'i'} * 1000003 + ${seed} + hash('${name} ${column} ${use}') % 1000000)`
  const values = columns.map((column) => {
    const value =
      column === 'twin' ? `CAST(${drawn('twin')} % 8 AS BIGINT) * 2 + i // ${half}` : drawnValue(column, drawn(column), cents)
    return `CASE WHEN ${drawn(column, 'null')} % 9 > 0 THEN ${value} END AS "${COLUMNS[column]!.code}"`
  })
  const key = parent && `CASE WHEN ${drawn('key', 'null')} % 20 > 0 THEN 1 + ${drawn('key')} % ${TABLES[parent].rows + 3} END`
  const link = key ? [`CAST(${key} AS BIGINT) AS "to_${parent.toLowerCase()}_id"`] : []
  const numbered = `SELECT i, CASE WHEN i < ${half} THEN i ELSE (i * 7919) % ${half} END AS j FROM range(${rows}) AS r(i)`
  return `CREATE TABLE tables.${name.toLowerCase()} AS SELECT i + 1 AS id, ${[...values, ...link].join(', ')} FROM (${numbered})`
}

const POOLS: Readonly<Record<string, readonly [type: string, values: readonly unknown[]]>> = {
  name: ['VARCHAR', STRINGS],
  qty: ['BIGINT', INTS],
  price: ['DECIMAL(10,2)', PRICES],
  day: ['DATE', DAYS],
  at: ['TIMESTAMP', MOMENTS],
  flag: ['BOOLEAN', [true, false]],
}

function drawnValue(column: string, drawn: string, cents: boolean): string {
  if (column === 'ratio') return cents ? `(${drawn} % 200000) / 100 - 500` : `(${drawn} % 1000000007) / 1000003 - 300`
  const [type, values] = POOLS[column]!
  const list = values.map((value) => (typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)))
  return `CAST([${list.join(', ')}][1 + CAST(${drawn} % ${values.length} AS BIGINT)] AS ${type})`
}

/** Generated measures, metrics and dimensions. */
export function largeModel(random: Random): ModelJson {
  const dataObjects = Object.fromEntries(NAMES.map((name) => [name, objectOf(name)]))
  const dimensions: Record<string, DimensionJson> = {}
  for (const [dataObject, { columns }] of Object.entries(dataObjects))
    for (const [column, { abstractType }] of Object.entries(columns))
      if (!/^(to_|id|ratio)/.test(column))
        dimensions[`${dataObject} ${column}`] = { dataObject, column, resultType: column === 'price' ? 'float' : abstractType }
  const measures = { ...generateMeasures(random, dataObjects), ...PAID.measures }
  const metrics = { ...generateMetrics(random, dataObjects, measures), ...PAID.metrics }
  return extendModel(random, { version: 1, name: 'large', dataObjects, dimensions, measures, metrics }, KINDS)
}

/** Sums and averages that are equal for two groups. */
const paid = (aggregation: string, more: Partial<MeasureJson> = {}): MeasureJson => ({
  aggregation,
  columns: [{ dataObject: 'Orders', column: 'ratio' }],
  ...more,
})
const PAID: Required<Pick<ModelJson, 'measures' | 'metrics'>> = {
  measures: { paid: paid('sum'), 'paid mean': paid('avg'), 'paid exactly': paid('sum', { dataType: 'decimal(18, 2)' }) },
  metrics: {
    'paid rank': { type: 'window', windowFunction: 'rank', measure: 'paid' },
    'paid part': { type: 'window', windowFunction: 'ntile', buckets: 3, measure: 'paid mean' },
    'paid per order': { expression: '{[paid]} / {[Orders Count]}' },
  },
}
const SORTED = ['paid', 'paid mean', 'paid exactly', 'paid per order', 'paid rank'] as const

function objectOf(name: Name): ObjectJson {
  const { columns, parent } = TABLES[name]
  const id: ColumnJson = { code: 'id', abstractType: 'int', primaryKey: true }
  const own = Object.fromEntries(columns.map((column) => [column, COLUMNS[column]!]))
  if (!parent) return { code: name.toLowerCase(), columns: { id, ...own } }
  const link = `to_${parent}_id`
  return {
    code: name.toLowerCase(),
    columns: { id, ...own, [link]: { code: link.toLowerCase(), abstractType: 'int' } },
    joins: [{ joinType: 'many-to-one', joinTo: parent, columnsFrom: [link], columnsTo: ['id'] }],
  }
}

/** A query; sometimes one whose rows, ranks or groups follow values that are equal for two of them. */
export function largeQuery(random: Random, model: ModelJson): QueryJson {
  if (random.chance(0.6)) return withTop(model, generateQuery(random, model, KINDS), false)
  const by = random.pick(SORTED)
  const measures = random.some([...SORTED, 'paid part'], random.between(1, 3))
  const dimensions = random.pick([['Orders twin'], ['Orders twin'], ['Orders twin', 'Orders flag']])
  return {
    select: { dimensions, measures },
    ...(random.chance(0.3) && {
      top: { dimension: 'Orders twin', by, n: random.between(1, 9), ...(random.chance(0.5) && { others: 'Others' }) },
    }),
    order_by: [{ field: by, ...(random.chance(0.5) && { direction: 'desc' as const }) }],
    ...(random.chance(0.5) && { limit: random.between(1, 9) }),
  }
}
