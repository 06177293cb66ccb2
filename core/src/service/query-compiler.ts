import { rollupDefinition } from '../bind/rollups/rollup-definition.js'
import { CompileCache, type KeptCompilation } from '../cache/compile-cache.js'
import type { CompileContext } from '../compile/compile-context.js'
import { compileRollup, type RollupAsked } from '../compile/compile-rollup.js'
import { compileShared, withHeldValues } from '../compile/compile-shared.js'
import { type Arrow, compile, compileThrough, type Stage } from '../compile.js'
import type { Finding } from '../errors.js'
import { immutable, isImmutable, remembering } from '../immutable.js'
import type { ParameterValues } from '../model/parameter.js'
import { sharedView } from '../model/restrict.js'
import { computedModel, type Rollup, type SemanticModel } from '../model/semantic-model.js'
import { parseQuery } from '../query/parse-query.js'
import type { QueryLimits } from '../query/query-limits.js'
import type { QueryObject } from '../query/query-object.js'
import { withOwnMeasures } from '../resolve/own-measures.js'
import type { CellView } from '../resolve/resolved-query.js'
import type { CompiledQuery } from '../sql/compiled-query.js'
import type { Dialect } from '../sql/dialect.js'
import { traced } from '../telemetry.js'
import { type CellQuestion, type CompileRequest, clientOf, type RollupStatement, type StagesRequest } from './asking.js'
import { catalogueOf } from './catalogue.js'
import { cellQuery } from './cell-query.js'
import { chooseDialect, type DialectChoice } from './choose-dialect.js'
import type { Understood } from './compile-result.js'
import type { Connections } from './connections.js'
import type { ModelHandle, QueryTarget } from './held-models.js'
import type { KnownTypes, PhysicalCatalogue } from './physical-types.js'
import type { HeartbeatRecord } from './rollups/heartbeat-record.js'
import { type Defined, RollupBuilds, type RollupReading } from './rollups/rollup-builds.js'
import type { ServiceDeps } from './service-deps.js'
import type { By } from './view-of.js'

export type ResolveModel = (target: QueryTarget, by: By) => ModelHandle

/** The known faults in the data that a compiled query reads. */
export type KnownFaults = (compiled: CompiledQuery, model: SemanticModel) => readonly Finding[]

/** A compiled query of a client. */
export interface Asked extends Understood {
  /** `compiled` is that of it, with facts about the data that were found since. */
  readonly kept: KeptCompilation
  /** Why the database could not report how it stores the columns. */
  readonly unreachable: unknown
}

interface HowCompiled extends Pick<CompileRequest, 'everyRowOf' | 'shownAs' | 'cell'> {
  readonly dialect: Dialect
  readonly defaultLimit?: number | undefined
}

export interface CompilerDeps extends ServiceDeps {
  readonly physical: PhysicalCatalogue
  readonly connections: Connections
  readonly heartbeats: HeartbeatRecord
  readonly mayMissHeartbeats: boolean
}

/** Parses and compiles queries, and keeps what it compiled. */
export class QueryCompiler {
  readonly compilations: CompileCache
  readonly limits: QueryLimits
  readonly catalogue: ReturnType<typeof catalogueOf>
  readonly rollups: RollupBuilds
  readonly #choice: DialectChoice
  /** The parsed query. It is immutable if the request is, so that later steps can remember results for it, too. */
  readonly #read: (query: unknown) => QueryObject

  constructor(
    private readonly deps: CompilerDeps,
    private readonly faultsOf: KnownFaults,
  ) {
    const { settings, dialects, vendors } = deps
    this.#choice = { dialects, vendors, vendor: settings.DB_VENDOR }
    this.catalogue = catalogueOf(deps)
    this.rollups = new RollupBuilds({ ...deps, definitionOf: (...asked) => this.#defined(...asked) })
    this.limits = { maxParts: settings.QUERY_MAX_PARTS, maxValues: settings.QUERY_MAX_VALUES }
    this.compilations = new CompileCache({
      maxEntries: settings.COMPILE_CACHE_MAX_ENTRIES,
      maxBytes: settings.COMPILE_CACHE_MAX_BYTES,
      maxEntryBytes: settings.COMPILE_CACHE_MAX_ENTRY_BYTES,
    })
    this.#read = remembering((query: unknown): QueryObject => {
      const read = parseQuery(query, this.limits)
      return isImmutable(query) ? immutable(read) : read
    })
  }

