import { CompileCache, type KeptCompilation, type Verdict } from '../cache/compile-cache.js'
import type { ResultCache } from '../cache/result-cache.js'
import { type Arrow, type CompileContext, compile, compileThrough, type Stage } from '../compile.js'
import { composables } from '../discovery/composables.js'
import { metricTypes, modelColumns } from '../discovery/model-columns.js'
import { valuesQuery } from '../discovery/values-query.js'
import { errorCatalog } from '../error-catalog.js'
import { type Finding, fail, GrainlineError, warning } from '../errors.js'
import { immutable, isImmutable, remembering } from '../immutable.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import type { QueryObject } from '../query/query-object.js'
import type { CellView } from '../resolve/resolved-query.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Dialect } from '../sql/dialect.js'
import { traced } from '../telemetry.js'
import { type Asker, type CellQuestion, type CompileRequest, clientOf, type ExecuteOptions, type Execution } from './asking.js'
import { catalogueOf, supportedBy } from './catalogue.js'
import { cellQuery } from './cell-query.js'
import { chooseDialect } from './choose-dialect.js'
import { resultOf, type Understood, VALID } from './compile-result.js'
import { composing } from './composing.js'
import type { Connections } from './connections.js'
import { defaultLimitOf, wholeOrRefused } from './default-limit.js'
import { findByName } from './find-by-name.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import { keepAnswers } from './keep-answers.js'
import type { KnownTypes, PhysicalCatalogue } from './physical-types.js'
import { PlacesOfClients, placesOf } from './places-of-clients.js'
import { executionEnabled } from './public-settings.js'
import { runQuery } from './run-query.js'
import type { DiscoveryService, QueryService, ReferenceService } from './semantic-service.js'
import type { ServiceDeps } from './service-deps.js'

type QueryVerbs = Omit<QueryService, 'rowsBehind'> &
  Pick<DiscoveryService, 'modelColumns' | 'metricTypes'> &
  Pick<ReferenceService, 'dialects' | 'supportedBy'>

interface HowCompiled extends Pick<CompileRequest, 'everyRowOf' | 'cell'> {
  readonly dialect: Dialect
  readonly defaultLimit?: number | undefined
}

interface Asked extends Understood {
  /** `compiled` is that of it, with facts about the data that were found since. */
  readonly kept: KeptCompilation
  /** Why the database could not report how it stores the columns. */
  readonly unreachable: unknown
}

/** The known faults in the data that a compiled query reads. */
export type KnownFaults = (compiled: CompiledQuery, model: SemanticModel) => readonly Finding[]

