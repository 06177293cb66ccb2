import { encodeJsonRows, jsonColumns, type Receipt, receiptOf, tracedStream } from '@grainline/core/surface'
import type { CompileResult, Execution, SqlCompileResult, SqlExecution } from '../context.js'

/** `CompileResponse` as bytes, which are created once for each cached compilation, and again if its details change. */
export const compileBody = onceFor((compiled: CompileResult): Buffer => {
  const { warnings, sql_valid } = compiled
  return bodyOf(compiled, `,"warnings":${JSON.stringify(warnings)},"sql_valid":${sql_valid},`)
})

/** The start of an answer, without its last brace and without warnings: some warnings are known only after the rows. */
const headOf = onceFor(
  (compiled: CompileResult): Buffer => bodyOf(compiled, `,"sql_valid":${compiled.sql_valid},`).subarray(0, -1),
)

/** The same function with its results cached for each value. */
function onceFor<A extends object, B extends Buffer | string>(make: (value: A) => B): (value: A) => B {
  const results = new WeakMap<A, B>()
  return (value) => {
    const known = results.get(value)
    if (known !== undefined) return known
    const made = make(value)
    results.set(value, made)
    return made
  }
}

function bodyOf(compiled: CompileResult, between: string): Buffer {
  const { before, after, bodies } = lastingText(compiled)
  const known = bodies.get(between)
  if (known !== undefined) return known
  const body = Buffer.from(before + between + after)
  // The details of a statement seldom change, so one cache that is emptied when full is enough.
  if (bodies.size >= MOST_BODIES) bodies.clear()
  bodies.set(between, body)
  return body
}

const MOST_BODIES = 4

function lastingText({ sql, dialect, resolved, explain, physical_tables }: CompileResult): LastingText {
  const known = TEXTS.get(resolved)
  if (known?.sql === sql && known.explain === explain) return known
  const before = JSON.stringify({ sql, dialect, resolved }).slice(0, -1)
  const text = {
    sql,
    explain,
    before,
    after: JSON.stringify({ explain: explain(), physical_tables }).slice(1),
    bodies: new Map(),
  }
  TEXTS.set(resolved, text)
  return text
}

interface LastingText extends Pick<CompileResult, 'sql' | 'explain'> {
  readonly before: string
  readonly after: string
  /** The complete bodies, by their details. */
  readonly bodies: Map<string, Buffer>
}

const TEXTS = new WeakMap<CompileResult['resolved'], LastingText>()

/** A compiled statement as `CompileResponse`, with each query in it. */
export function statementResponse(compiled: SqlCompileResult) {
  const { sql, dialect, resolved, warnings, sql_valid, explain, physical_tables, modelQueries, outerSql = null } = compiled
  const shown = modelQueries.map(({ name, model, query, compiled: ofModel }) => ({
    name,
    model,
    query,
    sql: ofModel.sql,
    dialect: ofModel.dialect,
  }))
  const query = shown.length === 1 ? shown[0]!.query : null
  return {
    sql,
    dialect,
    resolved,
    warnings,
    sql_valid,
    explain: explain?.() ?? null,
    physical_tables,
    query,
    model_queries: shown,
    outer_sql: outerSql,
  }
}

/** `ExecuteResponse` in pieces: rows are sent as they arrive, and the fields that depend on all rows follow. */
export async function* executeResponse(
  execution: Execution | SqlExecution,
  { receipt = false }: WithReceipt = {},
): AsyncGenerator<Buffer | string> {
  yield executeHead(execution)
  yield* columnsAndRows(execution)
  yield executeTail(execution, receipt)
}

/** The fields before and after the columns and rows of `ExecuteResponse`. Call `tail` after the last row. */
export const around = (execution: Execution | SqlExecution, { receipt = false }: WithReceipt = {}) => ({
  head: executeHead(execution),
  tail: () => executeTail(execution, receipt),
})

interface WithReceipt {
  readonly receipt?: boolean
}

const executeHead = ({ compiled }: Execution | SqlExecution): Buffer =>
  'modelQueries' in compiled ? statementHead(compiled) : headOf(compiled)

