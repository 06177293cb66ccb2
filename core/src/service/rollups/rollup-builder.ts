/** Builds the tables of rollups, compares them with the facts, and registers them: the work of an operator, never of a server. */
import { errorCatalog } from '../../error-catalog.js'
import { fail, GrainlineError } from '../../errors.js'
import type { RollupStorage, RollupWriter, VendorConnection } from '../../execute/vendor.js'
import { messageOf } from '../../invariant.js'
import type { Logger } from '../../logger.js'
import type { Rollup } from '../../model/semantic-model.js'
import type { ResultSchema } from '../../result/record-batch.js'
import type { Dialect } from '../../sql/dialect.js'
import { sourceText } from '../../sql/text.js'
import { utf8Length } from '../../utf8-length.js'
import { type Compared, compareGroups, faultOf, type Groups, readGroups } from './groups.js'
import {
  createRegistry,
  dropTable,
  forgetBuild,
  insertBuild,
  placeOf,
  type RegisteredBuild,
  readRegistry,
  settleBuild,
} from './registry.js'
import { asOfOf } from './rollup-builds.js'

/** What a table is made from. */
export interface RollupPlan {
  readonly rollup: Rollup
  readonly definition: string
  readonly sql: string
  readonly columns: ResultSchema
  /** Whether no table that it reads ever changes. */
  readonly isStatic: boolean
}

export interface BuilderDeps {
  readonly storage: RollupStorage
  readonly dialect: Dialect
  readonly logger: Logger
  readonly randomId: () => string
  /** The connection of the server, which may have to be opened again to see what was written. */
  readonly reader: () => Promise<VendorConnection>
}

export interface RollupBuilt extends Compared {
  readonly rollup: string
  readonly build: string
  readonly table: string
  readonly definition: string
  readonly as_of: string
  readonly rows: number
  readonly seconds: number
}

/** A statement may still read the build before the new one. */
const KEPT_BEFORE = 1
/** A build that takes longer than this has ended without saying so, in microseconds. */
const DEAD_AFTER = 86_400_000_000

export async function openWriter({ storage, logger }: BuilderDeps, { table }: Rollup): Promise<RollupWriter> {
  if (!storage.openWriter)
    return fail('NO_CONNECTION', `Tables of rollups need a connection that may write; ${storage.setting} is not set`, {
      hint: `Set ${storage.setting} where rollups are built, and not in the environment of the server.`,
    })
  return storage.openWriter({ logger, database: table.database })
}

/** A new table beside the one before, which serves until the new one is registered, and if anything fails. */
export async function buildRollup(plan: RollupPlan, deps: BuilderDeps, signal?: AbortSignal): Promise<RollupBuilt> {
  const started = performance.now()
  const { rollup, definition } = plan
  const writer = await openWriter(deps, rollup)
  try {
    await writer.run(createRegistry(placeOf(rollup.table), deps.dialect))
    const before = plan.isStatic ? undefined : await factsOf(plan, deps, signal)
    const begun = await begin(plan, writer, deps)
    try {
      await writer.run(`CREATE TABLE ${tableText(begun, deps)} AS\n${plan.sql}`, signal)
      await writer.publish()
      const after = await factsOf(plan, deps, signal)
      const table = await tableOf(plan, begun, deps, signal)
      const compared = compareGroups(table, before ?? after, after)
      const fault = faultOf(compared)
      if (fault !== undefined) fail('ROLLUP_BUILD_FAILED', `The table of '${rollup.name}' is not what the facts say: ${fault}`)
      const rows = table.values.size
      await writer.run(settleBuild({ ...begun, rows, state: 'serving' }, deps.dialect))
      await dropOld(begun, writer, deps)
      await writer.publish()
      const seconds = Math.round(performance.now() - started) / 1000
      const { build } = begun
      return { rollup: rollup.name, build, table: begun.table.name, definition, as_of: asOfOf(begun), rows, seconds, ...compared }
    } catch (error) {
      await undo(begun, writer, deps)
      throw error
    }
  } catch (error) {
    throw error instanceof GrainlineError ? error : failed(rollup, error)
  } finally {
    await writer.close()
  }
}

