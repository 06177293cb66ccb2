/** The first rows of all columns of a relation: they are found before their measures are computed. */
import type { Finding } from '../errors.js'
import { warning } from '../errors.js'
import { entryOf, firstOf, lastOf } from '../invariant.js'
import type { Preview } from '../language/language.js'
import type { DimensionJson, FilterJson, QueryJson } from '../language/query-json.js'
import { batchFromRows } from '../result/column-builder.js'
import type { RecordBatch, ResultColumn, ResultSchema } from '../result/record-batch.js'
import { rowsInOrder } from '../result/rows-in-order.js'
import { rowsOf, type Value } from '../result/value-at.js'
import type { CompileResult, ExecuteOptions, Execution } from './asking.js'
import type { Asks } from './asks.js'
import { everyRow } from './default-limit.js'
import { endable } from './endable.js'
import { limitBatches, type Tally } from './limit-batches.js'
import { restOfRelation } from './rest-of-relation.js'
import { cutWarning } from './run-query.js'

/** A query whose answer is a preview. */
export interface Previewed {
  readonly query: QueryJson
  readonly preview: Preview
}

/** So many rows of a preview without a limit are found first; the others are computed only for a client that reads on. */
const FIRST_ROWS = 1000

/** The columns of a preview, and the SQL that finds its rows. */
export async function compilePreview({ query, preview }: Previewed, asks: Asks): Promise<CompileResult> {
  const { limit = FIRST_ROWS, offset, fact } = preview
  const compiled = await asks.compile({ ...asks.question(tuplesQuery(query, limit + offset)), everyRowOf: fact })
  const schema = [...compiled.columns, ...measuresOf(query, preview.schema)]
  return { ...compiled, columns: schema, warnings: [...compiled.warnings, ...leftOutWarning(preview)] }
}

/** An answer whose rows are available already. */
export function held(compiled: CompileResult, rows: readonly (readonly Value[])[]): Execution {
  return answerOf(compiled, only(batchFromRows(compiled.columns, rows)), undefined)
}

/** `cut`: the maximum number of rows of a preview without a limit. */
export async function executePreview(
  { query, preview }: Previewed,
  asks: Asks,
  options: ExecuteOptions,
  cut: number | undefined,
): Promise<Execution> {
  const every = everyRow(options)
  const compiled = await compilePreview({ query, preview }, asks)
  if (preview.limit !== undefined) return held(compiled, await rowsOfPreview({ query, preview }, asks, every))
  const most = cut === undefined ? FIRST_ROWS : Math.min(FIRST_ROWS, cut + 1)
  const first = await rowsOfPreview({ query, preview: { ...preview, limit: most } }, asks, every)
  // Few rows are computed like those of any other query, with every column.
  if (first.length < most) {
    // A limit sorts them.
    const whole = await asks.execute(asks.question(cut === undefined ? query : { ...query, limit: query.limit ?? cut }), every)
    const known = whole.compiled.warnings
    return answerOf({ ...compiled, warnings: known }, whole.batches, cut)
  }
  const rest = () => restOfRelation(first, compiled.columns, () => asks.execute(asks.question(restQuery(query, preview)), every))
  const source = firstThen(batchFromRows(compiled.columns, first), rest)
  return answerOf(compiled, limitBatches(source, query.limit, { rowCount: 0, truncated: false }), cut)
}

function answerOf(compiled: CompileResult, source: AsyncIterable<RecordBatch>, cut: number | undefined): Execution {
  const started = performance.now()
  const tally: Tally = { rowCount: 0, truncated: false }
  return {
    compiled,
    schema: compiled.columns,
    batches: endable(limitBatches(source, cut, tally)),
    mayBeCut: cut !== undefined,
    outcome: () => ({
      ...tally,
      warnings: tally.truncated ? [...compiled.warnings, cutWarning(tally.rowCount)] : compiled.warnings,
      executionTimeMs: performance.now() - started,
      timezone: compiled.query.timezone ?? compiled.handle.model.settings.queryTimezone ?? 'UTC',
    }),
  }
}

