/** The builds of rollup tables that may be read now: registered, of the right definition, compared with the facts, and of data that did not change since. */
import type { RollupState, RollupStates } from '../../bind/rollups/rollup-states.js'
import { contractOf } from '../../cache/freshness.js'
import { tablesOf } from '../../cache/table-name.js'
import { entryOf, messageOf } from '../../invariant.js'
import type { Logger } from '../../logger.js'
import { declaredObjects, type Rollup, type SemanticModel } from '../../model/semantic-model.js'
import type { QueryObject, RollupChoice } from '../../query/query-object.js'
import type { Settings } from '../../settings/core-variables.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { Dialect } from '../../sql/dialect.js'
import type { Connections } from '../connections.js'
import { executionEnabled } from '../public-settings.js'
import type { HeartbeatRecord } from './heartbeat-record.js'
import { keyOfPlace, placeOf, placesIn, type RegisteredBuild, type RegistryPlace, readClock, readRegistry } from './registry.js'

/** What a rollup would be for a question: a hash of what it holds, and the data objects that its build reads. */
export interface Defined {
  readonly definition: string
  readonly objects: readonly string[]
}

/** Throws what the build throws. */
export type DefinitionOf = (rollup: Rollup, model: SemanticModel, dialect: Dialect, asked: RollupAsked) => Defined
type RollupAsked = Pick<QueryObject, 'timezone' | 'parameters'>
interface Given {
  readonly timezone: RollupAsked['timezone'] | undefined
  readonly parameters: RollupAsked['parameters'] | undefined
}

/** What a compilation may read of rollup tables. */
export interface RollupReading {
  /** The best first. */
  readonly tables: ReadonlyMap<string, Rollup['table']>
  readonly states: RollupStates
  readonly isRequired: boolean
  /** Two readings with one key are equal. */
  readonly key: string
}

interface Deps {
  readonly settings: Settings
  readonly connections: Pick<Connections, 'open' | 'runs' | 'sourceOf' | 'rollupsOf'>
  readonly logger: Logger
  readonly now: () => Date
  readonly heartbeats: HeartbeatRecord
  /** Heartbeats may come to another server with which this one shares a cache. */
  readonly mayMissHeartbeats: boolean
  readonly definitionOf: DefinitionOf
}

interface Snapshot {
  readonly builds: readonly RegisteredBuild[]
  /** What to add to a time of the clock of the database for one of this process, in milliseconds; never too much. */
  readonly offset: number
  readonly readAt: number
}

/** How long a build is left alone whose table could not be read, in milliseconds. */
const DOUBTED_MS = 60_000
/** Clocks have whole milliseconds. */
const ROUNDING_MS = 1

export class RollupBuilds {
  readonly #snapshots = new Map<string, Snapshot>()
  readonly #reading = new Map<string, Promise<void>>()
  readonly #doubted = new Map<string, number>()
  readonly #wrong = new Set<string>()
  readonly #defined = new WeakMap<SemanticModel, Map<string, Defined | string>>()

  constructor(private readonly deps: Deps) {}

