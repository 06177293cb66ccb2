import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Finding, fail, GrainlineError, warning } from '../errors.js'
import { entryOf } from '../invariant.js'
import type { Logger } from '../logger.js'
import type { Settings } from '../settings/core-variables.js'
import type { Execution } from './asking.js'
import type { BatchOutcome, BatchQuery, BatchRequest, BatchService } from './batch-service.js'
import type { ModelService, QueryService, SessionService } from './semantic-service.js'

interface BatchDeps {
  readonly settings: Settings
  readonly logger: Logger
  readonly curated: boolean
}
type Verbs = Pick<
  SessionService & ModelService & QueryService,
  'createSession' | 'deleteSession' | 'loadModel' | 'deleteModel' | 'resolveModel' | 'compile' | 'execute'
>
type Read<T> = (execution: Execution) => Promise<T>

/** The model of a batch, and a function that removes what was created for it. */
interface Opened {
  readonly sessionId: string
  readonly modelId: string
  readonly modelLoad: 'fresh' | 'reused' | 'referenced'
  readonly stays: boolean
  readonly close: () => Promise<void>
}

export function createBatch(deps: BatchDeps, verbs: Verbs): BatchService {
  const { settings } = deps

  return {
    async batch(request, read, signal) {
      const ids = idsOf(request.queries, settings.ONESHOT_BATCH_MAX_QUERIES)
      const { parallelism, warnings } = parallelismOf(request.maxParallelism, settings.ONESHOT_BATCH_MAX_PARALLELISM)
      const ending = new AbortController()
      const late = new GrainlineError(
        'QUERY_TIMEOUT',
        `The batch did not end within ${settings.ONESHOT_BATCH_BATCH_TIMEOUT_MS} ms`,
      )
      const timer = setTimeout(() => ending.abort(late), settings.ONESHOT_BATCH_BATCH_TIMEOUT_MS)
      const gone = () => ending.abort(signal?.reason)
      signal?.addEventListener('abort', gone, { once: true })
      try {
        const model = await openModel(request, deps, verbs)
        try {
          const outcomes = await runAll(request, model, { read, ending, parallelism, deps, verbs })
          return {
            sessionId: model.stays ? model.sessionId : undefined,
            modelId: model.stays ? model.modelId : undefined,
            modelPersisted: model.stays,
            modelLoad: model.modelLoad,
            results: outcomes.map((outcome, index) => ({ id: ids[index]!, ...outcome })),
            warnings,
          }
        } finally {
          await model.close()
        }
      } finally {
        clearTimeout(timer)
        signal?.removeEventListener('abort', gone)
      }
    },
  }
}

function idsOf(queries: readonly BatchQuery[], most: number): readonly string[] {
  if (queries.length === 0) fail('INVALID_REQUEST', 'A batch needs at least one query', { path: 'queries' })
  if (queries.length > most) {
    fail('INVALID_REQUEST', `A batch has ${most} queries at most, and this has ${queries.length}`, { path: 'queries' })
  }
  const ids = queries.map(({ id }, index) => id ?? `q${index}`)
  const twice = ids.findIndex((id, index) => ids.indexOf(id) < index)
  if (twice >= 0) {
    fail('INVALID_REQUEST', `Two queries have the id '${ids[twice]!.slice(0, 60)}'`, { path: `queries[${twice}].id` })
  }
  return ids
}

function parallelismOf(
  asked: number | undefined,
  most: number,
): { readonly parallelism: number; readonly warnings: readonly Finding[] } {
  if (asked === undefined || asked <= most) return { parallelism: asked ?? most, warnings: [] }
  const message = `The batch asks for ${asked} parallel queries; ${most} are allowed`
  return { parallelism: most, warnings: [warning('BATCH_PARALLELISM_CLAMPED', message, { path: 'max_parallelism' })] }
}

