import { fail, GrainlineError } from '@grainline/core'
import {
  createPool,
  type EvaluatedRelation,
  type Evaluation,
  type EvaluationRequest,
  type Evaluator,
  type RecordBatch,
  type ResultSchema,
} from '@grainline/core/vendor'
import { joined } from './bounded-text.js'
import { tooManyRows } from './evaluation.js'
import { functions } from './functions.js'
import { type Bounds, boundsOf, type EvaluatorOptions } from './options.js'
import { EvaluatorProcesses, type RemoteEvaluation } from './remote-evaluation.js'
import { typeName } from './types.js'

/** Longest wait for a place, in milliseconds; the same as for a connection. */
const WAIT_MS = 10_000

/** Evaluates in a separate process, which the first statement starts. */
export function duckdbEvaluator(options: EvaluatorOptions = {}): Evaluator & { close(): Promise<void> } {
  const bounds = boundsOf(options)
  const places = createPool<Place>({
    name: 'evaluator',
    lends: 'places',
    size: bounds.concurrency,
    waitMs: WAIT_MS,
    raise: "the evaluator's concurrency",
    open: async () => ({}),
    close: () => {},
  })
  const processes = new EvaluatorProcesses(bounds)
  let closed = false

  const open = (): RemoteEvaluation => {
    if (closed) fail('SHUTTING_DOWN', 'The service is stopping')
    return processes.open()
  }

  return {
    name: 'duckdb',
    functions,
    type: typeName,
    joined: (left, right) => joined([left, right]),
    async evaluate(request) {
      const place = await places.acquire(request.signal, request.client)
      try {
        return await evaluate(request, open(), bounds)
      } finally {
        await places.release(place)
      }
    },
    async close() {
      closed = true
      await places.close()
      await processes.close()
    },
  }
}

type Place = Readonly<Record<string, never>>

async function evaluate(request: EvaluationRequest, remote: RemoteEvaluation, bounds: Bounds): Promise<Evaluation> {
  const abort = () => remote.stop(request.signal.reason)
  request.signal.addEventListener('abort', abort, { once: true })
  if (request.signal.aborted) abort()
  let timer: NodeJS.Timeout | undefined
  try {
    await remote.ask({ kind: 'zone', zone: request.zone })
    for (const relation of request.relations) await load(relation, remote, bounds)
    // The time of model queries is limited where they run.
    const { timeoutMs, raise } = limitOf(request, bounds)
    timer = setTimeout(() => remote.stop(timedOut(timeoutMs, raise)), timeoutMs)
    return await answerOf(request.sql, remote)
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', abort)
    remote.end()
  }
}

async function load({ name, schema, batches }: EvaluatedRelation, remote: RemoteEvaluation, { maxRows }: Bounds): Promise<void> {
  await remote.ask({ kind: 'relation', name, schema })
  let rows = 0
  for await (const { rowCount, columns } of batches) {
    rows += rowCount
    if (rows > maxRows) tooManyRows(`A subquery gives more than ${maxRows} rows`)
    await remote.ask({ kind: 'rows', rowCount, columns })
  }
}

async function answerOf(sql: string, remote: RemoteEvaluation): Promise<Evaluation> {
  let schema: ResultSchema = []
  const batches: RecordBatch[] = []
  await remote.ask({ kind: 'run', sql }, (answer) => {
    if (answer.kind === 'schema') schema = answer.schema
    if (answer.kind === 'answer') batches.push({ schema, rowCount: answer.rowCount, columns: answer.columns })
  })
  return { schema, batches: each(batches) }
}

async function* each(batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch> {
  yield* batches
}

/** The shorter of the two time limits, and the setting that would raise it. */
function limitOf({ timeoutMs: asked = Number.POSITIVE_INFINITY, timeoutSetting }: EvaluationRequest, { timeoutMs: own }: Bounds) {
  return asked < own ? { timeoutMs: asked, raise: timeoutSetting } : { timeoutMs: own, raise: "the evaluator's timeoutMs" }
}

function timedOut(timeoutMs: number, raise: string | undefined): GrainlineError {
  const message = `The outer statement took longer than ${timeoutMs / 1000} s and was stopped`
  const hint = `Filter or group inside the subqueries${raise === undefined ? '' : `; the operator may raise ${raise}`}.`
  return new GrainlineError('QUERY_TIMEOUT', message, { hint })
}
