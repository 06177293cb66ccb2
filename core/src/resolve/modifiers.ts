import { fail } from '../errors.js'
import type { Measure, SemanticModel } from '../model/semantic-model.js'
import {
  type Conjunct,
  nameOfDimension,
  type PeriodWindow,
  type ReachedLeaf,
  type ResolvedDimension,
  type RowsAt,
  type Shift,
} from './resolved-query.js'
import type { TimesRead } from './times-read.js'

/** A change that a metric applies to every aggregate below it. */
export interface Modifier {
  /** Identifies the modified aggregates. */
  readonly key: string
  /** A suffix for the names of columns. */
  readonly label: string
  readonly shift: Shift | undefined
  readonly window: PeriodWindow | undefined
  /** The times that are read at another period, or over a range. */
  readonly times?: TimesRead | undefined
  /** Set if modified aggregates read one range: the dimensions on its time do not group them. */
  readonly ranged?: Ranged | undefined
  /**
   * The conjuncts that modified aggregates of `base` use instead of those of the query that they see; `isTimed` is false if their grain lacks the
   * time of the level.
   */
  readonly conjuncts: (seen: readonly Conjunct[], base?: string, isTimed?: boolean) => readonly Conjunct[]
}

/** How aggregates that read one range add rows. */
interface Ranged {
  readonly without: readonly ResolvedDimension[]
  /** Those of `without` that show the time of the range. */
  readonly times: readonly ResolvedDimension[]
  readonly isMoved: boolean
  readonly at?: RowsAt | undefined
  /** The rows are periods or groups in the range: without an aggregate at their grain, a coarser one has them. */
  readonly isInner?: boolean
  /** Several rows have the same value, because a partition leaves out a dimension: it adds none. */
  readonly isShared?: boolean | undefined
}

/**
 * The dimensions of a level by which a measure is grouped (docs/grain.md); those that it includes must be selected. Throws
 * `GRAIN_NOT_SUBSET`.
 */
export function grainOf(
  measure: Measure,
  level: readonly ResolvedDimension[],
  selected: readonly ResolvedDimension[],
  path: string,
): readonly ResolvedDimension[] {
  if (measure.total) return []
  const { grain } = measure
  if (!grain) return level
  const named = (names: readonly string[]) => level.filter((d) => !d.periodColumns && names.includes(nameOfDimension(d)))
  if (grain.mode === 'RELATIVE') {
    const kept = grain.keepOnly.length > 0 ? named(grain.keepOnly) : level.filter((d) => !d.periodColumns)
    return withCalendarTimes(
      kept.filter((d) => !grain.exclude.includes(nameOfDimension(d))),
      level,
    )
  }
  const missing = grain.include.find((name) => !selected.some((d) => nameOfDimension(d) === name))
  if (missing !== undefined) {
    fail(
      'GRAIN_NOT_SUBSET',
      `measure '${measure.name}' is fixed to '${missing}', which the query does not select; select it, or use keepOnly`,
      { path },
    )
  }
  return withCalendarTimes(named([...grain.include, ...grain.keepOnly]), level)
}

/** With the times for which the columns of a calendar stand that are among the dimensions. */
const withCalendarTimes = (
  kept: readonly ResolvedDimension[],
  level: readonly ResolvedDimension[],
): readonly ResolvedDimension[] => {
  const times = level.filter(({ periodColumns }) => periodColumns?.every((d) => kept.includes(d)))
  return times.length === 0 ? kept : [...kept, ...times]
}

/** The conjuncts of the query that a measure sees (`filterContext`); the same list if it sees all. */
export function conjunctsOf(
  { filterContext: context }: Pick<Measure, 'filterContext'>,
  where: readonly Conjunct[],
): readonly Conjunct[] {
  if (!context) return where
  const every = (names: readonly string[]) => (c: Conjunct) => c.leaves.every((leaf) => names.includes(nameOfLeaf(leaf)))
  if (context.mode === 'FIXED') return where.filter(every([...context.include, ...context.keepOnly]))
  const kept = context.keepOnly.length > 0 ? where.filter(every(context.keepOnly)) : where
  return kept.filter((c) => !c.leaves.some((leaf) => context.exclude.includes(nameOfLeaf(leaf))))
}

/** The conjuncts that are decided by the values of these dimensions. */
export const conjunctsOn = (
  dimensions: readonly ResolvedDimension[],
  where: readonly Conjunct[],
  model: SemanticModel,
): readonly Conjunct[] => {
  const declared = dimensions.filter((d) => d.top === undefined && d.expression === undefined && isAsFiltered(d, model))
  const names = new Set(declared.map(nameOfDimension))
  return where.filter((c) => c.leaves.every((leaf) => leaf.kind === 'where-field' && names.has(leaf.name)))
}

/** A filter compares the value at the declared grain. */
const isAsFiltered = (dimension: ResolvedDimension, { dimensions }: SemanticModel): boolean =>
  dimension.grain === (dimension.members.length > 1 ? undefined : dimensions.get(nameOfDimension(dimension))?.timeGrain)

const nameOfLeaf = (leaf: ReachedLeaf): string => (leaf.kind === 'where-field' ? leaf.name : leaf.subject.name)