const failed = ({ name }: Rollup, cause: unknown): GrainlineError =>
  new GrainlineError('ROLLUP_BUILD_FAILED', `The table of '${name}' was not built: ${messageOf(cause)}`, {
    cause,
    hint: errorCatalog.ROLLUP_BUILD_FAILED.fix,
  })

/** The moment is before the first read. */
async function begin({ rollup, definition }: RollupPlan, writer: RollupWriter, deps: BuilderDeps): Promise<RegisteredBuild> {
  const builtAt = await writer.clock()
  const build = deps
    .randomId()
    .replaceAll(/[^0-9a-z]/gi, '')
    .toLowerCase()
    .slice(0, BUILD_DIGITS)
  const table = { ...rollup.table, name: nameOfTable(rollup.table.name, build, deps.dialect) }
  const begun = { rollup: rollup.table.name, build, table, definition, builtAt, rows: 0, state: 'building' } as const
  await writer.run(insertBuild(begun, deps.dialect))
  return begun
}

const BUILD_DIGITS = 12

function nameOfTable(name: string, build: string, { maxIdentifierBytes }: Dialect): string {
  let head = name
  while (utf8Length(head) > maxIdentifierBytes - build.length - 1) head = [...head].slice(0, -1).join('')
  return `${head}_${build}`
}

async function undo(begun: RegisteredBuild, writer: RollupWriter, { dialect, logger }: BuilderDeps): Promise<void> {
  try {
    await writer.run(dropTable(begun, dialect))
    await writer.run(forgetBuild(begun, dialect))
    await writer.publish()
  } catch (error) {
    logger.warn({ table: begun.table.name, error: messageOf(error) }, 'what is left of a failed build is dropped by a later one')
  }
}

/** Of the builds before, the last one stays; those that never ended go after a day. */
async function dropOld(begun: RegisteredBuild, writer: RollupWriter, deps: BuilderDeps): Promise<void> {
  const registered = await readRegistry(placeOf(begun.table), deps.dialect, await deps.reader())
  const others = registered.filter(({ rollup, build }) => rollup === begun.rollup && build !== begun.build)
  const now = await writer.clock()
  const complete = others.filter(({ state }) => state !== 'building')
  const dead = others.filter(({ state, builtAt }) => state === 'building' && now - builtAt > DEAD_AFTER)
  for (const one of [...complete.slice(KEPT_BEFORE), ...dead]) {
    // Nobody finds it any more before it is gone.
    await writer.run(forgetBuild(one, deps.dialect))
    await writer.run(dropTable(one, deps.dialect))
  }
}

const tableText = ({ table }: Pick<RegisteredBuild, 'table'>, { dialect }: BuilderDeps): string =>
  sourceText({ kind: 'table', ...table }, dialect)

async function factsOf({ sql, columns, rollup }: RollupPlan, deps: BuilderDeps, signal?: AbortSignal): Promise<Groups> {
  const keys = rollup.dimensions.length
  return readGroups(sql, { connection: await deps.reader(), schema: columns, keys, signal })
}

async function tableOf(
  { columns, rollup }: RollupPlan,
  of: Pick<RegisteredBuild, 'table'>,
  deps: BuilderDeps,
  signal?: AbortSignal,
): Promise<Groups> {
  const names = columns.map(({ name }) => deps.dialect.quote(name)).join(', ')
  const keys = rollup.dimensions.length
  const sql = `SELECT ${names} FROM ${tableText(of, deps)}`
  return readGroups(sql, { connection: await deps.reader(), schema: columns, keys, signal })
}

/** Compares a registered build with the facts of now. */
export async function compareBuild(
  plan: RollupPlan,
  build: Pick<RegisteredBuild, 'table'>,
  deps: BuilderDeps,
  signal?: AbortSignal,
): Promise<Compared> {
  const before = await factsOf(plan, deps, signal)
  const table = await tableOf(plan, build, deps, signal)
  const after = plan.isStatic ? before : await factsOf(plan, deps, signal)
  return compareGroups(table, before, after)
}

/** Registers that a build differs from the facts: no server reads it any more. */
export async function registerWrong(rollup: Rollup, build: RegisteredBuild, deps: BuilderDeps): Promise<void> {
  const writer = await openWriter(deps, rollup)
  try {
    await writer.run(settleBuild({ ...build, state: 'wrong' }, deps.dialect))
    await writer.publish()
  } finally {
    await writer.close()
  }
}
