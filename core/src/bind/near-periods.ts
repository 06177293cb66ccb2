/**
 * Other periods are sought only near the times that a question asks for. The bounds are wider than what rows of the answer look up, so
 * that no calendar, time zone or end of a month matters, and are literals, so that partitions and indexes serve.
 */
import type { CalendarUnit, Grain, TimeGrain } from '../model/grain.js'
import { timeLiteral } from '../resolve/bucket.js'
import { allOf, binary } from '../resolve/expressions.js'
import { bridgesOf } from '../resolve/locate.js'
import { timeConjuncts } from '../resolve/periods.js'
import { type AggregateQuery, type Conjunct, hasDimension, type Shift, type WhereLeaf } from '../resolve/resolved-query.js'
import { MICROS_PER_DAY, type Micros } from '../resolve/time.js'
import { momentAt } from '../resolve/time-bound.js'
import { ValueSet } from '../same.js'
import type { PlannedRequest } from './block-requests.js'

/** How long a grain lasts at least and at most, in days; parts of a day are taken for days. */
const DAYS: Readonly<Record<TimeGrain, readonly [bigint, bigint]>> = {
  second: [0n, 1n],
  minute: [0n, 1n],
  hour: [0n, 1n],
  day: [1n, 1n],
  week: [7n, 7n],
  month: [28n, 31n],
  quarter: [90n, 92n],
  year: [365n, 366n],
}
/** The same of calendars: one begins its months on another day, another has whole weeks, at times 53 of them. */
const CALENDAR_DAYS: Readonly<Record<CalendarUnit, readonly [bigint, bigint]>> = {
  week: [7n, 7n],
  month: [28n, 42n],
  quarter: [89n, 98n],
  year: [364n, 371n],
}
/** For time zones, and ends of months that are cut. */
const SLACK = 4n
/** Dates that every engine writes alike. */
const FIRST: Micros = -MICROS_PER_DAY * 300_000n
const LAST: Micros = MICROS_PER_DAY * 300_000n

/** The same blocks, those of other periods with bounds where all rows of the answer have a bounded time. */
export function nearPeriods(requests: readonly PlannedRequest[], query: AggregateQuery): PlannedRequest[] {
  // Rows of a query within this one, or of the windows of another, may have any time.
  if (query.over || query.nested.some((n) => n.contributesRows && !n.shift)) return [...requests]
  if (requests.every((r) => r.shift === undefined)) return [...requests]
  const givers = requests
    .filter((r) => r.atQueryGrain && r.contributesRows)
    .map((r) => ({ ...r.request, seen: new ValueSet(r.request.conjuncts) }))
  // Through a bridge, a condition and the time of a row may be of different connections.
  const shared = query.where.filter(
    (c) => givers.length > 0 && givers.every(({ seen, base }) => seen.has(c) && isDirect(c, base, query)),
  )
  return requests.map((r) => (r.shift ? bounded(r, r.shift, shared, query) : r))
}

const isDirect = ({ leaves, path }: Conjunct, base: string, { graph }: AggregateQuery): boolean =>
  bridgesOf(base, leaves, graph, path)?.size === 0

function bounded(planned: PlannedRequest, shift: Shift, shared: readonly Conjunct[], query: AggregateQuery): PlannedRequest {
  const { request } = planned
  const { dimension, period } = shift
  if (dimension.members.length > 1 || dimension.expression || !hasDimension(request.dimensions, period)) return planned
  const near = timeConjuncts(dimension.label, dimension, shared)
    .filter((c) => isDirect(c, request.base, query))
    .flatMap((c) => moved(c, shift, query) ?? [])
  return near.length === 0 ? planned : { ...planned, request: { ...request, conjuncts: [...request.conjuncts, ...near] } }
}

/** What a conjunct on the row's own time says about the time of what the row looks up. */
function moved(conjunct: Conjunct, { period, steps }: Shift, { time }: AggregateQuery): Conjunct | undefined {
  const leaf = conjunct.leaves[0]!
  if (leaf.kind !== 'where-field') return undefined
  const slack = BigInt(steps.length) * (2n * daysOf(period.grain ?? 'day')[1] + SLACK)
  const at = (moment: Micros | undefined, days: bigint) => (moment === undefined ? undefined : moment + days * MICROS_PER_DAY)
  const from = at(momentAt('lower', conjunct, time), sum(steps.map(({ grain, from }) => daysFrom(grain, from, 'least'))) - slack)
  const to = at(momentAt('upper', conjunct, time), sum(steps.map(({ grain, to }) => daysFrom(grain, to, 'most'))) + slack)
  const terms = [
    ...(isWritable(from) ? [binary<WhereLeaf>('>=', leaf, timeLiteral(from, leaf.type))] : []),
    ...(isWritable(to) ? [binary<WhereLeaf>('<=', leaf, timeLiteral(to, leaf.type))] : []),
  ]
  const expression = allOf(terms)
  return expression && { ...conjunct, expression }
}

/** The least or the most days that so many periods have; before is less than after. */
function daysFrom(grain: Grain, count: number, end: 'least' | 'most'): bigint {
  const [least, most] = daysOf(grain)
  return BigInt(count) * ((end === 'least') === count < 0 ? most : least)
}
const sum = (days: readonly bigint[]): bigint => days.reduce((a, b) => a + b, 0n)

const daysOf = (grain: Grain) => (typeof grain === 'string' ? DAYS[grain] : CALENDAR_DAYS[grain.unit])

const isWritable = (at: Micros | undefined): at is Micros => at !== undefined && at > FIRST && at < LAST
