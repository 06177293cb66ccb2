/** Windows in a unit that is finer than the periods of the rows: thirty days to the end of each month. They end with the range of the row. */
import { fail } from '../errors.js'
import { entryOf } from '../invariant.js'
import { type Grain, lengthOfGrain, nameOfGrain, staysWithin, unitOfGrain } from '../model/grain.js'
import type { CumulativeMetric } from '../model/semantic-model.js'
import { intersection, type Range } from '../time-zones/ranges.js'
import { timeLiteral } from './bucket.js'
import { binary, integer } from './expressions.js'
import { type FirstPeriod, firstIn, unitOfFull } from './full-windows.js'
import { periodAfter, truncated } from './grain-expressions.js'
import { knownLeft } from './known-left.js'
import { conjunctsOf, conjunctsOn } from './modifiers.js'
import { isSpan, periodAt, type Span } from './moved-range.js'
import { namesPeriod } from './named-periods.js'
import { measuresBelow } from './over-time.js'
import { type Along, inPeriods, timeConjuncts } from './periods.js'
import type { RelationColumn, RowExpr } from './relation-column.js'
import type { Conjunct, PeriodWindow, ResolvedDimension } from './resolved-query.js'
import { floor, isSubDay, MICROS_PER_DAY, type Micros } from './time.js'

/**
 * Whether the window of a metric counts in a unit that is finer than periods of a grain, and ends with their last day. Values of the unit are
 * folded only if its periods begin and end with those of the rows.
 */
export function isFiner({ windowGrain, cumulativeType }: CumulativeMetric, grain: Grain | undefined): boolean {
  if (windowGrain === undefined || grain === undefined || lengthOfGrain(windowGrain) >= lengthOfGrain(grain)) return false
  if (isSubDay(windowGrain)) return false
  const isWeek = unitOfGrain(windowGrain) === 'week'
  const isNested = staysWithin(windowGrain, grain) && (!isWeek || typeof windowGrain === 'object')
  return isNested || (isWeek && cumulativeType === undefined)
}

interface Rows {
  readonly time: ResolvedDimension
  /** The first day of the period of a row. */
  readonly start: RowExpr
  readonly grain: Grain
  /** The time by which the conditions are judged. */
  readonly judged: ResolvedDimension
  /** The window of a range. */
  readonly before: (range: Range) => Range
}

/** The periods in which the rows of windows are read, and the first and the last one of each row. */
export function finerWindow(
  metric: CumulativeMetric,
  rows: Rows,
  within: Along,
): Pick<PeriodWindow, 'period' | 'own' | 'grain' | 'periods' | 'unit' | 'since'> {
  const { time, start, grain: shown } = rows
  const unit = metric.windowGrain!
  const { cumulativeType, window } = metric
  const grain = cumulativeType ? unit : 'day'
  const period = inPeriods({ ...time, grain: undefined }, grain)
  const end = periodAfter(shown, integer(1), start)
  const last = periodAfter<RelationColumn>('day', integer(-1), end)
  const parts = within.outer ? [] : partsOf(metric, rows, within)
  const at = (of: (part: Range) => Micros, otherwise: RowExpr): RowExpr =>
    parts.length === 0
      ? otherwise
      : {
          kind: 'case',
          branches: parts.map((one) => ({
            when: startsAt(rows, one),
            then: timeLiteral(of(one.part), period.type),
          })),
          otherwise,
        }
  const { weekStart } = within.clocks
  const own = at(({ to }) => floor(to! - 1n, grain, weekStart), cumulativeType ? truncated(grain, last) : last)
  const days = DAYS[unitOfGrain(unit)]
  if (cumulativeType || window === undefined || days !== undefined)
    return { period, own, grain, periods: window && window * (cumulativeType ? 1 : days!), unit: undefined }
  const since = at((part) => rows.before(part).from!, periodAfter(unit, integer(-window), end))
  return { period, own, grain, periods: window, unit, since }
}