  /** At once, unless the database must first be asked how it stores the columns. */
  understand(request: CompileRequest, resolve: ResolveModel, defaultLimit?: number): Asked | Promise<Asked> {
    const handle = resolve(request.target, request.asker?.principal)
    const { model } = handle
    const asked = this.#read(request.query)
    const query = request.cell ? cellQuery(asked, request.cell) : asked
    const dialect = this.dialectFor(request.dialect, model)
    const understood = ({ unreachable }: KnownTypes): Asked => {
      const { everyRowOf, shownAs, cell } = request
      const kept = this.compile(query, model, { dialect, everyRowOf, shownAs, cell, defaultLimit })
      const faults = this.faultsOf(kept.compiled, model)
      const compiled =
        faults.length === 0 ? kept.compiled : { ...kept.compiled, warnings: [...kept.compiled.warnings, ...faults] }
      const own = withOwnMeasures(asked, model, this.catalogue()).model
      return { handle: own === model ? handle : { ...handle, model: own }, query: kept.query, kept, compiled, unreachable }
    }
    const stored = this.deps.physical.read(model, dialect, () => clientOf(request.asker))
    const builds = this.rollups.refresh(model, dialect)
    if (builds) return builds.then(() => stored).then(understood)
    return stored instanceof Promise ? stored.then(understood) : understood(stored)
  }

  /** Whether a compilation may still read its builds of rollup tables. */
  areCurrent({ compiled, query, handle: { model } }: Asked): boolean {
    return this.rollups.areCurrent(compiled, query, model, this.dialectFor(compiled.dialect, model))
  }

  compile(
    query: QueryObject,
    model: SemanticModel,
    { dialect, cell, everyRowOf, shownAs, defaultLimit }: HowCompiled,
    keep: Keeps = this.compilations,
  ): KeptCompilation {
    const behind = viewOf(cell)
    const { types, fingerprint } = this.deps.physical.known(model, dialect)
    const now = this.deps.now()
    // The rows behind a number, and those of an object, are rows of facts.
    const rollups = behind || everyRowOf !== undefined ? undefined : this.rollups.readingFor(query, model, dialect)
    const key = {
      query,
      model,
      physical: fingerprint,
      dialect: dialect.name,
      defaultLimit: query.limit === undefined ? defaultLimit : undefined,
      everyRowOf,
      shownAs,
      behind,
      rollups: rollups?.key ?? '',
    }
    const context = {
      ...{ dialect, ...this.catalogue(), now, maxSteps: this.deps.settings.COMPILE_MAX_STEPS, storedTypes: types },
      ...(defaultLimit !== undefined && { defaultLimit }),
      ...(everyRowOf !== undefined && { everyRowOf }),
      ...(shownAs && { shownAs }),
      ...(behind && { behind }),
      ...(rollups && readingOf(rollups)),
    }
    const shared = sharedView(model)
    return traced('compile', { dialect: dialect.name }, () => {
      if (!shared) return keep.get(key, now, () => compiledOver(query, model, context))
      const general = () => keep.get({ ...key, model: shared }, now, () => compileShared(query, shared, context))
      return keep.filled(key, now, general, (compiled) => withHeldValues(compiled, heldOf(model), dialect))
    })
  }

