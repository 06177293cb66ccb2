/** One level of an answer: the dimensions that group it, the conjuncts that apply, and each measure computed there. */
import { aggregateBlock } from './aggregate-metric.js'
import { type Applies, type Atom, computeAtom, emptyValue, type Group } from './atoms.js'
import { atomNamed, defaultValueOf, rowMetricOf } from './components.js'
import type { Condition } from './conditions.js'
import { conversionBlock } from './conversion.js'
import type { Asked } from './fields.js'
import { sees } from './filter-context.js'
import { funnelBlock } from './funnel.js'
import { grainOf } from './grain.js'
import type { FilterJson, MeasureJson } from './model.js'
import type { Move } from './moved-range.js'
import { conditionFor } from './time-conjuncts.js'
import { keyOfAll, type Value } from './values.js'
import type { World } from './world.js'

export type Tuple = readonly Value[]

export interface Level {
  readonly world: World
  readonly now: Date
  /** Every dimension of the query. */
  readonly asked: readonly Asked[]
  /** The dimensions of this level. */
  readonly dimensions: readonly Asked[]
  /** The dimensions of a row of the answer; those of this level may be others, as in an aggregate of aggregates. */
  readonly shown: readonly Asked[]
  /** The conjuncts of the query. */
  readonly written: readonly FilterJson[]
  /** The same conjuncts at this level; undefined for one that was removed. */
  readonly where: readonly (FilterJson | undefined)[]
  /** Only rows in these periods. */
  readonly window?: Window
  /** The time of the query whose missing periods become rows, too. */
  readonly gaps?: Asked
  /** From the first to the last period of the times that the conditions leave. */
  readonly toRange?: boolean
  /** Every aggregate counts a row once per connection. */
  readonly fanOut?: boolean | undefined
  /** The level whose other periods this one reads, without its conjuncts on their time, and how they are moved. */
  readonly moved?: { readonly level: Level; readonly move: Move }
  /** The columns of the times that end at the clock. */
  readonly cut?: readonly string[]
  readonly blocks: Map<string, Block>
}

export interface Window {
  readonly time: Asked
  readonly admits: (period: Value) => boolean
  /** It restricts every aggregate below, whatever its grain. */
  readonly ofAll?: boolean
  /** In its place for the aggregates below whose grain has no time. */
  readonly ofCoarse?: ((period: Value) => boolean) | undefined
}

/** A measure, an aggregate of aggregates or a conversion at its own grain within a level. */
export interface Block {
  /** The dimensions of the level that it is grouped by. */
  readonly at: readonly number[]
  readonly groups: ReadonlyMap<string, Group>
  /** For each aggregate over rows: whether each conjunct applied; undefined if it is ignored on purpose. */
  readonly applied: readonly (readonly (Applies | undefined)[])[]
  /** The value of a tuple without rows. */
  readonly absent: Value
}

export const levelOf = (parts: Omit<Level, 'blocks'>): Level => ({ ...parts, blocks: new Map() })

export function blockOf(level: Level, name: string): Block {
  const known = level.blocks.get(name)
  if (known) return known
  const block = blockAt(level, name, undefined, true)
  level.blocks.set(name, block)
  return block
}

/** At the dimensions `at`, or those of its own grain. Rows that only create tuples are not counted. */
function blockAt(level: Level, name: string, at: readonly number[] | undefined, counted: boolean): Block {
  const metric = rowMetricOf(level.world, name)
  if (metric?.type === 'aggregate') return aggregateBlock(level, metric)
  if (metric?.type === 'funnel') return funnelBlock(level, metric, at, counted)
  if (metric) return conversionBlock(level, metric, at, counted)
  const atom = atomNamed(level.world, name)
  const own = at ?? grainOf(atom.measure, level.dimensions)
  const rows = rowsFor(level, atom, own, counted)
  const computed = computeAtom(
    {
      ...rows,
      world: level.world,
      now: level.now,
      asked: level.asked,
      grouped: own.map((i) => level.dimensions[i]!),
      counted,
      fanOut: level.fanOut,
    },
    atom,
  )
  return { at: own, groups: computed.groups, applied: computed.applied.map(rows.spread), absent: emptyValue(atom) }
}

export interface RowsFor {
  /** The conjuncts that the measure sees here. */
  readonly where: readonly FilterJson[]
  /** Whether each of these applied, as one entry per conjunct of the query. */
  readonly spread: (applied: readonly Applies[]) => readonly (Applies | undefined)[]
  /** An additional condition on time. */
  readonly within: readonly Window[]
}

/**
 * Which base rows a measure counts at a level, for groups by the dimensions `at`. Those that only create tuples are in the window, whatever
 * the measure sees of it. A row of the answer meets the conjuncts on what it shows, also if the measure does not see them.
 */
