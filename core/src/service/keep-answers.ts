import type { CacheQuestion, FoundAnswer, Place, ResultCache } from '../cache/result-cache.js'
import { SharedRuns } from '../cache/shared-runs.js'
import { GrainlineError } from '../errors.js'
import { timedOut, withinTime } from '../execute/within-time.js'
import type { RecordBatch } from '../result/record-batch.js'
import { type Made, WholeBatches, wholeOf } from '../result/whole-batches.js'
import { traced } from '../telemetry.js'
import type { ExecuteOptions, Execution, ExecutionOutcome } from './asking.js'
import type { Understood } from './compile-result.js'
import { primed } from './primed.js'
import { described, outcomeOf } from './run-query.js'

type Run = (options: ExecuteOptions) => Promise<Execution>

/** A complete answer, or one too large to be buffered: that one goes to its first reader. */
type Gathered =
  | {
      readonly kind: 'whole'
      readonly batches: readonly RecordBatch[]
      readonly outcome: ExecutionOutcome
      readonly kept: Promise<void>
    }
  | { readonly kind: 'large'; readonly take: () => Large | undefined; readonly kept?: never }

interface Large {
  readonly execution: Execution
  readonly abort: (reason: unknown) => void
}

/** Answers from the cache, or by running the statement once for all clients that request the same at that time. */
export function keepAnswers(cache: ResultCache) {
  const runs = new SharedRuns<Gathered>()

  return async (understood: Understood, question: CacheQuestion, run: Run, options: ExecuteOptions): Promise<Execution> => {
    const started = performance.now()
    const looked = traced('cache', {}, () => lookedUp(cache, question))
    const { place, kept } = looked instanceof Promise ? await looked : looked
    if (!place) return run(options)
    const taken = () => performance.now() - started
    if (kept) {
      const { rowCount, truncated, facts: cache } = kept
      const { warnings, timezone } = outcomeOf(understood, kept)
      return held(understood, kept, { rowCount, truncated, warnings, executionTimeMs: taken(), timezone, cache })
    }
    let isOurs = false
    const work = (signal: AbortSignal) => {
      isOurs = true
      return gather(run, signal, cache, place)
    }
    const gathered = await runs.join(place.key, options, work).catch((error: unknown) => {
      if (isOurs || !isBudgetOfAnother(error)) throw error
    })
    if (gathered === undefined) return run(options)
    if (gathered.kind === 'whole') {
      return held(understood, gathered, { ...gathered.outcome, cache: { cachedAt: undefined, ...place.lifetime } })
    }
    const large = gathered.take()
    return large ? bounded(large, options, taken()) : run(options)
  }
}

/** True for an error of the first caller's own limits: callers that waited for the same answer are not refused for it. */
const isBudgetOfAnother = (error: unknown): boolean =>
  error instanceof GrainlineError && (error.code === 'TOO_MANY_STATEMENTS' || error.code === 'POOL_EXHAUSTED')

interface Looked {
  readonly place: Place | undefined
  readonly kept: FoundAnswer | undefined
}

/** A store in memory answers at once. */
function lookedUp(cache: ResultCache, question: CacheQuestion): Looked | Promise<Looked> {
  const place = cache.placeOf(question)
  return place instanceof Promise ? place.then((later) => foundAt(later, cache, question)) : foundAt(place, cache, question)
}

function foundAt(place: Place | undefined, cache: ResultCache, question: CacheQuestion): Looked | Promise<Looked> {
  const kept = place && cache.find(place, question)
  return kept instanceof Promise ? kept.then((later) => ({ place, kept: later })) : { place, kept }
}

/** Reads at the speed of the database, so that a slow client blocks neither a connection nor others that wait for the same answer. */
async function gather(run: Run, signal: AbortSignal, cache: ResultCache, place: Place): Promise<Gathered> {
  const controller = new AbortController()
  const abort = (reason: unknown) => controller.abort(reason)
  signal.addEventListener('abort', () => abort(signal.reason), { once: true })
  const execution = await run({ signal: controller.signal })
  const batches = await primed(execution.batches, cache.maxValueBytes)
  const whole = wholeOf(batches)
  if (whole !== undefined) {
    const outcome = execution.outcome()
    const kept = cache.keep(place, { batches: whole.batches, rowCount: outcome.rowCount, truncated: outcome.truncated })
    return { kind: 'whole', batches: whole.batches, outcome, kept }
  }
  let large: Large | undefined = { execution: { ...execution, batches }, abort }
  const take = () => {
    const taken = large
    large = undefined
    return taken
  }
  return { kind: 'large', take }
}

interface Held {
  readonly batches: readonly RecordBatch[]
  readonly made?: Made
}

function held(understood: Understood, { batches, made }: Held, outcome: ExecutionOutcome): Execution {
  const { compiled, schema } = described(understood)
  return { compiled, schema, batches: new WholeBatches({ batches, made }), mayBeCut: false, outcome: () => outcome }
}

/** The stream of one client. The client may stop waiting for it; `spent` is the time that it has waited already. */
function bounded({ execution, abort }: Large, { signal, timeoutMs, timeoutSetting }: ExecuteOptions, spent: number): Execution {
  const gone = () => abort(signal?.reason)
  const left = timeoutMs === undefined ? undefined : timeoutMs - spent
  const late = () => abort(timedOut({ timeoutMs, timeoutSetting }))
  signal?.addEventListener('abort', gone, { once: true })
  async function* until(): AsyncGenerator<RecordBatch> {
    try {
      yield* withinTime(execution.batches, { timeoutMs: left }, late)
    } finally {
      signal?.removeEventListener('abort', gone)
    }
  }
  return { ...execution, batches: until() }
}
