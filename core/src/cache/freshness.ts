/** How long an answer may be cached, from the refresh contracts of the tables that it was read from. */
import { entryOf } from '../invariant.js'
import type { RefreshContract } from '../model/refresh.js'
import { type DataObject, declaredObjects, type SemanticModel } from '../model/semantic-model.js'
import { zoneOffset } from '../result/zone-offset.js'
import { foldedName, spokenName } from './table-name.js'

export interface Lifetime {
  readonly seconds: number
  /** The kind of contract that determined it; `default` if a table has none. */
  readonly source: RefreshContract['mode'] | 'default'
  /** The table that is loaded next. */
  readonly limitingTable: string | undefined
}

export interface FreshnessPolicy {
  readonly minSeconds: number
  readonly maxSeconds: number
  /** For tables without a contract; `undefined`: answers that read one are not cached. */
  readonly unknownSeconds: number | undefined
}

/**
 * The shortest lifetime that the tables of `objects` allow, within the bounds; `undefined` if the answer must not be cached. `age`: how long ago the oldest
 * of them was read, in seconds.
 */
export function lifetimeOf(
  objects: readonly string[],
  model: SemanticModel,
  now: Date,
  policy: FreshnessPolicy,
  age = 0,
): Lifetime | undefined {
  let shortest: Lifetime | undefined
  for (const promise of promisesOf(objects, model)) {
    const allowed = allowedBy(promise, model, now, policy, age)
    if (!allowed) return undefined
    if (!shortest || allowed.seconds < shortest.seconds) shortest = allowed
  }
  if (!shortest) return undefined
  const seconds = Math.min(policy.maxSeconds, Math.max(policy.minSeconds, shortest.seconds))
  return seconds > 0 ? { seconds, source: shortest.source, limitingTable: shortest.limitingTable } : undefined
}

/** What is promised of the table that an object reads. */
interface TablePromise {
  readonly contract: RefreshContract | undefined
  readonly table: string
  /** Whether it is hidden, so that only access rules read it: without a contract a revocation would not hold at once. */
  readonly decidesAccess: boolean
}

/** Of each object. A kept compilation has the same list of objects each time. */
function promisesOf(objects: readonly string[], model: SemanticModel): readonly TablePromise[] {
  const found = PROMISES.get(objects)
  if (found?.content === model.contentHash) return found.promises
  const promises = objects.map((name) => {
    const object = entryOf(declaredObjects(model), name)
    const table = object.source.kind === 'table' ? spokenName(object.source) : object.name
    return { contract: contractOf(object, model), table, decidesAccess: !model.dataObjects.has(name) }
  })
  PROMISES.set(objects, { content: model.contentHash, promises })
  return promises
}

interface PromisesOfModel {
  /** The hash of the model's content. */
  readonly content: string
  readonly promises: readonly TablePromise[]
}

const PROMISES = new WeakMap<readonly string[], PromisesOfModel>()

function allowedBy(
  { contract, table, decidesAccess }: TablePromise,
  model: SemanticModel,
  now: Date,
  { unknownSeconds }: FreshnessPolicy,
  age: number,
): Lifetime | undefined {
  // A table of a rollup was read long ago: a promise of at most so old data counts from then.
  const spent = contract?.mode === 'heartbeat' ? age : 0
  if (contract) return { seconds: secondsLeft(contract, model, now) - spent, source: contract.mode, limitingTable: table }
  return unknownSeconds === undefined || decidesAccess
    ? undefined
    : { seconds: unknownSeconds, source: 'default', limitingTable: table }
}

/** Its own contract, that of the object whose array it unnests, or that of another object on the same table. */
export function contractOf(object: DataObject, model: SemanticModel): RefreshContract | undefined {
  if (object.refresh) return object.refresh
  const parent = object.nestedIn && declaredObjects(model).get(object.nestedIn.dataObject)
  if (parent) return contractOf(parent, model)
  return object.source.kind === 'table' ? contractsByTable(model).get(foldedName(object.source)) : undefined
}

const known = new WeakMap<SemanticModel['dataObjects'], ReadonlyMap<string, RefreshContract>>()

function contractsByTable(model: SemanticModel): ReadonlyMap<string, RefreshContract> {
  const dataObjects = declaredObjects(model)
  const found = known.get(dataObjects)
  if (found) return found
  const contracts = new Map(
    [...dataObjects.values()].flatMap(({ source, refresh }) =>
      source.kind === 'table' && refresh ? [[foldedName(source), refresh] as const] : [],
    ),
  )
  known.set(dataObjects, contracts)
  return contracts
}

function secondsLeft(contract: RefreshContract, model: SemanticModel, now: Date): number {
  switch (contract.mode) {
    case 'static':
      return Number.POSITIVE_INFINITY
    case 'heartbeat':
      return contract.seconds ?? Number.POSITIVE_INFINITY
    case 'interval': {
      const { seconds, anchor, timezone = model.settings.defaultTimezone ?? 'UTC' } = contract
      return anchor === undefined ? seconds : untilNextLoad(now, seconds, anchor, timezone)
    }
  }
}

const DAY = 86_400

/** Loads are counted from the anchor of every day, so that an interval that does not divide a day starts again with it. */
function untilNextLoad(now: Date, interval: number, anchor: number, timezone: string): number {
  const offset = zoneOffset(timezone)
  const offsetAt = (second: number) => offset?.(BigInt(Math.floor(second)) * 1_000_000n) ?? 0
  const instant = now.getTime() / 1000
  const wall = instant + offsetAt(instant)
  const since = (((wall - anchor) % DAY) + DAY) % DAY
  const step = Math.min(interval, DAY)
  const next = wall - since + Math.min(DAY, (Math.floor(since / step) + 1) * step)
  // If the clocks change in between, the local time arrives earlier or later than it would now.
  const left = next - offsetAt(next - offsetAt(instant)) - instant
  return Math.max(1, Math.floor(left))
}
