import { entryOf } from '../invariant.js'
import { leavesOf } from '../model/expression/ast.js'
import type { AggregateSpec } from '../model/functions/function-spec.js'
import type { Measure } from '../model/semantic-model.js'
import type { Range } from '../time-zones/ranges.js'
import { aggregateType } from './aggregate-type.js'
import { baseOf, readObjects } from './base-of.js'
import { ofSomebody } from './conversions.js'
import { coalesce, defaultLiteral, integer, isNotNull } from './expressions.js'
import { isFieldOutOfReach, isOutOfReach } from './locate.js'
import { existsConjuncts, rowFilters } from './measure-filters.js'
import { conjunctsOf, conjunctsOn, grainOf, type Modifier } from './modifiers.js'
import { multiFactOf } from './multi-fact.js'
import { propagatesNull } from './propagates-null.js'
import { type RelationColumn, type RowExpr, relationColumn } from './relation-column.js'
import type { Conjunct, Conversion, ResolvedAggregate, ResolvedDimension, Shift } from './resolved-query.js'
import type { Change } from './row-conditions.js'
import type { RowSetContext } from './row-set-context.js'
import { hasTime, semiAdditiveDimensions, semiAdditiveOf, semiAdditiveType } from './semi-additive.js'
import { shownAtOtherTimes } from './shown-tuples.js'
import { rangeIn } from './times-read.js'
import { isWeighed, weightedType, weightsOf } from './weights.js'

/** A request for a field: its place in the query, and how the field is read. */
export interface Ask {
  readonly contributesRows: boolean
  readonly path: string
  readonly modifier: Modifier | undefined
}

/** The aggregates that a query needs, each once, with an expression that reads each. */
export class AggregateSet {
  readonly #aggregates = new Map<string, ResolvedAggregate>()
  /** Aggregates whose rows are rows of the answer, even if something else requested them first. */
  readonly #contributing = new Set<string>()

  /** Those over a range at a coarser grain, or the same for several rows, whose rows are no rows of the answer. */
  readonly #coarse = new Set<string>()

  /** All dimensions that the query selects. */
  readonly #selected: readonly ResolvedDimension[]

  constructor(private readonly context: RowSetContext) {
    this.#selected = [...context.dimensions, ...context.absent, ...context.outerDimensions]
  }

