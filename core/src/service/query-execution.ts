import type { ResultCache } from '../cache/result-cache.js'
import { fail, GrainlineError } from '../errors.js'
import { withholdsSql } from '../model/access.js'
import { type CompileRequest, clientOf, type ExecuteOptions, type Execution } from './asking.js'
import type { Connections } from './connections.js'
import { defaultLimitOf, wholeOrRefused } from './default-limit.js'
import { keepAnswers } from './keep-answers.js'
import { PlacesOfClients, placesOf } from './places-of-clients.js'
import type { Asked, QueryCompiler, ResolveModel } from './query-compiler.js'
import { refuseWithoutValues } from './refuse-without-values.js'
import { runQuery } from './run-query.js'
import type { ServiceDeps } from './service-deps.js'
import { errorFor, withErrorsFor } from './withheld.js'

interface Parts {
  readonly settings: ServiceDeps['settings']
  readonly compiler: QueryCompiler
  readonly connections: Connections
  readonly results: ResultCache | undefined
  /** Whether queries may run at all. */
  readonly enabled: boolean
}

/** Runs compiled queries, within the places of each client, and keeps their answers. */
export class QueryExecution {
  readonly #running = new Set<AbortController>()
  readonly #places: PlacesOfClients
  readonly #keeping: ReturnType<typeof keepAnswers> | undefined

  constructor(private readonly parts: Parts) {
    this.#places = new PlacesOfClients(placesOf(parts.settings))
    this.#keeping = parts.results && keepAnswers(parts.results)
  }

  async execute(request: CompileRequest, options: ExecuteOptions, resolve: ResolveModel): Promise<Execution> {
    this.refuseIfDisabled()
    for (;;) {
      try {
        return await this.#execute(request, options, resolve)
      } catch (error) {
        // Compiled once more: each time with a build less.
        if (!(error instanceof BuildGone)) throw error
      }
    }
  }

  async #execute(request: CompileRequest, options: ExecuteOptions, resolve: ResolveModel): Promise<Execution> {
    const { settings, compiler, connections } = this.parts
    const cut = defaultLimitOf(options, settings)
    // One row more than is returned, so that a truncated answer is distinguished from a complete one.
    const understood = compiler.understand(request, resolve, cut === undefined ? undefined : cut + 1)
    const asked = understood instanceof Promise ? await understood : understood
    const { handle, query, compiled, unreachable } = asked
    if (handle.model.access !== undefined && request.asker === undefined)
      fail('PRINCIPAL_REQUIRED', 'The model has access rules, and the call does not name its principal')
    if (unreachable) throw errorFor(unreachable, handle.model)
    refuseWithoutValues(compiled)
    const ownCut = query.limit === undefined ? cut : undefined
    const run = (options: ExecuteOptions) => this.#run(asked, { request, options, cut: ownCut })
    const question = { query, model: handle.model, compiled, cut: ownCut, source: connections.sourceOf(compiled.dialect) }
    const execution = await (this.#keeping ? this.#keeping(asked, question, run, options) : run(options))
    const shown = withholdsSql(handle.model) ? withoutTables(execution) : execution
    return options.defaultLimit === 'sql' ? wholeOrRefused(shown) : shown
  }

  async #run(asked: Asked, { request, options, cut }: Run): Promise<Execution> {
    const { settings, connections, compiler } = this.parts
    const { dialect, rollups } = asked.compiled
    const leave = await this.#places.enter(request.asker, options.signal)
    try {
      if (rollups.length > 0 && !compiler.areCurrent(asked)) throw new BuildGone()
      const connection = await connections.open(dialect, clientOf(request.asker))
      const bounds = { running: this.#running, sizes: settings, ended: leave }
      const run = await runQuery({ understood: asked, connection, cut }, options, bounds)
      return withholdsSql(asked.handle.model) ? { ...run, batches: withErrorsFor(run.batches, asked.handle.model) } : run
    } catch (error) {
      leave()
      if (error instanceof BuildGone) throw error
      if (rollups.length > 0 && isOfStatement(error)) {
        compiler.rollups.doubt(asked.compiled)
        throw new BuildGone()
      }
      connections.doubt(dialect)
      throw errorFor(error, asked.handle.model)
    }
  }

  refuseIfDisabled(): void {
    if (!this.parts.enabled) fail('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
  }

  abortAll(): void {
    for (const controller of this.#running) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
  }
}

/** A build that a compilation reads is no longer to be read. */
class BuildGone extends Error {}

/** Limits and endings say nothing about the tables of a statement. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  'QUERY_TIMEOUT',
  'QUERY_CANCELLED',
  'SHUTTING_DOWN',
  'TOO_MANY_STATEMENTS',
  'POOL_EXHAUSTED',
  'VENDOR_UNAVAILABLE',
  'RESULT_TOO_LARGE',
])

const isOfStatement = (error: unknown): boolean => error instanceof GrainlineError && !OF_OTHERS.has(error.code)

/** The answer without the name of the table that limits how long it is kept. */
const withoutTables = (execution: Execution): Execution => ({
  ...execution,
  outcome: () => {
    const { cache, ...outcome } = execution.outcome()
    return { ...outcome, ...(cache && { cache: { ...cache, limitingTable: undefined } }) }
  },
})

interface Run {
  readonly request: CompileRequest
  readonly options: ExecuteOptions
  /** The maximum number of rows to read. */
  readonly cut: number | undefined
}
