import type { Grouping } from '../query/query-object.js'
import { TRUE } from './expressions.js'
import type { JoinGraph } from './join-graph.js'
import type { Modifier } from './modifiers.js'
import {
  type AggregateQuery,
  type Conjunct,
  hasDimension,
  type ResolvedAggregate,
  type ResolvedDimension,
} from './resolved-query.js'
import { finest, followsFrom, ofSameTime } from './time-dimension.js'

/** Whether only the rows behind the shown detail rows count (docs/subtotals.md). */
export const isOfShown = (grouping: Grouping | undefined): boolean => typeof grouping === 'object' && grouping.of === 'shown'

/**
 * The condition that a row is behind one of them. Without `others`, `top` has left out the other values. `calendarTimes` are the times for which
 * some of the dimensions stand.
 */
export function shownCondition(
  dimensions: readonly ResolvedDimension[],
  calendarTimes: readonly ResolvedDimension[] = [],
): Conjunct {
  const hidden = calendarTimes.filter((time) => !dimensions.includes(time) && !isShown(time))
  const shown = [...dimensions, ...hidden].map((d) => (d.top?.others === undefined ? { ...d, top: undefined } : d))
  const stands = calendarTimes.length > 0 && { calendarTimes }
  return {
    expression: TRUE,
    leaves: [],
    path: 'grouping.of',
    fields: dimensions.map((d) => d.label),
    ofMeasure: true,
    shown,
    ...stands,
  }
}

/** Whether each row of the answer shows which period it is of: of a boolean, only true names one. */
const isShown = ({ periodColumns = [] }: ResolvedDimension): boolean => periodColumns.every(({ type }) => type.kind !== 'boolean')

/** At other times, the values of the other dimensions are those of a shown detail row. */
export function shownAtOtherTimes(
  conjuncts: readonly Conjunct[],
  { shift, window, times }: Pick<Modifier, 'shift' | 'window' | 'times'>,
  graph: JoinGraph,
): readonly Conjunct[] {
  const time = shift?.dimension ?? window?.time ?? times?.time
  if (time === undefined || !conjuncts.some(({ shown }) => shown)) return conjuncts
  return conjuncts.flatMap((conjunct) => {
    const { shown, calendarTimes = [] } = conjunct
    if (!shown) return [conjunct]
    const standing = ofSameTime(time, calendarTimes, graph).flatMap(({ periodColumns = [] }) =>
      periodColumns.map(({ name }) => name),
    )
    const ofDetail = timeOfDetail(time, [...shown, ...calendarTimes], graph)
    const along = [ofDetail, ...ofSameTime(time, shown, graph), ...ofSameTime(ofDetail, shown, graph)]
    const others = shown.filter((d) => d.name !== time.name && !along.includes(d) && !standing.includes(d.name))
    const elsewhere = calendarTimes.filter((d) => d.name !== time.name && !ofSameTime(time, [d], graph).includes(d))
    return others.length === 0 ? [] : [shownCondition(others, elsewhere)]
  })
}

/** The time in the periods of the detail rows: a level may have longer ones, from which fewer columns of a calendar follow. */
function timeOfDetail(time: ResolvedDimension, dimensions: readonly ResolvedDimension[], graph: JoinGraph): ResolvedDimension {
  const own = ofSameTime(time, dimensions, graph).filter((d) => !followsFrom(time, d, graph))
  return finest([time, ...own]) ?? time
}

/**
 * A level whose rows are those of the shown detail rows needs no further condition where values are found for them by all shown dimensions: each row finds those of
 * its own group. The detail rows have been chosen by the same values, which are then computed once; those that have not chosen them are computed of few rows.
 */
export const withNeededConditions = (level: AggregateQuery): AggregateQuery => ({
  ...level,
  aggregates: level.aggregates.map((one) => {
    const conjuncts = one.conjuncts.filter((conjunct) => !isImplied(conjunct, one))
    return conjuncts.length === one.conjuncts.length ? one : { ...one, conjuncts }
  }),
})

const isImplied = (
  { shown }: Conjunct,
  { contributesRows, window, converts, multiFact, dimensions }: ResolvedAggregate,
): boolean =>
  shown !== undefined &&
  contributesRows &&
  window === undefined &&
  converts === undefined &&
  multiFact === undefined &&
  shown.every((d) => d.top === undefined && hasDimension(dimensions, d))

/**
 * Whether a level could have rows that are not shown: values of other times are read, gaps are filled, or an aggregate keeps fewer of the level's dimensions, as over a
 * moved range for which a column of a calendar stands. A row that facts are compared for has a value without any of them.
 */
export const addsRows = ({ aggregates, dimensions, fill, folds, nested }: AggregateQuery): boolean =>
  fill !== undefined ||
  folds.length + nested.length > 0 ||
  aggregates.some(
    (one) => one.shift !== undefined || one.window !== undefined || one.multiFact !== undefined || !keepsAll(dimensions, one),
  )

const keepsAll = (dimensions: readonly ResolvedDimension[], { contributesRows, conjuncts }: ResolvedAggregate): boolean =>
  !contributesRows || conjuncts.some(({ shown = [] }) => dimensions.every((d) => hasDimension(shown, d)))