  /** The model with the measures that a query writes itself. Throws the errors of a query that cannot be read, and of its measures. */
  modelOfQuery(query: unknown, model: SemanticModel): SemanticModel {
    return withOwnMeasures(this.#read(query), model, this.catalogue()).model
  }

  /** An example of a model, in the dialect of the model. */
  compileExample(query: unknown, model: SemanticModel, keep?: Keeps): KeptCompilation {
    return this.compile(parseQuery(query, this.limits), model, { dialect: this.dialectFor(undefined, model) }, keep)
  }

  /** The query after each stage of the compiler. */
  stages(query: QueryObject, model: SemanticModel, request: Pick<StagesRequest, 'dialect' | 'without'>) {
    const dialect = this.dialectFor(request.dialect, model)
    const { types } = this.deps.physical.known(model, dialect)
    const context = { dialect, ...this.catalogue(), now: this.deps.now(), maxSteps: this.deps.settings.COMPILE_MAX_STEPS }
    return stagesOf(query, model, { ...context, storedTypes: types, without: new Set(request.without) })
  }

  /** The statement of a rollup table, as it is built for the zone of the model and the defaults of its parameters. */
  rollup(rollup: Rollup, model: SemanticModel, asked: string | undefined): RollupStatement {
    const dialect = this.dialectFor(asked, model)
    const { types } = this.deps.physical.known(model, dialect)
    const context = { dialect, ...this.catalogue(), now: this.deps.now(), maxSteps: this.deps.settings.COMPILE_MAX_STEPS }
    const { sql, columns } = compileRollup(rollup, model, { ...context, storedTypes: types })
    const definition = rollupDefinition(rollup, model, context)
    return {
      rollup: rollup.name,
      table: rollup.table,
      dialect: dialect.name,
      definition,
      columns: columns.map(({ name }) => name),
      sql,
    }
  }

  /** The definition of a rollup for the zone of its model and the defaults of its parameters. */
  definitionOf(rollup: Rollup, model: SemanticModel, dialect: Dialect): string {
    return this.#defined(rollup, model, dialect, {}).definition
  }

  #defined(rollup: Rollup, model: SemanticModel, dialect: Dialect, asked: RollupAsked): Defined {
    const { types } = this.deps.physical.known(model, dialect)
    const context = { dialect, ...this.catalogue(), now: this.deps.now(), maxSteps: this.deps.settings.COMPILE_MAX_STEPS }
    const { data_objects } = compileRollup(rollup, model, { ...context, storedTypes: types }, asked)
    return { definition: rollupDefinition(rollup, model, context, asked), objects: data_objects }
  }

  dialectFor(asked: string | undefined, model: SemanticModel): Dialect {
    return chooseDialect(asked, model, this.#choice)
  }
}

/** A table that cannot be read after all is no reason to refuse a question that facts answer. */
function compiledOver(query: QueryObject, model: SemanticModel, context: CompileContext): CompiledQuery {
  try {
    return compile(query, model, context)
  } catch (error) {
    if (context.requiresRollups || !context.rollupTables?.size) throw error
    return compile(query, model, { ...context, rollupTables: new Map() })
  }
}

const readingOf = ({ tables, states, isRequired }: RollupReading) => ({
  rollupTables: new Map([...tables].map(([name, table]) => [name, { kind: 'table', ...table } as const])),
  rollupStates: states,
  requiresRollups: isRequired,
})

type Keeps = Pick<CompileCache, 'get' | 'filled'>

/** Keeps nothing. */
export const KEEPS_NOTHING: Keeps = {
  get: ({ query }, _now, compile) => ({ query, compiled: compile() }),
  filled: ({ query }, _now, shared, fill) => ({ query, compiled: fill(shared().compiled) }),
}

const heldOf = (model: SemanticModel): ParameterValues => computedModel(model).restriction?.values ?? new Map()

const viewOf = (asked: CellQuestion | undefined): CellView | undefined =>
  asked && asked.shows !== 'answer'
    ? { cell: asked.cell, shows: asked.shows, ...(asked.columns && { columns: asked.columns }) }
    : undefined

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