  get all(): ResolvedAggregate[] {
    return [...this.#aggregates].map(([key, aggregate]) => ({
      ...aggregate,
      contributesRows: this.#contributing.has(key) && !this.#coarse.has(key),
    }))
  }

  /** The aggregate of a measure; for a conversion, that of its events. Throws the errors of a measure without a base, a type or a grain. */
  of(measure: Measure, { contributesRows, path, modifier }: Ask, events?: EventsOf): ResolvedAggregate {
    const of = events
    const name = of?.name ?? measure.name
    const key = modifiedKey(name, modifier)
    if (contributesRows) this.#contributing.add(key)
    const known = this.#aggregates.get(key)
    if (known) return known
    const { ranged } = modifier ?? {}
    const { graph, dimensions, shown } = this.context
    const window = modifier?.window
    const base = baseOf(measure, graph, path)
    const multiFact = multiFactOf(measure, base, this.context, path)
    const plain = aggregateType(measure, this.context, path, multiFact)
    const filters = of?.conversion.base.filters ?? rowFilters(measure)
    const level = levelOf(dimensions, modifier)
    const grain = grainOf(measure, level, this.#selected, path)
    // Values at a coarser grain are only looked up for rows that exist.
    const isTimed = this.#isTimed(measure, grain, modifier, path)
    const counted = { measure, base, grain, path }
    const kept = this.#conjuncts(counted, grain.length === level.length ? grain : [], modifier)
    if (ranged && !ranged.isInner && (ranged.isShared || grain.length < level.length || !isTimed)) this.#coarse.add(key)
    const within = measure.semiAdditive ? semiAdditiveDimensions(measure.semiAdditive, this.context, path) : []
    const weighed = graph.hasWeights && isWeighed(measure) && !multiFact && !of && !this.context.inner.fanOut
    const weights = weighed ? weightsOf({ base, dimensions: [...grain, ...within], conjuncts: kept, filters }, graph) : []
    const perTime = weightedType(measure, plain, weights, this.context)
    const semiAdditive = semiAdditiveOf(measure, perTime, this.context, path)
    const always = [
      ...(semiAdditive ? [hasTime(semiAdditive)] : []),
      ...(of ? ofSomebody(of.conversion) : existsConjuncts(measure, this.context, path)),
    ]
    const aggregate: ResolvedAggregate = {
      name: this.context.columnName(key, modifiedName(name, modifier)),
      measure,
      base,
      type: semiAdditive ? semiAdditiveType(semiAdditive, this.#spec(measure.aggregation), this.#spec('sum')) : perTime,
      emptyIsZero: this.#spec(measure.aggregation).empty === 'zero',
      contributesRows,
      filters,
      dimensions: grain,
      conjuncts: [...kept, ...always],
      conjunctsOfTuples: [...this.#conjuncts({ ...counted, isTuples: true }, shown, modifier), ...always],
      ...(!isTimed && modifier && this.#isGroupedInRange(base, modifier) && { isPastRange: true }),
      shift: modifier?.shift,
      isElsewhere: modifier?.shift !== undefined || ranged?.isMoved === true,
      // Without the time, its rows are those of no period.
      ...(ranged?.at && isTimed && { rowsAt: ranged.at }),
      window,
      semiAdditive,
      converts: of?.converting ? of.conversion : undefined,
      ...(of?.ofEntities !== undefined && { ofEntities: of.ofEntities }),
      multiFact,
      weights,
      path,
    }
    this.#aggregates.set(key, aggregate)
    return aggregate
  }

  /** Reads the value, with the measure's default in place of NULL. */
  read({ name, type, measure, emptyIsZero, isElsewhere, window, semiAdditive, dimensions }: ResolvedAggregate): RowExpr {
    const column = relationColumn('', name, type)
    const { defaultValue } = measure
    const isCount = !isElsewhere && (window ?? semiAdditive) !== undefined && emptyIsZero
    const counted = isCount ? coalesce<RelationColumn>(column, integer(0)) : column
    const filled = defaultValue === undefined ? counted : coalesce<RelationColumn>(counted, defaultLiteral(defaultValue))
    const timeless = window !== undefined && !dimensions.includes(window.period)
    return window && (timeless || filled !== column) ? whereTimeIs(window.time, filled) : filled
  }

  /** Whether the prior value is NULL without the time, because every part of it is looked up by the time. */
  isNullWithoutTime(prior: RowExpr, { key, shift }: Modifier & { readonly shift: Shift }): boolean {
    const found = new Set<string>()
    for (const [name, aggregate] of this.#aggregates) {
      if (name.startsWith(`${key}\u0000`) && aggregate.dimensions.includes(shift.period)) found.add(aggregate.name)
    }
    return propagatesNull(prior) && leavesOf<RelationColumn>(prior).every((leaf) => found.has(leaf.name))
  }

  /** The conjuncts for groups by these dimensions: those that the measure sees, and those that decide whether a row of the answer exists. */
  #conjuncts(counted: Counted, grouping: readonly ResolvedDimension[], modifier: Modifier | undefined): readonly Conjunct[] {
    const under = (change: Change, seen: readonly Conjunct[]) => this.#under(change, seen, counted)
    const all = this.context.conditions({ seen: (where) => this.#seen(counted.measure, where, grouping), under })
    return modifier ? under(modifier, all) : all
  }

  /** The conjuncts that take the place of others for a measure. One without the time has no others than those that apply to it in its range. */
  #under(change: Change, all: readonly Conjunct[], counted: Counted): readonly Conjunct[] {
    const { base, grain, measure, path } = counted
    const { graph } = this.context
    const isTimed =
      this.#isTimed(measure, grain, change, path) || (counted.isTuples === true && this.#isGroupedInRange(base, change))
    const [near, far] = isTimed ? [all, []] : this.#byReach(all, counted)
    return shownAtOtherTimes([...change.conjuncts(near, base, isTimed), ...far], change, graph)
  }

  /** Whether the groups of an inner query are those with rows in a range, whatever its values see of the time. */
  #isGroupedInRange(base: string, { ranged, times }: Change): boolean {
    const { graph } = this.context
    return ranged?.isInner === true && times?.time.members.some((member) => !isFieldOutOfReach(base, member, graph)) === true
  }

  /** The conjuncts that apply to a measure, and the others, which are no part of its range. A measure that shows the time reaches it. */
  #byReach(
    all: readonly Conjunct[],
    { measure, base }: Pick<Counted, 'measure' | 'base'>,
  ): readonly [readonly Conjunct[], readonly Conjunct[]] {
    const { graph } = this.context
    const isFar = ({ leaves }: Conjunct): boolean =>
      [base, ...readObjects(measure)].every((object) => leaves.some((leaf) => isOutOfReach(object, leaf, graph)))
    return [all.filter((conjunct) => !isFar(conjunct)), all.filter(isFar)]
  }

  #seen(measure: Measure, where: readonly Conjunct[], grouping: readonly ResolvedDimension[]): readonly Conjunct[] {
    const { graph, shown } = this.context
    const seen = conjunctsOf(measure, where)
    if (seen.length === where.length) return where
    const ofRows = conjunctsOn(
      grouping.filter((d) => shown.includes(d)),
      where,
      graph.model,
    )
    return ofRows.length === 0 ? seen : where.filter((c) => seen.includes(c) || ofRows.includes(c))
  }

  /** Whether the grain of a measure has the time of a modifier, if the level has it. */
  #isTimed(measure: Measure, grain: readonly ResolvedDimension[], change: Change | undefined, path: string): boolean {
    const { shift, ranged, window } = change ?? {}
    if (shift) return grain.includes(shift.period)
    if (window) return grain.includes(window.period)
    const times = ranged?.times ?? []
    return times.length === 0 || grainOf(measure, times, this.#selected, path).length > 0
  }

  /** The times that a measure reads of those that the query leaves. */
  conjunctsSeen(measure: Measure, path: string): readonly Conjunct[] {
    const { dimensions, graph } = this.context
    return this.#conjuncts({ measure, base: baseOf(measure, graph, path), grain: dimensions, path }, dimensions, undefined)
  }

  /** The range that a measure reads with a modifier over a range, without its window; `undefined` if the query leaves none. */
  rangeOf(measure: Measure, modifier: Modifier, path: string): { readonly isTimed: boolean; readonly range: Range | undefined } {
    const level = levelOf(this.context.dimensions, modifier)
    const grain = grainOf(measure, level, this.#selected, path)
    const isTimed = this.#isTimed(measure, grain, modifier, path)
    const base = baseOf(measure, this.context.graph, path)
    const all = this.#conjuncts({ measure, base, grain, path }, grain.length === level.length ? grain : [], undefined)
    const [seen] = isTimed ? [all] : this.#byReach(all, { measure, base })
    return { isTimed, range: rangeIn(modifier.times!, seen, base, isTimed) }
  }

  #spec(aggregation: string): AggregateSpec {
    return entryOf(this.context.aggregates, aggregation)
  }
}