/** The columns and rows of `ExecuteResponse`. */
export async function* columnsAndRows({
  schema,
  batches,
  outcome,
}: Pick<Execution, 'schema' | 'batches' | 'outcome'>): AsyncGenerator<Buffer | string> {
  yield columnsText(schema)
  yield* tracedStream('encode', { format: 'json' }, encodeJsonRows(batches, { timezone: outcome().timezone }))
}

const columnsText = onceFor((schema: Execution['schema']): string => `,"columns":${JSON.stringify(jsonColumns(schema))},"rows":`)

/** The text is built by hand, because this is most of the work for a cached answer. */
function executeTail({ compiled, outcome: outcomeOf }: Execution | SqlExecution, receipt: boolean): string {
  const outcome = outcomeOf()
  const { rowCount, truncated, warnings, executionTimeMs, timezone, cache } = outcome
  const milliseconds = Math.round(executionTimeMs * 100) / 100
  const found = warnings.length === 0 ? '[]' : JSON.stringify(warnings)
  const more = receipt ? inside(JSON.stringify(receiptFields(compiled, outcome))) : ''
  const tail = `"row_count":${rowCount},"execution_time_ms":${milliseconds},"timezone":${JSON.stringify(timezone)}`
  return `,${tail},"truncated":${truncated},"warnings":${found},${cache ? textOfCache(cache) : NOT_CACHED}${more && `,${more}`}}`
}

/** The text of an object without its braces. */
const inside = (text: string): string => text.slice(1, -1)

function statementHead(compiled: SqlCompileResult): Buffer {
  const { warnings: _later, ...head } = statementResponse(compiled)
  return Buffer.from(JSON.stringify(head).slice(0, -1))
}

/** SQL over several model queries has no receipt: each of the queries would have its own. */
export function receiptFields(
  compiled: CompileResult | SqlCompileResult,
  outcome: ReturnType<Execution['outcome']>,
): { readonly receipt?: Receipt } {
  const asked =
    'modelQueries' in compiled ? (compiled.modelQueries.length === 1 ? compiled.modelQueries[0]?.compiled : undefined) : compiled
  return asked === undefined ? {} : { receipt: receiptOf(asked, outcome, new Date()) }
}

type Cached = NonNullable<ReturnType<Execution['outcome']>['cache']>

const NOT_CACHED = inside(JSON.stringify({ cached: false }))

/** A cached answer has the same cache facts for every request. */
const textOfCache = onceFor(({ cachedAt, seconds, source, limitingTable }: Cached): string =>
  inside(
    JSON.stringify({
      cached: cachedAt !== undefined,
      cached_at: cachedAt,
      ttl_seconds: seconds,
      ttl_source: source,
      ttl_limiting_table: limitingTable,
    }),
  ),
)

/** `PlanResponse`. A query that does not compile is refused before this, so `would_compile` is always true. */
export function planResponse(
  compiled: CompileResult,
  explained: { readonly format: string; readonly output: string } | undefined,
) {
  const { sql, dialect, physical_tables, warnings } = compiled
  const explain = compiled.explain()
  return {
    status: 'ok',
    planner: explain.planner,
    planner_reason: explain.planner_reason,
    physical_tables,
    join_path: explain.joins.map((join) => joinStep(join, compiled)),
    filters_applied: explain.where_filter_count + explain.having_filter_count,
    warnings,
    would_compile: true,
    compiled_sql_length_estimate: sql.length,
    ...(explained && {
      database_explain: { dialect, compiled_sql: sql, explain_output: explained.output, explain_format: explained.format },
    }),
  }
}

function joinStep(
  { from_object, to_object, join_columns }: ReturnType<CompileResult['explain']>['joins'][number],
  { handle }: CompileResult,
) {
  const declared = handle.model.dataObjects.get(from_object)?.joins.find((join) => join.to === to_object)
  return { from_object, to_object, cardinality: declared?.cardinality ?? 'many-to-one', fk: join_columns }
}