async function openModel(request: BatchRequest, { curated }: BatchDeps, verbs: Verbs): Promise<Opened> {
  const { target, modelYaml, client, persistModel, dedup } = request
  if (modelYaml === undefined) {
    const { sessionId, modelId } = verbs.resolveModel(target, request.asker?.principal)
    return { sessionId, modelId, modelLoad: 'referenced', stays: true, close: async () => {} }
  }
  if (curated)
    fail('CURATED_MODE', 'Models come from files here; a batch names one of them and brings none', {
      hint: 'Leave model_yaml out, and name one of the models that GET /v1/models lists.',
    })
  if (target.modelId !== undefined || target.model !== undefined) {
    fail('INVALID_REQUEST', 'A batch brings model_yaml or names model_id, not both', { path: 'model_yaml' })
  }
  const own = target.sessionId === undefined
  const by = request.asker?.principal
  const sessionId = target.sessionId ?? (await verbs.createSession({ metadata: {}, client, by })).session_id
  const closeSession = () => quietly(() => verbs.deleteSession(sessionId, by))
  try {
    const { modelId, modelLoad } = await verbs.loadModel(sessionId, {
      model_yaml: modelYaml,
      dedup,
      asker: request.asker,
    })
    const stays = persistModel || modelLoad === 'reused'
    const close = async () => {
      if (stays) return
      if (own) await closeSession()
      else await quietly(() => verbs.deleteModel(sessionId, modelId, by))
    }
    return { sessionId, modelId, modelLoad, stays, close }
  } catch (error) {
    if (own) await closeSession()
    throw error
  }
}

/** Another client may have closed the session meanwhile. */
const quietly = (work: () => Promise<void>): Promise<void> => work().catch(() => {})

interface Running<T> {
  readonly read: Read<T>
  readonly ending: AbortController
  readonly parallelism: number
  readonly deps: BatchDeps
  readonly verbs: Verbs
}

/** Each query that is not equal to an earlier one, so many at a time; the others share its result. */
async function runAll<T>(request: BatchRequest, model: Opened, running: Running<T>): Promise<readonly BatchOutcome<T>[]> {
  const keys = request.queries.map((query, index) => (request.dedup ? contentOf(query, request) : undefined) ?? String(index))
  const outcomes = new Map<string, BatchOutcome<T>>()
  const waiting = [...new Map(keys.map((key, index) => [key, request.queries[index]!]))]
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [key, query] = next
      const outcome = await runOne(query, request, model, running)
      outcomes.set(key, outcome)
      if (request.failFast && outcome.status !== 'ok') {
        running.ending.abort(
          new GrainlineError('QUERY_CANCELLED', 'Another query of the batch failed, and the batch has fail_fast'),
        )
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(running.parallelism, waiting.length) }, work))
  return keys.map((key) => entryOf(outcomes, key))
}

/** `undefined` for a query that is nested too deeply to be serialized; it is refused when it is parsed. */
function contentOf({ query, execute, dialect }: BatchQuery, request: BatchRequest): string | undefined {
  try {
    return JSON.stringify([query, execute ?? request.execute, dialect ?? null])
  } catch {
    return undefined
  }
}

async function runOne<T>(
  { query, execute, dialect }: BatchQuery,
  request: BatchRequest,
  { sessionId, modelId }: Opened,
  { read, ending, deps, verbs }: Running<T>,
): Promise<BatchOutcome<T>> {
  const executed = execute ?? request.execute
  const timeoutMs = deps.settings.ONESHOT_BATCH_DEFAULT_TIMEOUT_MS
  const own = new AbortController()
  const late = () => own.abort(new GrainlineError('QUERY_TIMEOUT', `The query did not end within ${timeoutMs} ms`))
  const timer = setTimeout(late, timeoutMs)
  const signal = AbortSignal.any([own.signal, ending.signal])
  const asked = { asker: request.asker, target: { sessionId, modelId }, query, dialect: dialect ?? request.dialect }
  try {
    // Compilations contain no asynchronous wait, so each gets a separate turn of the event loop.
    await nextTurn()
    signal.throwIfAborted()
    if (!executed) return { status: 'ok', executed, compiled: await before(signal, verbs.compile(asked)) }
    const answer = verbs.execute(asked, { signal }).then(read)
    return { status: 'ok', executed, answer: await before(signal, answer) }
  } catch (error) {
    return {
      status: signal.aborted ? 'cancelled' : 'error',
      executed,
      error: findingOf(signal.aborted ? signal.reason : error, deps.logger),
    }
  } finally {
    clearTimeout(timer)
  }
}

/** The result of the work, unless the signal aborts first; then its result is ignored. */
async function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  let leave = () => {}
  const aborted = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal.removeEventListener('abort', leave)
    work.catch(() => {})
  }
}

function findingOf(error: unknown, logger: Logger): Finding {
  if (error instanceof GrainlineError) return error.toFinding()
  logger.error({ err: error }, 'A query of a batch failed')
  return new GrainlineError('INTERNAL_ERROR', 'Something went wrong here; the log knows more').toFinding()
}
