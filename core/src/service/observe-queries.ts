import { GrainlineError } from '../errors.js'
import type { RecordBatch } from '../result/record-batch.js'
import { WholeBatches, wholeOf } from '../result/whole-batches.js'
import type { CompileRequest, CompileResult, Execution, QueryEvent, QueryObserver } from './asking.js'
import { endable } from './endable.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import type { ModelService, QueryService } from './semantic-service.js'

type Verbs = Pick<QueryService, 'compile' | 'execute' | 'dimensionValues'>
type Asked = Pick<QueryEvent, 'verb' | 'asker' | 'query'> & { readonly target: QueryTarget }
type Found = Pick<QueryEvent, 'outcome' | 'rows' | 'dialect' | 'rollups'> & { readonly handle?: ModelHandle }

/** Observers of queries. An exception in one does not affect the others. */
export class Observers {
  readonly #observers = new Set<QueryObserver>()

  add(observer: QueryObserver): () => void {
    this.#observers.add(observer)
    return () => void this.#observers.delete(observer)
  }

  /** Whether there is a listener. One that is added later need not hear of a question that has begun. */
  get some(): boolean {
    return this.#observers.size > 0
  }

  /** The event is created only if there is a listener: most services have no audit and no metrics, and run many queries. */
  tell(describe: () => QueryEvent): void {
    if (this.#observers.size === 0) return
    const question = describe()
    for (const observer of this.#observers) {
      try {
        observer(question)
      } catch {}
    }
  }
}

/** The methods, which report every query when its answer has ended: after the last row, or with the error. */
export function observeQueries(verbs: Verbs, observers: Observers, resolve: ModelService['resolveModel']): Verbs {
  /** A refused query may have found its model before. */
  const found = ({ target, asker }: Asked): ModelHandle | undefined => {
    try {
      return resolve(target, asker?.principal)
    } catch {
      return undefined
    }
  }
  const begin = (asked: Asked) => {
    const started = performance.now()
    return ({ outcome, rows, dialect, handle, rollups }: Found) =>
      observers.tell(() => {
        const { target: _, ...question } = asked
        const { sessionId, modelId } = handle ?? found(asked) ?? {}
        return { ...question, outcome, rows, dialect, rollups, sessionId, modelId, milliseconds: performance.now() - started }
      })
  }

  async function run(asked: Asked, work: () => Promise<Execution>): Promise<Execution> {
    const end = begin(asked)
    const execution = await work().catch((error) => refused(error, end))
    // An answer that is all there holds nothing that must be ended.
    if (!observers.some && wholeOf(execution.batches)) return execution
    return { ...execution, batches: observed(execution, end) }
  }

  async function compile(request: CompileRequest): Promise<CompileResult> {
    const end = begin({ verb: 'compile', asker: request.asker, query: request.query, target: request.target })
    const compiled = await verbs.compile(request).catch((error) => refused(error, end))
    end({ outcome: 'ok', handle: compiled.handle, dialect: compiled.dialect })
    return compiled
  }

  return {
    // Not `async`: that would wrap the promise in another one, which takes three more turns of microtasks.
    compile: (request) => (observers.some ? compile(request) : verbs.compile(request)),
    execute: (request, options) =>
      run({ verb: 'execute', asker: request.asker, query: request.query, target: request.target }, () =>
        verbs.execute(request, options),
      ),
    dimensionValues: ({ target, ...request }, options) => {
      const { dimension, search, limit } = request
      return run({ verb: 'values', asker: request.asker, query: { dimension, search, limit }, target }, () =>
        verbs.dimensionValues({ target, ...request }, options),
      )
    },
  }
}

/** The same batches; the query has ended when they have, or when they are taken as a whole. */
function observed(execution: Execution, end: (found: Found) => void): AsyncIterable<RecordBatch> {
  const whole = wholeOf(execution.batches)
  if (whole === undefined) return endable(told(execution, end))
  const { batches, made } = whole
  const taken = () => end(answered(execution, 'ok'))
  return new WholeBatches({ batches, made, taken, stream: () => endable(told(execution, end)) })
}

const answered = ({ compiled: { handle, dialect, rollupOutcome }, outcome }: Execution, how: QueryEvent['outcome']): Found => ({
  outcome: how,
  handle,
  dialect,
  rollups: rollupOutcome?.(),
  rows: outcome().rowCount,
})

async function* told(execution: Execution, end: (found: Found) => void): AsyncGenerator<RecordBatch> {
  let outcome: QueryEvent['outcome'] = 'QUERY_CANCELLED'
  try {
    yield* execution.batches
    outcome = 'ok'
  } catch (error) {
    outcome = codeOf(error)
    throw error
  } finally {
    end(answered(execution, outcome))
  }
}

function refused(error: unknown, end: (found: Found) => void): never {
  end({ outcome: codeOf(error) })
  throw error
}

const codeOf = (error: unknown) => (error instanceof GrainlineError ? error.code : 'INTERNAL_ERROR')
