/** The rows of one model query of a statement of SQL: run, previewed, or known to be none. */

import type { Finding } from '../errors.js'
import { warning } from '../errors.js'
import { entryOf, firstOf, lastOf } from '../invariant.js'
import type { ModelQuery, Preview } from '../language/language.js'
import type { DimensionJson, FilterJson, QueryJson } from '../language/query-json.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultColumn, ResultSchema } from '../result/record-batch.js'
import { rowsOf, type Value } from '../result/value-at.js'
import type { CompileRequest, CompileResult, ExecuteOptions, Execution } from './asking.js'
import { everyRow } from './default-limit.js'

type AskedQuery = Pick<ModelQuery, 'query' | 'preview' | 'everyRowOf'>

/** How a model query is run: the query for another model query of the same model, and the service that answers it. */
export interface Asks {
  readonly question: (query: QueryJson) => CompileRequest
  readonly compile: (request: CompileRequest) => Promise<CompileResult>
  readonly execute: (request: CompileRequest, options: ExecuteOptions) => Promise<Execution>
}

/** The compiled model query; nothing is run. */
export async function compileModelQuery(modelQuery: AskedQuery, asks: Asks): Promise<CompileResult> {
  const { query, preview } = modelQuery
  if (!preview) return asks.compile(questionOf(modelQuery, asks))
  const compiled = await asks.compile({ ...asks.question(tuplesQuery(query, preview.limit)), everyRowOf: preview.fact })
  const schema = [...compiled.columns, ...measuresOf(query, preview.schema)]
  return { ...compiled, columns: schema, warnings: [...compiled.warnings, ...leftOutWarning(preview)] }
}

/** The model query's rows. A query without rows is not run: its columns are known from the plan. */
export async function executeModelQuery(modelQuery: AskedQuery, asks: Asks, options: ExecuteOptions): Promise<Execution> {
  const { query, preview } = modelQuery
  if (query.limit === 0) return held(await compileModelQuery(modelQuery, asks), [])
  if (!preview) return asks.execute(questionOf(modelQuery, asks), options)
  const compiled = await compileModelQuery(modelQuery, asks)
  return held(compiled, await previewRows(query, preview, asks, options), compiled.warnings)
}

const questionOf = ({ query, everyRowOf }: AskedQuery, asks: Asks): CompileRequest => ({
  ...asks.question(query),
  ...(everyRowOf !== undefined && { everyRowOf }),
})

/** An answer whose rows are available already. */
function held(compiled: CompileResult, rows: readonly (readonly Value[])[], warnings = compiled.warnings): Execution {
  const started = performance.now()
  return {
    compiled,
    schema: compiled.columns,
    batches: only(batchFromRows(compiled.columns, rows)),
    mayBeCut: false,
    outcome: () => ({
      rowCount: rows.length,
      truncated: false,
      warnings,
      executionTimeMs: performance.now() - started,
      timezone: compiled.query.timezone ?? compiled.handle.model.settings.queryTimezone ?? 'UTC',
    }),
  }
}

/** The first tuples of dimensions, then their measures: the limit applies before every aggregation. */
async function previewRows(query: QueryJson, preview: Preview, asks: Asks, options: ExecuteOptions): Promise<Value[][]> {
  const every = everyRow(options)
  const tuples = await tuplesOf(query, preview, asks, every)
  const dimensions = (query.select.dimensions ?? []).map(labelOf)
  if (tuples.rows.length === 0) return []
  // An expression follows from the dimensions that it reads.
  const named = new Set(query.select.dimensions?.filter((dimension) => typeof dimension === 'string'))
  const filters = tuples.schema.flatMap((column, i) => {
    const values = tuples.rows.map((row) => row[i]!)
    return named.has(column.name) ? filterOf(column, values) : []
  })
  const values = await gathered(await asks.execute(asks.question(valuesQuery(query, preview, filters)), every))
  const found = new Map(values.rows.map((row) => [keyOf(row.slice(0, dimensions.length)), row]))
  const place = new Map(values.schema.map(({ name }, i) => [name, i]))
  const measures = query.select.measures ?? []
  return tuples.rows.map((tuple) => {
    const row = found.get(keyOf(tuple))
    return [...tuple, ...measures.map((name) => row?.[place.get(name) ?? -1] ?? null)]
  })
}