/** The period of the first rows of the base, in the unit of which the range of each row consists. */
export function firstPeriodOf(metric: CumulativeMetric, rows: Rows, within: Along, first: FirstPeriod): RowExpr {
  const { weekStart } = within.clocks
  const of = (range: Range): RowExpr => firstIn(unitOfFull(metric, range, weekStart), first)
  // Every whole period consists of the same units.
  const whole = of(periodAt(0n, rows.grain, weekStart))
  const parts = within.outer ? [] : partsOf(metric, rows, within)
  if (parts.length === 0 || metric.cumulativeType) return whole
  const branches = parts.map((part) => ({ when: startsAt(rows, part), then: of(part.part) }))
  return { kind: 'case', branches, otherwise: whole }
}

/** A window is only finer than periods longer than a day, so the time is shown at a grain. */
const startsAt = ({ start, time }: Rows, { whole }: Part): RowExpr =>
  binary<RelationColumn>('=', start, timeLiteral(whole.from, time.type))

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 }

interface Part {
  readonly whole: Span
  readonly part: Span
}

/** The periods of which the query leaves a part. */
function partsOf(metric: CumulativeMetric, { judged, grain }: Rows, within: Along): readonly Part[] {
  const { clocks, model, path } = within
  const onTime = conjunctsSeen(metric, judged, within)
  const left = knownLeft(onTime, { time: judged, clocks, model })
  if (!left && onTime.some((c) => namesPeriod(c, model))) {
    if (grain === 'month') return []
    return refuse(metric, path, 'columns of a calendar table name its times', 'filter the time by dates, or select it by month')
  }
  if (!left)
    return refuse(
      metric,
      path,
      'a filter on its time is no comparison with dates',
      'compare the time with dates, such as between',
    )
  const edges = left.flatMap(({ from, to }) => [...(from === undefined ? [] : [from]), ...(to === undefined ? [] : [to])])
  const cut = edges.map((edge) => periodAt(edge, grain, clocks.weekStart)).filter(({ from }, i) => from !== edges[i])
  const wholes = new Map(cut.map((period) => [period.from, period]))
  return [...wholes.values()].flatMap((whole) => {
    const [part, more] = intersection(left, [whole])
    if (!part || more || !isSpan(part) || part.to % MICROS_PER_DAY !== 0n || isCutLate(metric, part, left))
      return refuse(
        metric,
        path,
        `the filters leave no range of days of the ${nameOfGrain(grain)}`,
        'filter the time by one range of dates',
      )
    return [{ whole, part }]
  })
}

/** Values of longer periods are read once for all rows, so only the last of the times can end within one. */
const isCutLate = ({ cumulativeType, windowGrain }: CumulativeMetric, { to }: Span, left: readonly Range[]): boolean =>
  cumulativeType !== undefined && windowGrain !== 'day' && left.at(-1)?.to !== to

/** The conditions on the time that all aggregates of the base see. */
function conjunctsSeen(metric: CumulativeMetric, judged: ResolvedDimension, within: Along): readonly Conjunct[] {
  const { model, graph, dimensions, where, path } = within
  const onTime = (seen: readonly Conjunct[]): readonly Conjunct[] => timeConjuncts(metric.name, judged, seen, graph)
  const shown = conjunctsOn(dimensions, where, model)
  const [first = onTime(where), ...rest] = measuresBelow([metric.measure], model).map((name) => {
    const seen = conjunctsOf(entryOf(model.measures, name), where)
    return onTime(where.filter((c) => seen.includes(c) || shown.includes(c)))
  })
  if (rest.some((other) => other.length !== first.length))
    refuse(metric, path, 'its measures see different filters on its time', 'filter the time of all of them')
  return first
}

const refuse = ({ name, windowGrain, timeDimension }: CumulativeMetric, path: string, why: string, hint: string): never =>
  fail(
    'TIME_FILTER_NOT_A_RANGE',
    `metric '${name}' counts each ${nameOfGrain(windowGrain!)} of '${timeDimension}' to the end of the range of a row, and ${why}`,
    { path, hint },
  )