/** The first tuples of dimensions, then their measures: the limit applies before every aggregation. */
async function rowsOfPreview({ query, preview }: Previewed, asks: Asks, every: ExecuteOptions): Promise<Value[][]> {
  const found = await tuplesOf({ query, preview }, asks, every)
  const tuples = { ...found, rows: found.rows.slice(preview.offset) }
  const dimensions = (query.select.dimensions ?? []).map(labelOf)
  if (tuples.rows.length === 0) return []
  // An expression follows from the dimensions that it reads.
  const named = new Set(query.select.dimensions?.filter((dimension) => typeof dimension === 'string'))
  const filters = tuples.schema.flatMap((column, i) => {
    const values = tuples.rows.map((row) => row[i]!)
    return named.has(column.name) ? filterOf(column, values) : []
  })
  const values = await gathered(await asks.execute(asks.question(valuesQuery(query, preview, filters)), every))
  const byKey = new Map(values.rows.map((row) => [keyOf(row.slice(0, dimensions.length)), row]))
  const place = new Map(values.schema.map(({ name }, i) => [name, i]))
  const measures = query.select.measures ?? []
  return tuples.rows.map((tuple) => {
    const row = byKey.get(keyOf(tuple))
    return [...tuple, ...measures.map((name) => row?.[place.get(name) ?? -1] ?? null)]
  })
}

interface Rows {
  readonly schema: ResultSchema
  readonly rows: readonly (readonly Value[])[]
}

/** The number of rows that are read for each requested one, and the minimum: adjacent rows often share their dimensions. */
const [LOOKED_AT, LEAST] = [20, 200]

async function tuplesOf({ query, preview }: Previewed, asks: Asks, options: ExecuteOptions): Promise<Rows> {
  const { fact, limit = FIRST_ROWS, offset } = preview
  const wanted = limit + offset
  const { order_by, select } = query
  if (!order_by?.length) {
    const looked = Math.max(LEAST, wanted * LOOKED_AT)
    const question = { ...asks.question(tuplesQuery(query, looked)), everyRowOf: fact }
    const { schema, rows } = await gathered(await asks.execute(question, options))
    const distinct = [...new Map(rows.map((row) => [keyOf(row), row])).values()]
    if (rows.length < looked) return { schema, rows: rowsInOrder(distinct, schema).slice(0, wanted) }
    if (distinct.length >= wanted) return { schema, rows: distinct.slice(0, wanted) }
  }
  const asked = tuplesQuery(query, wanted)
  const measures = (select.measures ?? []).filter((name) => order_by?.some(({ field }) => field === name))
  const question = { ...asked, select: { ...asked.select, ...(measures.length > 0 && { measures }) }, rows_of: fact }
  const { schema, rows } = await gathered(
    await asks.execute(asks.question({ ...question, ...(order_by && { order_by }) }), options),
  )
  const width = select.dimensions?.length ?? 0
  return { schema: schema.slice(0, width), rows: rows.map((row) => row.slice(0, width)) }
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

const restQuery = (query: QueryJson, preview: Preview): QueryJson => ({
  ...valuesQuery(query, preview, []),
  ...(query.order_by && { order_by: query.order_by }),
  rows_of: preview.fact,
})

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
  for await (const batch of batches) rows.push(...rowsOf(batch, schema))
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
  const message =
    limit === undefined
      ? `All columns of more than ${FIRST_ROWS} rows are read row by row, so columns that depend on other rows are NULL: ${names}`
      : `A preview looks at its own rows only, so columns that depend on others are NULL: ${names}`
  return [warning('PREVIEW_LEFT_OUT', message, { path: 'sql', hint: 'Select them by name, together with their dimensions.' })]
}

async function* only(batch: RecordBatch): AsyncGenerator<RecordBatch> {
  if (batch.rowCount > 0) yield batch
}

async function* firstThen(first: RecordBatch, rest: () => AsyncIterable<RecordBatch>): AsyncGenerator<RecordBatch> {
  yield first
  yield* rest()
}