interface Rows {
  readonly schema: ResultSchema
  readonly rows: readonly (readonly Value[])[]
}

/** The number of rows that are read for each requested one, and the minimum: adjacent rows often share their dimensions. */
const [LOOKED_AT, LEAST] = [20, 200]

async function tuplesOf(query: QueryJson, { fact, limit }: Preview, asks: Asks, options: ExecuteOptions): Promise<Rows> {
  const { order_by } = query
  if (!order_by?.length) {
    const looked = Math.max(LEAST, limit * LOOKED_AT)
    const question = { ...asks.question(tuplesQuery(query, looked)), everyRowOf: fact }
    const { schema, rows } = await gathered(await asks.execute(question, options))
    const distinct = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
    if (distinct.length >= limit || rows.length < looked) return { schema, rows: distinct.slice(0, limit) }
  }
  return gathered(
    await asks.execute(asks.question({ ...tuplesQuery(query, limit), rows_of: fact, ...(order_by && { order_by }) }), options),
  )
}

const tuplesQuery = ({ select, where }: QueryJson, limit: number): QueryJson => ({
  select: { dimensions: select.dimensions ?? [] },
  ...(where && { where }),
  limit,
})

/** The query of a preview without the omitted columns, for the rows that satisfy the filters. */
function valuesQuery({ select, where = [] }: QueryJson, { leftOut }: Preview, filters: readonly FilterJson[]): QueryJson {
  const measures = (select.measures ?? []).filter((name) => !leftOut.has(name))
  return {
    select: { dimensions: select.dimensions ?? [], ...(measures.length > 0 && { measures }) },
    where: [...where, ...filters],
  }
}

const labelOf = (dimension: DimensionJson): string => (typeof dimension === 'string' ? dimension : dimension.as)

/** The maximum number of values in a list; more become a range, if they have an order. */
const MOST_LISTED = 100

/** The common filter of the values of a dimension; none if the text of a value would not give the same value again. */
function filterOf({ name, type }: ResultColumn, values: readonly Value[]): FilterJson[] {
  if (type.kind === 'float' || type.kind === 'json' || type.kind === 'time') return []
  const distinct = [...new Set(values.map(written))]
  if (distinct.length <= MOST_LISTED) return [{ field: name, op: 'in', value: distinct }]
  if (distinct.includes(null) || type.kind !== 'date') return []
  const sorted = distinct.map(String).toSorted()
  return [{ field: name, op: 'between', value: [firstOf(sorted), lastOf(sorted)] }]
}

const written = (value: Value) => (typeof value === 'bigint' ? String(value) : value)

const keyOf = (values: readonly Value[]): string => JSON.stringify(values.map(written))

async function gathered({ schema, batches }: Execution): Promise<Rows> {
  const rows: Value[][] = []
  for await (const batch of batches) {
    rows.push(...rowsOf(batch, schema))
  }
  return { schema, rows }
}

/** The measures of the query, with the types of the relation. */
function measuresOf({ select }: QueryJson, schema: ResultSchema): ResultSchema {
  const byName = new Map(schema.map((column) => [column.name, column]))
  return (select.measures ?? []).map((name) => entryOf(byName, name))
}

function leftOutWarning({ leftOut, limit }: Preview): Finding[] {
  if (leftOut.size === 0 || limit === 0) return []
  const names = [...leftOut].map((name) => `'${name}'`).join(', ')
  const message = `A preview looks at its own rows only, so columns that depend on others are NULL: ${names}`
  return [
    warning('PREVIEW_LEFT_OUT', message, {
      path: 'sql',
      hint: 'Select them by name, together with their dimensions.',
    }),
  ]
}

async function* only(batch: RecordBatch): AsyncGenerator<RecordBatch> {
  if (batch.rowCount > 0) yield batch
}
