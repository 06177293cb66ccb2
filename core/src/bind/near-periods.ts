import type { Expr } from '../model/expression/ast.js'
import type { Grain, TimeGrain, WeekStart } from '../model/grain.js'
import { timeLiteral } from '../resolve/bucket.js'
import { readsDaysOfPeriods } from '../resolve/days-of-periods.js'
import { allOf, binary } from '../resolve/expressions.js'
import { bridgesOf } from '../resolve/locate.js'
import { namesPeriod } from '../resolve/named-periods.js'
import { timeConjuncts } from '../resolve/periods.js'
import {
  type AggregateQuery,
  type Conjunct,
  type FieldLeaf,
  hasDimension,
  type Shift,
  type ShiftStep,
  timedParts,
  type WhereLeaf,
} from '../resolve/resolved-query.js'
import { ceil, floor, MICROS_PER_DAY, type Micros, shift } from '../resolve/time.js'
import { momentAt } from '../resolve/time-bound.js'
import { isSame, unlike, ValueSet } from '../same.js'
import { intersection } from '../time-zones/ranges.js'
import type { RequestedConjunct } from './block-request.js'
import type { PlannedRequest } from './block-requests.js'
import type { RequestRule } from './request-rule.js'

/** The largest difference between clocks of two zones, including a skipped day. */
const ZONES: Micros = 2n * MICROS_PER_DAY
/** This number of periods, even of years, is within the range of dates. */
const FARTHEST = 100_000
/** Dates that every engine writes in the same way. */
const FIRST: Micros = -MICROS_PER_DAY * 300_000n
const LAST: Micros = MICROS_PER_DAY * 300_000n

/**
 * Other periods are read only at the times that rows of the answer look up: the month before January is December. A lookup reads one group by its period, so that groups
 * of periods that no row looks up change nothing. The bounds are literals, so that partitions and indexes help. Times of day get two extra days, so that no time
 * zone matters.
 */
export const nearPeriods: RequestRule = { name: 'near-periods', rewrite: withBounds }

/** The same blocks. Those of other periods have bounds if all rows of the answer have a bounded time. */
function withBounds(requests: readonly PlannedRequest[], query: AggregateQuery): readonly PlannedRequest[] {
  // Rows of an inner query, or of the windows of another query, may have any time.
  if (query.over || query.nested.some((n) => n.contributesRows && !n.shift)) return requests
  const givers = requests
    .filter((r) => r.atQueryGrain && r.contributesRows)
    .map((r) => ({ ...r.request, seen: new ValueSet(r.request.conjuncts) }))
  // Through a bridge, a condition and the time of a row may come from different connections.
  const shared = query.where.filter(
    (c) => givers.length > 0 && givers.every(({ seen, base }) => seen.has(c) && isDirect(c, base, query)),
  )
  return requests.map((r) => {
    if (!r.shift) return r
    const others = requests.flatMap((other) => (other.shift && readsAlike(other, r) ? [other.shift] : []))
    return bounded(r, { own: r.shift, others }, shared, query)
  })
}

/** Blocks that differ only in the period: with the same bounds they are one. */
const readsAlike = ({ request: a, shift: one }: PlannedRequest, { request: b, shift: other }: PlannedRequest): boolean =>
  a.base === b.base &&
  one?.dimension.name === other?.dimension.name &&
  one?.period.name === other?.period.name &&
  isSame(
    a.dimensions.map((d) => d.name),
    b.dimensions.map((d) => d.name),
  )

interface Shifts {
  readonly own: Shift
  /** The bounds of equal blocks, including its own. */
  readonly others: readonly Shift[]
}

const isDirect = ({ leaves, path }: Conjunct, base: string, { graph }: AggregateQuery): boolean =>
  bridgesOf(base, leaves, graph, path)?.size === 0

function bounded(planned: PlannedRequest, shifts: Shifts, shared: readonly Conjunct[], query: AggregateQuery): PlannedRequest {
  const { request } = planned
  const { dimension, period } = shifts.own
  if (dimension.members.length > 1 || dimension.expression || !hasDimension(request.dimensions, period)) return planned
  const isCut = cutOf(request.conjuncts) !== undefined
  const near = timeConjuncts(dimension.label, dimension, shared, query.graph, request.base)
    .filter(
      (c) => !namesPeriod(c, query.model) && !readsDaysOfPeriods(c, dimension, query.model) && isDirect(c, request.base, query),
    )
    .flatMap((c) => moved(c, isCut ? { ...shifts, others: [shifts.own] } : shifts, query) ?? [])
  return near.length === 0 ? planned : { ...planned, request: { ...request, conjuncts: together(request.conjuncts, near) } }
}

/** The condition that leaves a part of the period with which a cut one is compared. */
const cutOf = (conjuncts: readonly Conjunct[]): Conjunct | undefined =>
  conjuncts.find((c) => c.ofMeasure && timedParts(c.times).get(c.expression)?.kind === 'up-to')

