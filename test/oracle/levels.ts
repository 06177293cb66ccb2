/** One level of an answer: the dimensions that group it, the conjuncts in force, and each measure computed there. */
import { type Computed, computeAtom, emptyValue, type Group } from './atoms.js'
import { atomNamed, defaultValueOf } from './components.js'
import type { Asked } from './fields.js'
import { sees } from './filter-context.js'
import { grainOf } from './grain.js'
import type { FilterJson } from './model.js'
import { keyOfAll, type Value } from './values.js'
import type { World } from './world.js'

export type Tuple = readonly Value[]

export interface Level {
  readonly world: World
  readonly now: Date
  /** Every dimension of the query. */
  readonly asked: readonly Asked[]
  /** Those of this level. */
  readonly dimensions: readonly Asked[]
  /** The conjuncts of the query. */
  readonly written: readonly FilterJson[]
  /** The same as they stand here; undefined where one was dropped. */
  readonly where: readonly (FilterJson | undefined)[]
  readonly blocks: Map<string, Block>
}

/** A measure at its own grain within a level. */
export interface Block {
  /** The dimensions of the level that it is grouped by. */
  readonly at: readonly number[]
  readonly groups: Computed['groups']
  /** Of each conjunct, whether it applied; undefined where the measure ignores it on purpose. */
  readonly applied: readonly (boolean | undefined)[]
}

export const levelOf = (parts: Omit<Level, 'blocks'>): Level => ({ ...parts, blocks: new Map() })

export function blockOf(level: Level, name: string): Block {
  const known = level.blocks.get(name)
  if (known) return known
  const at = grainOf(atomNamed(level.world, name).measure, level.dimensions)
  const block = { at, ...compute(level, name, at, true) }
  level.blocks.set(name, block)
  return block
}

function compute(level: Level, name: string, at: readonly number[], counted: boolean): Omit<Block, 'at'> {
  const { world, now, asked, dimensions, written, where } = level
  const atom = atomNamed(world, name)
  const seen = written.flatMap((conjunct, i) => (where[i] && sees(atom.measure, conjunct) ? [i] : []))
  const computed = computeAtom(
    world,
    now,
    atom,
    asked,
    seen.map((i) => where[i]!),
    at.map((i) => dimensions[i]!),
    counted,
  )
  return {
    groups: computed.groups,
    applied: written.map((_, i) => (seen.includes(i) ? computed.applied[seen.indexOf(i)] : undefined)),
  }
}

export const groupAt = ({ at, groups }: Block, tuple: Tuple): Group | undefined => groups.get(keyOfAll(at.map((i) => tuple[i]!)))

/** A measure in the row of a tuple: what an absent row means, then the default. */
export function valueAt(level: Level, name: string, tuple: Tuple): Value {
  const atom = atomNamed(level.world, name)
  const found = groupAt(blockOf(level, name), tuple)
  return (found ? found.value : emptyValue(atom)) ?? defaultOf(level.world, name)
}

export function defaultOf(world: World, name: string): Value {
  const { measure, kind } = atomNamed(world, name)
  return defaultValueOf(measure.defaultValue, kind)
}

/** The rows that measures make: those at the level's own grain; if none is, the tuples of the homes of the coarser ones. */
export function tuplesOf(level: Level, names: readonly string[]): readonly Tuple[] {
  if (level.dimensions.length === 0) return [[]]
  const fine = names.map((n) => blockOf(level, n)).filter((b) => b.at.length === level.dimensions.length)
  const all = level.dimensions.map((_, i) => i)
  const groups = fine.length > 0 ? fine.map((b) => b.groups) : names.map((n) => compute(level, n, all, false).groups)
  return [...new Map(groups.flatMap((g) => [...g].map(([key, { tuple }]) => [key, tuple] as const))).values()]
}
