import { encodeJsonRows, jsonColumns } from '@grainline/core/format'
import { type Receipt, receiptOf, tracedStream } from '@grainline/core/surface'
import type { CompileResult, Execution, SqlCompileResult, SqlExecution } from '../context.js'
import { compileHead } from './compile-response.js'
import { membersOf, objectBytes, onceFor, openObject } from './json-members.js'
import { statementResponse } from './statement-response.js'

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
  'modelQueries' in compiled ? statementHead(compiled) : compileHead(compiled)

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
  const withheld = compiled.withheld ? compiled.warnings.filter(({ code }) => code === 'SQL_WITHHELD') : []
  const all = [...warnings, ...withheld]
  const found = all.length === 0 ? '[]' : JSON.stringify(all)
  const more = receipt ? membersOf(receiptFields(compiled, outcome)) : ''
  const tail = `"row_count":${rowCount},"execution_time_ms":${milliseconds},"timezone":${JSON.stringify(timezone)}`
  return `,${tail},"truncated":${truncated},"warnings":${found},${cache ? textOfCache(cache) : NOT_CACHED}${more && `,${more}`}}`
}

function statementHead(compiled: SqlCompileResult): Buffer {
  const { warnings: _later, ...head } = statementResponse(compiled)
  return openObject(objectBytes(membersOf(head)))
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

const NOT_CACHED = membersOf({ cached: false })

/** A cached answer has the same cache facts for every request. */
const textOfCache = onceFor(({ cachedAt, seconds, source, limitingTable }: Cached): string =>
  membersOf({
    cached: cachedAt !== undefined,
    cached_at: cachedAt,
    ttl_seconds: seconds,
    ttl_source: source,
    ttl_limiting_table: limitingTable,
  }),
)