/** One range in place of several, where a period that the query cuts is compared with a part of another one. */
function together(conjuncts: readonly Conjunct[], near: readonly Near[]): readonly RequestedConjunct[] {
  const cut = cutOf(conjuncts)
  const condition = cut && timedParts(cut.times).get(cut.expression)
  const [leaf] = cut?.leaves ?? []
  if (!cut || condition?.kind !== 'up-to' || leaf?.kind !== 'where-field') return [...conjuncts, ...near]
  const ranges = near.reduce((all, { range }) => intersection(all, [range]), condition.admitted)
  const [range, more] = ranges
  if (!range || more) return [...conjuncts, ...near]
  return conjuncts.map((c) => (c === cut ? { ...cut, expression: allOf(termsOf(range, leaf)) ?? cut.expression } : c))
}

function termsOf({ from, to }: Range, leaf: FieldLeaf): readonly Expr<WhereLeaf>[] {
  return [
    ...(isWritable(from) ? [binary<WhereLeaf>('>=', leaf, timeLiteral(from, leaf.type))] : []),
    ...(isWritable(to) ? [binary<WhereLeaf>('<', leaf, timeLiteral(to, leaf.type))] : []),
  ]
}

interface Near extends RequestedConjunct {
  readonly range: Range
}

/** The bounds of the looked-up time that follow from a conjunct on the time of the row. */
function moved(conjunct: Conjunct, { own, others }: Shifts, { time }: AggregateQuery): Near | undefined {
  const leaf = conjunct.leaves[0]!
  if (isFar(own)) return undefined
  if (leaf.kind !== 'where-field') return undefined
  const slack = leaf.type.kind === 'date' ? 0n : ZONES
  const periods: Periods = { grain: own.period.grain ?? 'day', weekStart: time.weekStart }
  const [lower, upper] = [momentAt('lower', conjunct, time), momentAt('upper', conjunct, time)]
  const rangeOf = ({ steps, period: { movedBy } }: Shift): Range => {
    const inMonths = steps.map(asMonths)
    // A range that is moved by less than a period can end after the last time that the filters leave.
    const end = upper && (movedBy ? ceil(upper + slack, periods.grain, time.weekStart) : upper + slack)
    return {
      // The week of the first of a month began in the month before.
      from:
        lower && inMonths.reduce((at, step) => earliest(at, step, periods), floor(lower - slack, periods.grain, time.weekStart)),
      to: end && inMonths.reduce((at, step) => endOfLatest(at, step, periods), end),
    }
  }
  const { from, to } = allAround(rangeOf(own), others.filter((shift) => !isFar(shift)).map(rangeOf))
  const range = { from: from === undefined ? undefined : from - slack, to: to === undefined ? undefined : to + slack }
  const expression = allOf(termsOf(range, leaf))
  return expression && { ...conjunct, expression, isNear: true, range }
}

const isFar = ({ steps }: Shift): boolean => steps.some(({ from, to }) => Math.max(-from, to) > FARTHEST)

interface Range {
  readonly from: Micros | undefined
  readonly to: Micros | undefined
}

/** The range that includes all ranges, if the gaps are small; otherwise its own. A row looks up one period, so more periods change nothing. */
function allAround(own: Range, all: readonly Range[]): Range {
  const known = unlike(all).flatMap(({ from, to }) => (from !== undefined && to !== undefined ? [{ from, to }] : []))
  if (known.length < unlike(all).length) return own
  const [from, to] = [known.map((r) => r.from).reduce(least, own.from!), known.map((r) => r.to).reduce(greatest, own.to!)]
  const read = known.reduce((sum, r) => sum + r.to - r.from, 0n)
  return (to - from) * 2n <= read * 3n ? { from, to } : own
}

const least = (a: Micros, b: Micros): Micros => (a < b ? a : b)
const greatest = (a: Micros, b: Micros): Micros => (a > b ? a : b)

interface Periods {
  readonly grain: Grain
  readonly weekStart: WeekStart
}

const MONTHS: Partial<Record<TimeGrain, number>> = { quarter: 3, year: 12 }

/** March of one year looks up March of another: the other months are not read. */
function asMonths(step: ShiftStep): ShiftStep {
  const months = typeof step.grain === 'string' ? MONTHS[step.grain] : undefined
  return months === undefined ? step : { grain: 'month', from: step.from * months, to: step.to * months }
}

/** The start of the first period that a row at `at` or later may look up. If the end of a month is limited, its month is still known. */
const earliest = (at: Micros, step: ShiftStep, { grain, weekStart }: Periods): Micros =>
  floor(shift(floor(at, step.grain, weekStart), step.grain, step.from), grain, weekStart)

/** The end of the last period that a row before `at` may look up. */
const endOfLatest = (at: Micros, step: ShiftStep, { grain, weekStart }: Periods): Micros =>
  ceil(shift(floor(at - 1n, step.grain, weekStart), step.grain, step.to + 1), grain, weekStart)

const isWritable = (at: Micros | undefined): at is Micros => at !== undefined && at > FIRST && at < LAST