  /** Reads the registries of a model if they are not known, or long ago. Only the first reading is waited for. */
  refresh(model: SemanticModel, dialect: Dialect): Promise<unknown> | undefined {
    if (model.rollups.size === 0 || !this.#isServing(dialect)) return undefined
    const waits = placesIn(model).flatMap((place) => this.#refreshed(place, dialect) ?? [])
    return waits.length === 0 ? undefined : Promise.all(waits)
  }

  /** Reads the registries of a model now. */
  async readAgain(model: SemanticModel, dialect: Dialect): Promise<void> {
    await Promise.all(placesIn(model).map((place) => this.#read(place, dialect)))
  }

  #isServing(dialect: Dialect): boolean {
    const { settings, connections } = this.deps
    return settings.ROLLUPS !== 'never' && executionEnabled(settings) && connections.runs(dialect.name)
  }

  #refreshed(place: RegistryPlace, dialect: Dialect): Promise<void> | undefined {
    const known = this.#snapshots.get(this.#keyOf(place, dialect))
    if (known && this.#now() - known.readAt < this.deps.settings.ROLLUPS_REFRESH_SECONDS * 1000) return undefined
    const reading = this.#read(place, dialect)
    return known ? undefined : reading
  }

  #read(place: RegistryPlace, dialect: Dialect): Promise<void> {
    const key = this.#keyOf(place, dialect)
    const running = this.#reading.get(key)
    if (running) return running
    const reading = this.#snapshotOf(place, dialect)
      .then((snapshot) => void this.#snapshots.set(key, snapshot))
      .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }

  async #snapshotOf(place: RegistryPlace, dialect: Dialect): Promise<Snapshot> {
    const { connections, logger } = this.deps
    const readAt = this.#now()
    const none = { builds: [], offset: 0, readAt }
    const storage = connections.rollupsOf(dialect.name)
    if (!storage) return none
    try {
      const connection = await connections.open(dialect.name)
      const { before, micros } = await readClock(storage.clock, connection, () => this.#now())
      const builds = await readRegistry(place, dialect, connection)
      return { builds, offset: before - micros / 1000 - ROUNDING_MS, readAt }
    } catch (error) {
      logger.debug({ error: messageOf(error), ...place }, 'no list of rollup tables could be read')
      return none
    }
  }

  #keyOf(place: RegistryPlace, { name }: Dialect): string {
    return `${this.deps.connections.sourceOf(name)} ${keyOfPlace(place)}`
  }

  #now(): number {
    return this.deps.now().getTime()
  }

  /** What a question may read now; `undefined` where builds do not matter. */
  readingFor(query: QueryObject, model: SemanticModel, dialect: Dialect): RollupReading | undefined {
    const choice = this.#choiceOf(query)
    if (choice === 'never' || (model.rollups.size === 0 && choice === 'allow')) return undefined
    const all = [...model.rollups.values()].map((rollup) => this.#stateOf(rollup, model, dialect, query))
    const usable = all.flatMap(({ name, state, build }) => (build && state.kind === 'built' ? [{ name, build }] : []))
    const best = usable.toSorted((a, b) => a.build.rows - b.build.rows || (a.name < b.name ? -1 : 1))
    const states = new Map(all.map(({ name, state }) => [name, state]))
    const unusable = all.flatMap(({ name, state }) => (state.kind === 'unusable' ? [[name, state.reason]] : []))
    return {
      tables: new Map(best.map(({ name, build }) => [name, build.table])),
      states,
      isRequired: choice === 'require',
      key: JSON.stringify([choice, best.map(({ build }) => build.build), unusable]),
    }
  }

  /** What the server forbids, no query allows. */
  #choiceOf({ rollups }: Pick<QueryObject, 'rollups'>): RollupChoice {
    const { ROLLUPS: own } = this.deps.settings
    if (own === 'never') return rollups === 'require' ? 'require' : 'never'
    return rollups ?? own
  }

  #stateOf(rollup: Rollup, model: SemanticModel, dialect: Dialect, asked: RollupAsked) {
    const { name } = rollup
    const unusable = (reason: Extract<RollupState, { readonly kind: 'unusable' }>['reason'], says: string) => ({
      name,
      state: { kind: 'unusable', reason, says } as const,
      build: undefined,
    })
    if (this.deps.settings.ROLLUPS === 'never') return unusable('TURNED_OFF', 'the server reads no rollup tables (ROLLUPS)')
    if (!this.#isServing(dialect)) return unusable('NOT_BUILT', 'no database is connected')
    if (!this.deps.connections.rollupsOf(dialect.name))
      return unusable('NOT_BUILT', `this version builds and reads no rollup tables in a database of ${dialect.name}`)
    const defined = this.#definedFor(rollup, model, dialect, asked)
    if (typeof defined === 'string') return unusable('NOT_BUILT', defined)
    const snapshot = this.#snapshots.get(this.#keyOf(placeOf(rollup.table), dialect))
    const registered = (snapshot?.builds ?? []).filter((one) => one.rollup === rollup.table.name && one.state !== 'building')
    if (!snapshot || registered.length === 0) return unusable('NOT_BUILT', 'no build is registered')
    const same = registered.filter(({ definition }) => definition === defined.definition)
    if (same.length === 0) return unusable('DEFINITION_CHANGED', 'its build is of another definition; build it again')
    const right = same.filter(({ state, build }) => state === 'serving' && !this.#wrong.has(build))
    if (right.length === 0) return unusable('WRONG', 'its build differs from the facts; build it again')
    const readable = right.filter(({ build }) => (this.#doubted.get(build) ?? 0) <= this.#now())
    const [build] = readable
    if (!build) return unusable('UNREADABLE', 'its table could not be read')
    const stale = this.#staleness(build, defined.objects, model, snapshot.offset)
    if (stale !== undefined) return unusable('STALE', stale)
    const { objects } = defined
    return { name, state: { kind: 'built', build: build.build, asOf: asOfOf(build), objects } as const, build }
  }

  /** Which of its tables may have changed since a build, and why. */
  #staleness({ builtAt }: RegisteredBuild, objects: readonly string[], model: SemanticModel, offset: number): string | undefined {
    const { heartbeats, mayMissHeartbeats, settings } = this.deps
    const moment = builtAt / 1000 + offset
    for (const name of objects) {
      const contract = contractOf(entryOf(declaredObjects(model), name), model)
      if (contract?.mode === 'static') continue
      if (contract?.mode !== 'heartbeat')
        return `'${name}' may have changed since the build: it has no refresh contract 'static' or 'heartbeat'`
      if (contract.seconds !== undefined && this.#now() - moment > contract.seconds * 1000)
        return `the build is older than maxStaleness of '${name}'`
      if (mayMissHeartbeats)
        return `a heartbeat for '${name}' may have come to another server of the cache '${settings.CACHE_BACKEND}'`
      if (!heartbeats.isQuietSince(tablesOf([name], model), moment))
        return `'${name}' was loaded since the build, or the server began to listen for heartbeats after it`
    }
    return undefined
  }

  #definedFor(rollup: Rollup, model: SemanticModel, dialect: Dialect, { timezone, parameters }: RollupAsked): Defined | string {
    const known = this.#defined.get(model) ?? new Map<string, Defined | string>()
    this.#defined.set(model, known)
    const key = JSON.stringify([rollup.name, dialect.name, timezone, parameters])
    const found = known.get(key) ?? this.#define(rollup, model, dialect, { timezone, parameters })
    if (known.size >= MOST_DEFINED) known.clear()
    known.set(key, found)
    return found
  }

  #define(rollup: Rollup, model: SemanticModel, dialect: Dialect, { timezone, parameters }: Partial<Given>): Defined | string {
    try {
      const asked = { ...(timezone !== undefined && { timezone }), ...(parameters && { parameters }) }
      return this.deps.definitionOf(rollup, model, dialect, asked)
    } catch (error) {
      return messageOf(error)
    }
  }

  /** Whether a compilation may still read its builds: asked when its statement starts. */
  areCurrent({ rollups }: Pick<CompiledQuery, 'rollups'>, query: QueryObject, model: SemanticModel, dialect: Dialect): boolean {
    return rollups.every(({ rollup, build }) => {
      const own = model.rollups.get(rollup)
      const state = own && this.#stateOf(own, model, dialect, query).state
      return state?.kind === 'built' && state.build === build
    })
  }

  /** A statement that reads them has failed. */
  doubt({ rollups }: Pick<CompiledQuery, 'rollups'>): void {
    for (const { build } of rollups) this.#doubted.set(build, this.#now() + DOUBTED_MS)
  }

  /** They differ from the facts. */
  quarantine(builds: readonly string[]): void {
    for (const build of builds) this.#wrong.add(build)
  }

  /** Whether the facts of a build are known to be those of its moment. */
  isUnchangedSince(build: RegisteredBuild, rollup: Rollup, model: SemanticModel, dialect: Dialect): boolean {
    const defined = this.#definedFor(rollup, model, dialect, {})
    const offset = this.#snapshots.get(this.#keyOf(placeOf(rollup.table), dialect))?.offset
    return (
      typeof defined !== 'string' && offset !== undefined && this.#staleness(build, defined.objects, model, offset) === undefined
    )
  }

  /** The registered builds of a rollup, the newest first, and what is said of the one that is read. */
  buildsOf(rollup: Rollup, model: SemanticModel, dialect: Dialect) {
    const { state } = this.#stateOf(rollup, model, dialect, {})
    const snapshot = this.#snapshots.get(this.#keyOf(placeOf(rollup.table), dialect))
    return { state, builds: (snapshot?.builds ?? []).filter((one) => one.rollup === rollup.table.name) }
  }
}

/** For questions with other zones and parameters. */
const MOST_DEFINED = 2000

export const asOfOf = ({ builtAt }: Pick<RegisteredBuild, 'builtAt'>): string =>
  new Date(Math.floor(builtAt / 1000)).toISOString()
