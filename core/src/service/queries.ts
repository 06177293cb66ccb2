import type { ResultCache } from '../cache/result-cache.js'
import { columnsNamedIn } from '../discovery/columns-named-in.js'
import { composables } from '../discovery/composables.js'
import { metricTypes, modelColumns } from '../discovery/model-columns.js'
import { valuesQuery } from '../discovery/values-query.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { QueryObject } from '../query/query-object.js'
import { type CompileRequest, type CompileResult, type ComposablesRequest, clientOf } from './asking.js'
import { supportedBy } from './catalogue.js'
import { resultOf, VALID } from './compile-result.js'
import { composing } from './composing.js'
import type { Connections } from './connections.js'
import { findByName } from './find-by-name.js'
import { executionEnabled } from './public-settings.js'
import { type CompilerDeps, KEEPS_NOTHING, type KnownFaults, QueryCompiler, type ResolveModel } from './query-compiler.js'
import { QueryExecution } from './query-execution.js'
import { believing, QueryVerdicts } from './query-verdicts.js'
import { rollupVerbs } from './rollups/rollup-verbs.js'
import type { DiscoveryService, QueryService, ReferenceService, RollupService } from './semantic-service.js'
import { refuseIfWithheld, refuseSql } from './withheld.js'

type QueryVerbs = Omit<QueryService, 'rowsBehind'> &
  RollupService &
  Pick<DiscoveryService, 'modelColumns' | 'metricTypes'> &
  Pick<ReferenceService, 'dialects' | 'supportedBy'>

type QueryDeps = Omit<CompilerDeps, 'connections'>

/** Queries of one service: compiled, checked and run. */
export function createQueries(
  deps: QueryDeps,
  connections: Connections,
  results: ResultCache | undefined,
  faultsOf: KnownFaults = () => [],
) {
  const enabled = executionEnabled(deps.settings)
  const compiler = new QueryCompiler({ ...deps, connections }, faultsOf)
  const execution = new QueryExecution({ settings: deps.settings, compiler, connections, results, enabled })
  const parts = { deps, connections, compiler, execution, verdicts: new QueryVerdicts(connections, enabled) }
  return {
    compilations: compiler.compilations,
    modelOfQuery: (query: unknown, model: SemanticModel) => compiler.modelOfQuery(query, model),
    compileExample: (query: unknown, model: SemanticModel) => compiler.compileExample(query, model),
    /** The same, neither cached nor counted. */
    compileUnkept: (query: unknown, model: SemanticModel) => compiler.compileExample(query, model, KEEPS_NOTHING),
    abortAll: () => execution.abortAll(),
    verbs: (resolve: ResolveModel) => verbsOf(parts, resolve),
  }
}

interface Parts {
  readonly deps: QueryDeps
  readonly connections: Connections
  readonly compiler: QueryCompiler
  readonly execution: QueryExecution
  readonly verdicts: QueryVerdicts
}

function verbsOf(parts: Parts, resolve: ResolveModel): QueryVerbs {
  const { deps, connections, compiler, execution } = parts
  return {
    compile: (request) => compiledAndChecked(parts, request, resolve),
    async stages(request) {
      const { query, handle } = await compiler.understand(request, resolve)
      refuseIfWithheld(handle.model)
      return compiler.stages(query, handle.model, request)
    },
    ...rollupVerbs({ ...parts, refuseIfDisabled: () => execution.refuseIfDisabled() }, resolve),
    async explainInDatabase(compiled, asker) {
      const { restriction, hiding } = compiled.handle.model
      if (hiding || (restriction?.rows ?? []).length > 0) refuseSql()
      execution.refuseIfDisabled()
      return (await connections.open(compiled.dialect, clientOf(asker))).explain(compiled.sql)
    },
    execute: (request, options = {}) => execution.execute(request, options, resolve),
    composables: (request) => composablesOf(parts, request, resolve),
    async dimensionValues({ asker, target, dimension, dialect, search, limit, all = false }, running = {}) {
      const handle = resolve(target, asker?.principal)
      const found = findByName(dimension, handle.model.dimensions, 'FIELD_NOT_FOUND', 'a dimension of this model')
      const { query, model } = valuesQuery(found, handle.model, { search, limit, all })
      return execution.execute({ asker, target, query, dialect }, running, () => ({ ...handle, model }))
    },
    modelColumns: (model, statement) =>
      statement === undefined
        ? modelColumns(model, compiler.catalogue())
        : columnsNamedIn(statement, model, compiler.catalogue()),
    metricTypes: (model) => metricTypes(model, compiler.catalogue()),
    dialects: () => [...deps.dialects],
    supportedBy: (dialect) => supportedBy(dialect, deps.aggregates, deps.functions),
  }
}

async function compiledAndChecked(parts: Parts, request: CompileRequest, resolve: ResolveModel): Promise<CompileResult> {
  const { compiler, verdicts } = parts
  const understood = compiler.understand(request, resolve)
  const asked = understood instanceof Promise ? await understood : understood
  const found = request.checked === false ? VALID : verdicts.on(asked, request.asker)
  const verdict = believing(asked.compiled, found instanceof Promise ? await found : found)
  if (verdict.valid || asked.compiled.rollups.length === 0) return resultOf(asked, verdict)
  // The table of a build may be gone.
  compiler.rollups.doubt(asked.compiled)
  return compiledAndChecked(parts, request, resolve)
}

async function composablesOf({ deps, compiler }: Parts, request: ComposablesRequest, resolve: ResolveModel) {
  const { model: own } = resolve(request.target, request.asker?.principal)
  const { query, model } = composing(request, own, compiler.limits)
  const dialect = compiler.dialectFor(request.dialect, own)
  await deps.physical.read(own, dialect)
  const asked = (wanted: QueryObject) => compiler.compile(wanted, model, { dialect }).compiled.resolved.fact_tables
  return composables(query, own, asked)
}