/** A measure with the object whose rows it counts, and the dimensions that group them. */
interface Counted {
  readonly measure: Measure
  readonly base: string
  readonly grain: readonly ResolvedDimension[]
  readonly path: string
  /** Set for the rows whose groups exist, and not those of a value. */
  readonly isTuples?: true
}

/** Events of a conversion, under a separate name. */
interface EventsOf {
  readonly name: string
  readonly conversion: Conversion
  readonly converting: boolean
  /** The name of a funnel that counts entities. */
  readonly ofEntities?: string
}

/** Rows without a time are in no window and have no other period. */
export const whereTimeIs = (time: ResolvedDimension, value: RowExpr): RowExpr => ({
  kind: 'case',
  branches: [{ when: isNotNull<RelationColumn>(relationColumn('', time.name, time.type)), then: value }],
  otherwise: undefined,
})

/** The dimensions that group a modified aggregate without its own grain. */
export function levelOf(dimensions: readonly ResolvedDimension[], modifier: Modifier | undefined): readonly ResolvedDimension[] {
  const { window, shift, ranged } = modifier ?? {}
  if (ranged) return dimensions.filter((d) => !ranged.without.some((time) => time.name === d.name))
  if (window) return [window.period, ...window.partition, ...window.groupBy]
  if (!shift) return dimensions
  return dimensions.filter((d) => !shift.siblingGrains.includes(d)).map((d) => (d === shift.dimension ? shift.period : d))
}

export const modifiedKey = (name: string, modifier: Modifier | undefined): string =>
  modifier ? `${modifier.key}\u0000${name}` : name

/** The preferred name of a column of modified values. */
export const modifiedName = (name: string, modifier: Modifier | undefined): string =>
  modifier ? `${name} (${modifier.label})` : name
