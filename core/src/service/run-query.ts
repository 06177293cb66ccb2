import { type Finding, warning } from '../errors.js'
import type { VendorConnection } from '../execute/vendor.js'
import { withinTime } from '../execute/within-time.js'
import { tracedStream } from '../telemetry.js'
import type { ExecuteOptions, Execution, ExecutionOutcome } from './asking.js'
import { resultOf, type Understood } from './compile-result.js'
import { limitBatches } from './limit-batches.js'
import { primed } from './primed.js'
import { type AnswerSizes, withinSize } from './within-size.js'

export interface Bounds {
  /** The running statements, until they end. */
  readonly running: Set<AbortController>
  readonly sizes: AnswerSizes
  /** Called when the statement has ended. */
  readonly ended: () => void
}

/** The statement and its connection; `cut` is the maximum number of rows to read. */
interface Run {
  readonly understood: Understood
  readonly connection: VendorConnection
  readonly cut: number | undefined
}

/** An answer of at most so many rows and bytes is read before it is given: a whole needs no stream, and a slow client holds no connection. */
const FEW_ROWS = 2048
const FEW_BYTES = 256 * 1024

/** Runs the statement; resolves when its first rows have arrived, or all if they are few. */
export async function runQuery(
  { understood, connection, cut }: Run,
  options: ExecuteOptions,
  { running, sizes, ended }: Bounds,
): Promise<Execution> {
  const { compiled, query } = understood
  const mostRows = query.limit ?? (cut === undefined ? undefined : cut + 1)
  const started = performance.now()
  const tally = { rowCount: 0, truncated: false, endedAt: 0 }
  const controller = new AbortController()
  const abort = () => controller.abort(options.signal?.reason)
  const finish = () => {
    tally.endedAt = performance.now()
    running.delete(controller)
    ended()
    options.signal?.removeEventListener('abort', abort)
  }
  running.add(controller)
  options.signal?.addEventListener('abort', abort, { once: true })
  if (options.signal?.aborted) abort()
  const statement = (started: () => void) =>
    connection.query(compiled.sql, {
      schema: compiled.columns,
      signal: controller.signal,
      started,
      ...(mostRows !== undefined && { mostRows }),
    })
  const answer = withinTime(statement, options, (reason) => controller.abort(reason))
  const rows = tracedStream('database', { dialect: compiled.dialect }, answer)
  const isSmall = mostRows !== undefined && mostRows <= FEW_ROWS
  const batches = await primed(atEnd(withinSize(limitBatches(rows, cut, tally), sizes), finish), isSmall ? FEW_BYTES : 0)
  return {
    ...described(understood),
    batches,
    mayBeCut: cut !== undefined,
    outcome: () => ({
      ...outcomeOf(understood, tally),
      executionTimeMs: (tally.endedAt || performance.now()) - started,
    }),
  }
}

/** The metadata of an answer before its rows. */
export function described(understood: Understood): Pick<Execution, 'compiled' | 'schema'> {
  return { compiled: resultOf(understood), schema: understood.compiled.columns }
}

/** The metadata of an answer after its rows, except its duration. */
export function outcomeOf(
  { handle, query, compiled }: Understood,
  { rowCount, truncated }: { readonly rowCount: number; readonly truncated: boolean },
): Omit<ExecutionOutcome, 'executionTimeMs'> {
  return {
    rowCount,
    truncated,
    warnings: truncated ? [...compiled.warnings, cutWarning(rowCount)] : compiled.warnings,
    timezone: query.timezone ?? handle.model.settings.queryTimezone ?? 'UTC',
  }
}

async function* atEnd<T>(source: AsyncIterable<T>, finish: () => void): AsyncGenerator<T> {
  try {
    yield* source
  } finally {
    finish()
  }
}

export function cutWarning(rows: number): Finding {
  const message = `The query sets no limit, so these are the first ${rows} rows; there are more`
  return warning('DEFAULT_LIMIT_APPLIED', message, { path: 'limit', hint: 'Set a limit in the query.' })
}