export function rowsFor(level: Level, { measure, home }: Atom, at: readonly number[], counted: boolean): RowsFor {
  const { world, written, window } = level
  const where = level.where.map((filter) => conditionFor(filter, home))
  const shown = at.map((i) => level.dimensions[i]!).filter((d) => level.shown.includes(d))
  const ofWindow = counted ? keepsTime(level, measure) : window && windowCondition(window, home).readable
  const seen = written.flatMap((conjunct, i) =>
    where[i] && (sees(measure, conjunct) || isShown(world, conjunct, shown)) ? [i] : [],
  )
  return {
    where: seen.map((i) => where[i]!),
    spread: (applied) =>
      written.map((conjunct, i) => {
        const own = seen.includes(i) ? applied[seen.indexOf(i)] : undefined
        // What the groups show is no filter on the rows of a measure that does not see it.
        return own === 'through' && !sees(measure, conjunct) ? true : own
      }),
    within: window && ofWindow ? [window] : ofCoarse(window),
  }
}

/** Whether the values of these dimensions decide a conjunct. */
export function isShown(world: World, conjunct: FilterJson, shown: readonly Asked[]): boolean {
  if ('logic' in conjunct) return conjunct.filters.every((f) => isShown(world, f, shown))
  if (conjunct.shown) return true
  const dimension = shown.find((d) => d.name === (conjunct.as ?? conjunct.field) && !d.top)
  if (!dimension || conjunct.subquery) return false
  const declared = dimension.coalesced ? undefined : world.model.dimensions?.[dimension.name]?.timeGrain
  return dimension.grain === declared
}

/** Whether the grain of the measure has the time along which the window runs. */
const keepsTime = ({ window, dimensions }: Level, measure: MeasureJson): boolean =>
  window === undefined ||
  (window.ofAll === true && !window.ofCoarse) ||
  grainOf(measure, [window.time, ...dimensions]).includes(0)

const ofCoarse = (window: Window | undefined): readonly Window[] =>
  window?.ofCoarse ? [{ ...window, admits: window.ofCoarse }] : []

/** Rows in the window, read like a dimension from `home`. */
export function windowCondition({ time, admits }: Window, home: string): Condition {
  const field = time.at(home)
  return { roles: field.roles, readable: field.roles.length > 0, holds: (rows) => admits(field.value(rows)) }
}

export const groupAt = ({ at, groups }: Block, tuple: Tuple): Group | undefined => groups.get(keyOfAll(at.map((i) => tuple[i]!)))

/** A measure in the row of a tuple: the value for an absent row, then the default. */
export function valueAt(level: Level, name: string, tuple: Tuple): Value {
  const block = blockOf(level, name)
  const found = groupAt(block, tuple)
  return (found ? found.value : block.absent) ?? defaultOf(level.world, name)
}

/** Conversions and aggregates of aggregates have none. */
export function defaultOf(world: World, name: string): Value {
  if (rowMetricOf(world, name)) return null
  const { measure, kind } = atomNamed(world, name)
  return defaultValueOf(measure.defaultValue, kind)
}

/** The rows that measures create: those at the level's own grain; if there are none, the tuples of the base rows of the coarser ones. */
export function tuplesOf(level: Level, names: readonly string[]): readonly Tuple[] {
  if (level.dimensions.length === 0) return [[]]
  const fine = fineBlocks(level, names)
  const all = level.dimensions.map((_, i) => i)
  return tuplesIn(fine.length > 0 ? fine : names.map((n) => blockAt(level, n, all, false)))
}

/** Whether measures have the level's own grain. */
export const areAtGrain = (level: Level, names: readonly string[]): boolean => fineBlocks(level, names).length > 0

/** The rows of measures at the level's own grain. */
export const atGrain = (level: Level, names: readonly string[]): readonly Tuple[] => tuplesIn(fineBlocks(level, names))

const fineBlocks = (level: Level, names: readonly string[]): readonly Block[] =>
  names
    .filter((n) => isOfWindow(level, n))
    .map((n) => blockOf(level, n))
    .filter((b) => b.at.length === level.dimensions.length)

const tuplesIn = (blocks: readonly Block[]): readonly Tuple[] => [
  ...new Map(blocks.flatMap(({ groups }) => [...groups].map(([key, { tuple }]) => [key, tuple] as const))).values(),
]

/** An aggregate of aggregates is in the window if its base is. */
function isOfWindow(level: Level, name: string): boolean {
  const metric = rowMetricOf(level.world, name)
  return (
    metric?.type === 'aggregate' ||
    keepsTime(level, atomNamed(level.world, metric?.base ?? metric?.steps?.[0]?.measure ?? name).measure)
  )
}
