/** The limit for a query without its own. */
import { fail } from '../errors.js'
import type { RecordBatch } from '../result/record-batch.js'
import type { Settings } from '../settings/core-variables.js'
import type { ExecuteOptions, Execution } from './asking.js'

type Limits = Pick<Settings, 'QUERY_DEFAULT_LIMIT' | 'SQL_DEFAULT_LIMIT'>

/** The maximum number of rows of a query without a limit; `undefined` for all. */
export function defaultLimitOf({ defaultLimit = 'query' }: ExecuteOptions, settings: Limits): number | undefined {
  if (defaultLimit === 'none') return undefined
  return defaultLimit === 'sql' ? settings.SQL_DEFAULT_LIMIT : settings.QUERY_DEFAULT_LIMIT
}

/** The same options, for every row. Field by field, because a surface may have a class whose getter makes the signal. */
export function everyRow({ signal, timeoutMs, timeoutSetting }: ExecuteOptions): ExecuteOptions {
  return { ...(signal && { signal }), timeoutMs, timeoutSetting, defaultLimit: 'none' }
}

/**
 * The same answer, which ends with `DEFAULT_LIMIT_EXCEEDED` instead of being truncated, because clients that sum the rows must not miss
 * any.
 */
export function wholeOrRefused<C>(execution: Execution<C>): Execution<C> {
  if (!execution.mayBeCut && !execution.outcome().truncated) return execution
  return { ...execution, mayBeCut: false, batches: refusedWhenCut(execution) }
}

async function* refusedWhenCut({ batches, outcome }: Execution<unknown>): AsyncGenerator<RecordBatch> {
  yield* batches
  const { truncated, rowCount } = outcome()
  if (truncated) {
    fail(
      'DEFAULT_LIMIT_EXCEEDED',
      `The statement sets no limit, and its answer has more than the ${rowCount} rows allowed then`,
      {
        hint: 'Write a LIMIT, or raise SQL_DEFAULT_LIMIT.',
      },
    )
  }
}

/**
 * The answer with its metadata known: read to its end if the default limit may truncate it, which bounds the memory. An answer whose limit
 * the query itself sets cannot be truncated, and remains a stream.
 */
export async function settled<C>(execution: Execution<C>): Promise<Execution<C>> {
  if (!execution.mayBeCut) return execution
  const held: RecordBatch[] = []
  for await (const batch of execution.batches) held.push(batch)
  return { ...execution, batches: inOrder(held), mayBeCut: false }
}

async function* inOrder(batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch> {
  yield* batches
}