export function createQueries(
  deps: ServiceDeps & { readonly physical: PhysicalCatalogue },
  connections: Connections,
  results: ResultCache | undefined,
  faultsOf: KnownFaults = () => [],
) {
  const running = new Set<AbortController>()
  const places = new PlacesOfClients(placesOf(deps.settings))
  const enabled = executionEnabled(deps.settings)
  const catalogue = catalogueOf(deps)
  const { physical } = deps
  const choice = { ...deps, vendor: deps.settings.DB_VENDOR }
  const limits = { maxParts: deps.settings.QUERY_MAX_PARTS, maxValues: deps.settings.QUERY_MAX_VALUES }
  const maxSteps = deps.settings.COMPILE_MAX_STEPS
  /** The parsed query. It is immutable if the request is, so that later steps can remember results for it, too. */
  const readQuery = remembering((query: unknown): QueryObject => {
    const read = parseQuery(query, limits)
    return isImmutable(query) ? immutable(read) : read
  })
  const compilations = new CompileCache({
    maxEntries: deps.settings.COMPILE_CACHE_MAX_ENTRIES,
    maxBytes: deps.settings.COMPILE_CACHE_MAX_BYTES,
    maxEntryBytes: deps.settings.COMPILE_CACHE_MAX_ENTRY_BYTES,
  })

  function compileQuery(
    query: QueryObject,
    model: SemanticModel,
    { dialect, cell, everyRowOf, defaultLimit }: HowCompiled,
    keep: Pick<CompileCache, 'get'> = compilations,
  ): KeptCompilation {
    const behind = viewOf(cell)
    const { types, fingerprint } = physical.known(model, dialect)
    const now = deps.now()
    const key = {
      query,
      model,
      physical: fingerprint,
      dialect: dialect.name,
      defaultLimit: query.limit === undefined ? defaultLimit : undefined,
      everyRowOf,
      behind,
    }
    const compileAnew = () =>
      compile(query, model, {
        ...{ dialect, ...catalogue(), now, maxSteps, storedTypes: types },
        ...(defaultLimit !== undefined && { defaultLimit }),
        ...(everyRowOf !== undefined && { everyRowOf }),
        ...(behind && { behind }),
      })
    return traced('compile', { dialect: dialect.name }, () => keep.get(key, now, compileAnew))
  }

  const dialectFor = (asked: string | undefined, model: SemanticModel) => chooseDialect(asked, model, choice)

  /** At once, unless the database must first be asked how it stores the columns. */
  function understand(request: CompileRequest, resolve: ResolveModel, defaultLimit?: number): Asked | Promise<Asked> {
    const handle = resolve(request.target)
    const { model } = handle
    const asked = readQuery(request.query)
    const query = request.cell ? cellQuery(asked, request.cell) : asked
    const dialect = dialectFor(request.dialect, model)
    const understood = ({ unreachable }: KnownTypes): Asked => {
      const { everyRowOf, cell } = request
      const kept = compileQuery(query, model, { dialect, everyRowOf, cell, defaultLimit })
      const faults = faultsOf(kept.compiled, model)
      const compiled =
        faults.length === 0 ? kept.compiled : { ...kept.compiled, warnings: [...kept.compiled.warnings, ...faults] }
      return { handle, query: kept.query, kept, compiled, unreachable }
    }
    const stored = physical.read(model, dialect, () => clientOf(request.asker))
    return stored instanceof Promise ? stored.then(understood) : understood(stored)
  }

  /** Whether the statement is valid, according to the database of its dialect if one is connected. */
  async function check(compiled: CompiledQuery, unreachable: unknown, asker: Asker | undefined): Promise<Verdict> {
    if (unreachable) whenUnavailable(unreachable)
    if (!enabled || !connections.runs(compiled.dialect)) return unchecked(`no connection runs ${compiled.dialect}`)
    const asked = unreachable ? undefined : connections.open(compiled.dialect, clientOf(asker))
    const answer = await asked?.then((connection) => connection.check(compiled.sql)).catch(whenUnavailable)
    if (!answer) return unchecked(`the ${compiled.dialect} database cannot be reached`)
    if (answer.valid) return VALID
    return { valid: false, warnings: [warning('SQL_REJECTED', `The database does not accept the statement: ${answer.message}`)] }
  }

  /** The result of the check of a cached statement: a positive one is cached with it, any other may change by the next time. */
  function verdictOn(kept: KeptCompilation, unreachable: unknown, asker: Asker | undefined): Verdict | Promise<Verdict> {
    if (kept.verdict !== undefined) return kept.verdict
    const keep = (verdict: Verdict | undefined) => {
      if (kept.verdict === asked) kept.verdict = verdict
    }
    const asked = check(kept.compiled, unreachable, asker).then(
      (verdict) => {
        keep(verdict === VALID ? verdict : undefined)
        return verdict
      },
      (error: unknown) => {
        keep(undefined)
        throw error
      },
    )
    kept.verdict = asked
    return asked
  }

  const keeping = results && keepAnswers(results)

  async function execute(request: CompileRequest, options: ExecuteOptions, resolve: ResolveModel): Promise<Execution> {
    if (!enabled) fail('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
    const cut = defaultLimitOf(options, deps.settings)
    // One row more than is returned, so that a truncated answer is distinguished from a complete one.
    const understood = understand(request, resolve, cut === undefined ? undefined : cut + 1)
    const asked = understood instanceof Promise ? await understood : understood
    const { handle, query, compiled, unreachable } = asked
    if (unreachable) throw unreachable
    const ownCut = query.limit === undefined ? cut : undefined
    const run = async (options: ExecuteOptions) => {
      const leave = await places.enter(request.asker, options.signal)
      try {
        const connection = await connections.open(compiled.dialect, clientOf(request.asker))
        return await runQuery({ understood: asked, connection, cut: ownCut }, options, {
          running,
          sizes: deps.settings,
          ended: leave,
        })
      } catch (error) {
        leave()
        connections.doubt(compiled.dialect)
        throw error
      }
    }
    const question = { query, model: handle.model, compiled, cut: ownCut, source: connections.sourceOf(compiled.dialect) }
    const execution = await (keeping ? keeping(asked, question, run, options) : run(options))
    return options.defaultLimit === 'sql' ? wholeOrRefused(execution) : execution
  }

  return {
    compilations,
    compileExample: (query: unknown, model: SemanticModel) =>
      compileQuery(parseQuery(query, limits), model, { dialect: dialectFor(undefined, model) }),
    /** The same, neither cached nor counted. */
    compileUnkept: (query: unknown, model: SemanticModel) =>
      compileQuery(parseQuery(query, limits), model, { dialect: dialectFor(undefined, model) }, KEEPS_NOTHING),
    abortAll() {
      for (const controller of running) controller.abort(new GrainlineError('SHUTTING_DOWN', 'The service is stopping'))
    },
    verbs: (resolve: ResolveModel): QueryVerbs => ({
      async compile(request) {
        const understood = understand(request, resolve)
        const asked = understood instanceof Promise ? await understood : understood
        const verdict = request.checked === false ? VALID : verdictOn(asked.kept, asked.unreachable, request.asker)
        return resultOf(asked, believing(asked.compiled, verdict instanceof Promise ? await verdict : verdict))
      },
      async stages(request) {
        const { query, handle } = await understand(request, resolve)
        const dialect = dialectFor(request.dialect, handle.model)
        const { types } = physical.known(handle.model, dialect)
        const without = new Set(request.without)
        return stagesOf(query, handle.model, { dialect, ...catalogue(), now: deps.now(), maxSteps, storedTypes: types, without })
      },
      async explainInDatabase(compiled, asker) {
        if (!enabled) fail('EXECUTION_DISABLED', 'Execution is off; QUERY_EXECUTE=true turns it on')
        return (await connections.open(compiled.dialect, clientOf(asker))).explain(compiled.sql)
      },
      execute: (request, options = {}) => execute(request, options, resolve),
      async composables(request) {
        const { model: own } = resolve(request.target)
        const { query, model } = composing(request, own, limits)
        const dialect = dialectFor(request.dialect, own)
        await physical.read(own, dialect)
        const asked = (wanted: QueryObject) => compileQuery(wanted, model, { dialect }).compiled.resolved.fact_tables
        return composables(query, own, asked)
      },
      async dimensionValues({ target, dimension, dialect, search, limit, all = false }, running = {}) {
        const handle = resolve(target)
        const found = findByName(dimension, handle.model.dimensions, 'FIELD_NOT_FOUND', 'a dimension of this model')
        const { query, model } = valuesQuery(found, handle.model, { search, limit, all })
        return execute({ target, query, dialect }, running, () => ({ ...handle, model }))
      },
      modelColumns: (model) => modelColumns(model, catalogue()),
      metricTypes: (model) => metricTypes(model, catalogue()),
      dialects: () => [...deps.dialects],
      supportedBy: (dialect) => supportedBy(dialect, deps.aggregates, deps.functions),
    }),
  }
}

function stagesOf(query: QueryObject, model: SemanticModel, context: CompileContext): Readonly<Record<Stage | 'sql', unknown>> {
  const values: Partial<Record<Stage, unknown>> = {}
  // If a stage passes several values, the last one is shown.
  const note: Arrow = (stage, value) => {
    values[stage] = value
    return value
  }
  const { sql } = compileThrough(query, model, context, note)
  const { resolved, bound, plan, statement, lowered } = values
  return { resolved, bound, plan, statement, lowered, sql }
}

const viewOf = (asked: CellQuestion | undefined): CellView | undefined =>
  asked && asked.shows !== 'answer' ? { cell: asked.cell, shows: asked.shows } : undefined

type ResolveModel = (target: QueryTarget) => ModelHandle

function unchecked(why: string): { valid: boolean; warnings: Finding[] } {
  return { valid: true, warnings: [warning('SQL_NOT_VALIDATED', `The SQL was not checked: ${why}`)] }
}

/**
 * A verdict with a warning if the statement believes declarations that the database did not confirm. For a valid statement it is the same value each
 * time.
 */
function believing(compiled: CompiledQuery, verdict: Verdict): Verdict {
  if (compiled.unchecked_columns.length === 0) return verdict
  if (verdict !== VALID) return withBelief(compiled, verdict)
  const known = BELIEVING.get(compiled) ?? withBelief(compiled, verdict)
  BELIEVING.set(compiled, known)
  return known
}

const BELIEVING = new WeakMap<CompiledQuery, Verdict>()

function withBelief({ unchecked_columns: columns }: CompiledQuery, verdict: Verdict): Verdict {
  const more = columns.length > NAMED ? ` and ${columns.length - NAMED} more` : ''
  const names = `${columns
    .slice(0, NAMED)
    .map((name) => `'${name}'`)
    .join(', ')}${more}`
  const finding = warning('TYPES_NOT_CHECKED', `The statement believes the declared types of ${names}`, {
    hint: errorCatalog.TYPES_NOT_CHECKED.fix,
    context: { columns: columns.join(', ') },
  })
  return { ...verdict, warnings: [...verdict.warnings, finding] }
}

/** The number of columns that a message names. */
const NAMED = 5

function whenUnavailable(error: unknown): undefined {
  if (error instanceof GrainlineError) return undefined
  throw error
}

const KEEPS_NOTHING: Pick<CompileCache, 'get'> = { get: ({ query }, _now, compile) => ({ query, compiled: compile() }) }
