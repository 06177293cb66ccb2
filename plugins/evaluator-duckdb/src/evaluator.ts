import type * as Api from '@duckdb/node-api'
import {
  columnBuilder,
  type EvaluatedRelation,
  type Evaluation,
  type EvaluationRequest,
  type Evaluator,
  fail,
  GrainlineError,
  type RecordBatch,
  type ResultSchema,
} from '@grainline/core'
import { joined, TOO_LONG } from './bounded-text.js'
import { functions } from './functions.js'
import { bytesOf, MemoryGuard, tooMuch } from './memory-guard.js'
import { type Bounds, boundsOf, type EvaluatorOptions } from './options.js'
import { Places } from './places.js'
import { openSandbox, type Sandbox } from './sandbox.js'
import { dataTypeOf, typeName } from './types.js'
import { answerValue, appendTo } from './values.js'

/** Rows between two turns of the event loop. */
const ROWS_PER_TURN = 2048
/** How often an evaluation that should stop is told so: an interrupt that comes before the engine has begun is lost. */
const REPEAT_MS = 20

/** Evaluates over temporary tables of a connection that is used once. The sandbox is opened by the first statement. */
export function duckdbEvaluator(options: EvaluatorOptions = {}): Evaluator & { close(): Promise<void> } {
  const bounds = boundsOf(options)
  const places = new Places(bounds.concurrency)
  const guard = new MemoryGuard(bytesOf(bounds.memoryLimit))
  let opening: Promise<Sandbox> | undefined
  let closed = false

  const sandbox = (): Promise<Sandbox> => {
    if (closed) fail('SHUTTING_DOWN', 'The service is stopping')
    opening ??= openSandbox(bounds)
    // What failed is tried again by the next statement.
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }

  return {
    name: 'duckdb',
    functions,
    type: typeName,
    joined: (left, right) => joined([left, right]),
    evaluate: (request) => places.use(request.signal, async () => evaluate(request, await sandbox(), bounds, guard)),
    async close() {
      closed = true
      await places.empty()
      ;(await opening?.catch(() => undefined))?.close()
    },
  }
}

async function evaluate(
  request: EvaluationRequest,
  { api, connect }: Sandbox,
  bounds: Bounds,
  guard: MemoryGuard,
): Promise<Evaluation> {
  const connection = await connect()
  const stop = new AbortController()
  const abort = () => stop.abort(request.signal.reason)
  request.signal.addEventListener('abort', abort, { once: true })
  if (request.signal.aborted) abort()
  const timeoutMs = Math.min(bounds.timeoutMs, request.timeoutMs ?? bounds.timeoutMs)
  let timer: NodeJS.Timeout | undefined
  const interrupting = interruptOnAbort(connection, stop.signal)
  const unwatch = guard.watch((reason) => stop.abort(reason))
  try {
    for (const relation of request.relations) await load(relation, connection, api, bounds, stop.signal)
    stop.signal.throwIfAborted()
    // The leaves' own time is bounded where they run.
    timer = setTimeout(() => stop.abort(timedOut(timeoutMs)), timeoutMs)
    const result = await connection.run(request.sql)
    return await answerOf(result, api, bounds, stop.signal)
  } catch (error) {
    throw stop.signal.aborted ? stop.signal.reason : refusal(error)
  } finally {
    clearTimeout(timer)
    unwatch()
    interrupting.end()
    request.signal.removeEventListener('abort', abort)
    // Takes its temporary tables with it.
    connection.closeSync()
  }
}

async function load(
  { name, schema, batches }: EvaluatedRelation,
  connection: Api.DuckDBConnection,
  api: typeof Api,
  { maxRows }: Bounds,
  signal: AbortSignal,
): Promise<void> {
  await connection.run(
    `CREATE TEMP TABLE "${name}" (${schema.map((column) => `"${column.name}" ${typeName(column.type)}`).join(', ')})`,
  )
  const appender = await connection.createAppender(name, 'main', 'temp')
  let rows = 0
  try {
    for await (const batch of batches) {
      for (let row = 0; row < batch.rowCount; row++) {
        if (++rows > maxRows) tooManyRows(`A subquery gives more than ${maxRows} rows`)
        for (const [index, column] of batch.columns.entries()) appendTo(appender, column, row, schema[index]!.type, api)
        appender.endRow()
        if (rows % ROWS_PER_TURN === 0) await turn(signal)
      }
    }
  } finally {
    appender.closeSync()
  }
}

async function answerOf(
  result: Api.DuckDBResult,
  api: typeof Api,
  { maxRows }: Bounds,
  signal: AbortSignal,
): Promise<Evaluation> {
  const schema: ResultSchema = result.columnTypes().map((type, index) => ({
    name: result.columnName(index),
    type: dataTypeOf(type, api),
    role: 'field',
  }))
  const batches: RecordBatch[] = []
  let rows = 0
  for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    rows += chunk.rowCount
    if (rows > maxRows) tooManyRows(`The answer has more than ${maxRows} rows`)
    const columns = schema.map(({ type, name }, index) => {
      const builder = columnBuilder(type, name)
      for (const value of chunk!.getColumnValues(index)) builder.append(answerValue(value, type))
      return builder.finish()
    })
    batches.push({ schema, rowCount: chunk.rowCount, columns })
    await turn(signal)
  }
  return { schema, batches: each(batches) }
}

async function* each(batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch> {
  yield* batches
}

async function turn(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
  signal.throwIfAborted()
}

function interruptOnAbort(connection: Api.DuckDBConnection, signal: AbortSignal): { readonly end: () => void } {
  let timer: NodeJS.Timeout | undefined
  const onAbort = () => {
    connection.interrupt()
    timer = setInterval(() => connection.interrupt(), REPEAT_MS)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  return {
    end() {
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

function tooManyRows(what: string): never {
  return fail('EVALUATION_TOO_LARGE', what, { path: 'sql', hint: 'Filter or group inside the subqueries.' })
}

const timedOut = (timeoutMs: number): GrainlineError =>
  new GrainlineError('QUERY_TIMEOUT', `The statement around the models took longer than ${timeoutMs / 1000} s and was stopped`)

/** What DuckDB refused, in its own words but for the relations of the leaves, which nobody wrote. */
function refusal(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof GrainlineError) return error
  const [text = ''] = error.message.split(/\n+(?:LINE \d+:|Possible solutions)/)
  const message = text.trim().replace(/\s*\n\s*/g, ' ')
  if (/^Out of Memory/i.test(message)) return tooMuch()
  if (message.includes(TOO_LONG))
    return new GrainlineError('EVALUATION_TOO_LARGE', `${TOO_LONG} in the statement around the models`, { path: 'sql' })
  return new GrainlineError('EVALUATION_REFUSED', plain(message), { path: 'sql', cause: error })
}

/** Names of relations and columns that stand for the answers of models. */
const INTERNAL = /\bleaf_\d+\b|"values"|"times"|\bc\d+\b/

/** What is wrong in words that a client can use: not the engine's name for the fault, and none of the names that were made here. */
function plain(message: string): string {
  const text = message.replace(/^[A-Z][A-Za-z]* Error:\s*/, '')
  if (!INTERNAL.test(text)) return text
  return 'The statement around the models cannot be evaluated: an expression outside of GROUP BY or of a wrong type is used; put each model into a subquery of its own'
}
