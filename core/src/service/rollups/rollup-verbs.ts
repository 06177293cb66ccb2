/** What an operator does with the rollup tables of a model: their builds, their state, and the comparison with the facts. */
import { contractOf } from '../../cache/freshness.js'
import { compileRollup } from '../../compile/compile-rollup.js'
import { fail } from '../../errors.js'
import { entryOf } from '../../invariant.js'
import type { Logger } from '../../logger.js'
import { declaredObjects, type Rollup, type SemanticModel } from '../../model/semantic-model.js'
import type { Dialect } from '../../sql/dialect.js'
import { clientOf, type ExecuteOptions, type RollupRequest } from '../asking.js'
import type { Connections } from '../connections.js'
import { findByName } from '../find-by-name.js'
import type { PhysicalCatalogue } from '../physical-types.js'
import type { QueryCompiler, ResolveModel } from '../query-compiler.js'
import type { RollupService } from '../semantic-service.js'
import { refuseIfWithheld } from '../withheld.js'
import { faultOf } from './groups.js'
import { type BuilderDeps, buildRollup, compareBuild, type RollupPlan, registerWrong } from './rollup-builder.js'
import { asOfOf } from './rollup-builds.js'
import type { RollupStatus, RollupVerified } from './rollup-status.js'

interface Parts {
  readonly deps: {
    readonly logger: Logger
    readonly randomId: () => string
    readonly physical: PhysicalCatalogue
    readonly now: () => Date
  }
  readonly connections: Connections
  readonly compiler: QueryCompiler
  readonly refuseIfDisabled: () => void
}

export const rollupVerbs = (parts: Parts, resolve: ResolveModel): RollupService => ({
  async rollupStatement({ asker, target, rollup, dialect }) {
    const { model } = resolve(target, asker?.principal)
    refuseIfWithheld(model)
    return parts.compiler.rollup(rollupNamed(rollup, model), model, dialect)
  },
  async rollupStatus({ asker, target, dialect: asked }) {
    const { model, dialect } = await opened(parts, resolve, { asker, target, dialect: asked })
    const { rollups } = parts.compiler
    await rollups.readAgain(model, dialect)
    return [...model.rollups.values()].map((rollup) =>
      statusOf(rollup, rollups.buildsOf(rollup, model, dialect), parts.compiler.definitionOf(rollup, model, dialect)),
    )
  },
  async buildRollup(request, options = {}) {
    const { model, dialect } = await opened(parts, resolve, request)
    const plan = planOf(rollupNamed(request.rollup, model), model, dialect, parts)
    return buildRollup(plan, builderOf(dialect, parts), options.signal)
  },
  async verifyRollup(request, options = {}) {
    const { model, dialect } = await opened(parts, resolve, request)
    return verified(rollupNamed(request.rollup, model), { model, dialect, options }, parts)
  },
})

const rollupNamed = (name: string, model: SemanticModel): Rollup =>
  findByName(name, model.rollups, 'FIELD_NOT_FOUND', 'a rollup of this model')

/** Builds hold all rows, so they are for those whom no access rules bind. */
async function opened(parts: Parts, resolve: ResolveModel, { asker, target, dialect: asked }: Omit<RollupRequest, 'rollup'>) {
  parts.refuseIfDisabled()
  const { model } = resolve(target, asker?.principal)
  refuseIfWithheld(model)
  const dialect = parts.compiler.dialectFor(asked, model)
  await parts.deps.physical.read(model, dialect, () => clientOf(asker))
  return { model, dialect }
}

function planOf(rollup: Rollup, model: SemanticModel, dialect: Dialect, { compiler, deps }: Parts): RollupPlan {
  const { types } = deps.physical.known(model, dialect)
  const context = { dialect, ...compiler.catalogue(), now: deps.now(), storedTypes: types }
  const { sql, columns, data_objects: objects } = compileRollup(rollup, model, context)
  const isStatic = objects.every((name) => contractOf(entryOf(declaredObjects(model), name), model)?.mode === 'static')
  return { rollup, definition: compiler.definitionOf(rollup, model, dialect), sql, columns, isStatic }
}

function builderOf(dialect: Dialect, { connections, deps }: Parts): BuilderDeps {
  const storage = connections.rollupsOf(dialect.name)
  if (!storage)
    return fail(
      'NO_CONNECTION',
      `This version builds no rollup tables in a database of ${dialect.name}; rollup sql and rollup dbt print the statements`,
    )
  const reader = async () => {
    await connections.reopen()
    return connections.open(dialect.name)
  }
  return { ...deps, storage, dialect, reader }
}

function statusOf(
  rollup: Rollup,
  { state, builds }: ReturnType<QueryCompiler['rollups']['buildsOf']>,
  definition: string,
): RollupStatus {
  const { name, table } = rollup
  const isRead = (build: string): boolean => state.kind === 'built' && state.build === build
  return {
    rollup: name,
    table: table.name,
    definition,
    state: state.kind === 'built' ? 'built' : state.reason,
    says: state.kind === 'built' ? null : state.says,
    builds: builds.map((one) => ({
      build: one.build,
      table: one.table.name,
      definition: one.definition,
      as_of: asOfOf(one),
      rows: one.rows,
      state: one.state,
      read: isRead(one.build),
    })),
  }
}

interface Verifying {
  readonly model: SemanticModel
  readonly dialect: Dialect
  readonly options: Pick<ExecuteOptions, 'signal'>
}

/** The newest build of the present definition. Facts may have changed since: then a difference says nothing. */
async function verified(rollup: Rollup, { model, dialect, options }: Verifying, parts: Parts): Promise<RollupVerified> {
  const { rollups } = parts.compiler
  await rollups.readAgain(model, dialect)
  const plan = planOf(rollup, model, dialect, parts)
  const { builds } = rollups.buildsOf(rollup, model, dialect)
  const build = builds.find((one) => one.definition === plan.definition && one.state !== 'building')
  if (!build) return fail('NOT_FOUND', `No build of '${rollup.name}' is registered for its present definition`)
  if (!rollups.isUnchangedSince(build, rollup, model, dialect))
    fail(
      'CONFLICT',
      `The tables of '${rollup.name}' may have changed since its build, so that a difference would say nothing; build it again`,
    )
  const deps = builderOf(dialect, parts)
  const compared = await compareBuild(plan, build, deps, options.signal)
  const fault = faultOf(compared) ?? null
  if (fault !== null) rollups.quarantine([build.build])
  const registered = fault !== null && deps.storage.openWriter !== undefined
  if (registered) await registerWrong(rollup, build, deps)
  return { rollup: rollup.name, build: build.build, fault, registered, ...compared }
}
