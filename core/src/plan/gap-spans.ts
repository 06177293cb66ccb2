/** The periods between two ends: those of the rows, of each tuple, or of a range of times. */
import type { BoundFill, CalendarDays } from '../bind/bound-query.js'
import { both, lastOf } from '../invariant.js'
import { DATE, type DataType, INT } from '../model/data-type.js'
import { type Grain, type TimeGrain, unitOfGrain, type WeekStart } from '../model/grain.js'
import { freeName } from '../resolve/aliases.js'
import { timeLiteral } from '../resolve/bucket.js'
import { allOf, binary, integer } from '../resolve/expressions.js'
import { furtherOut } from '../resolve/further-out.js'
import { periodAfter, periodsBetween, truncated } from '../resolve/grain-expressions.js'
import { periodsFrom } from '../resolve/moved-range.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { GapRange, ResolvedDimension } from '../resolve/resolved-query.js'
import { floor, isSubDay, type Micros } from '../resolve/time.js'
import { planPartsOf } from './block.js'
import { filtered, planRows } from './from.js'
import {
  type Distinct,
  type LogicalPlan,
  type NamedExpr,
  type Numbers,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
  staged,
} from './logical-plan.js'

/** A first period, and the number of periods to the last one; `begun` is the part that has been generated. */
export interface Spans {
  /** Absent if both are known when the query is compiled. */
  readonly rows: Project | undefined
  readonly tuple: readonly ResolvedDimension[]
  readonly first: NamedExpr
  readonly later: RowExpr
  readonly begun: RowExpr | undefined
  /** Digits of the number of periods. */
  readonly digits: number
}

/** The first period of all rows, of each tuple, or of a range, and the number of periods to the last one. */
export function spansOf(found: Shared, fill: BoundFill, tuple: readonly ResolvedDimension[]): Spans {
  return inParts(allOfThem(found, fill, tuple))
}

function allOfThem(found: Shared, fill: BoundFill, tuple: readonly ResolvedDimension[]): Spans {
  const { time, range, days, clocks } = fill
  const grain = time.grain!
  const [first, last] = both(['first', 'last'], (name) => freeName(name, tuple))
  const later = freeName('later', tuple)
  const digits = DIGITS[unitOfGrain(grain)]
  const edges = range && edgesOf(range, grain, clocks.weekStart)
  if (edges && edges.first !== undefined && edges.last !== undefined && !days.named) {
    const count = edges.first > edges.last ? -1 : periodsFrom(edges.first, edges.last, grain)
    const expression: RowExpr = timeLiteral(edges.first, time.type)
    const known = { name: first, type: time.type, expression }
    return {
      rows: undefined,
      tuple,
      first: known,
      later: integer(count),
      begun: undefined,
      digits: String(Math.max(count, 0)).length,
    }
  }
  const source = days.named ? daysNamed(days.named, range) : found
  const type = days.named ? DATE : time.type
  const at = days.named ? relationColumn('', 'day', DATE) : relationColumn('', time.name, time.type)
  const ends: LogicalPlan = {
    kind: 'aggregate',
    input: source,
    alias: 'ends',
    keys: tuple.map((d) => sameColumn(d)),
    aggregates: [plainAggregate(first, 'min', [at], type), plainAggregate(last, 'max', [at], type)],
    reason: 'the first and the last period',
  }
  const own = both([first, last], (name): RowExpr => relationColumn('', name, type))
  const [from, to] = days.named ? periodsOf(own, time) : own
  const literalAt = (edge: Micros): RowExpr => timeLiteral(edge, time.type)
  const narrowed = (end: RowExpr, edge: Micros | undefined, operator: '<' | '>'): RowExpr => {
    if (edge === undefined || (days.named && !isSubDay(grain))) return end
    return days.named ? onlyUpTo(end, literalAt(edge), operator) : literalAt(edge)
  }
  const reached = range && !days.named ? edgesOf(range.reached, grain, clocks.weekStart) : undefined
  const [start, end] = [
    furtherOut(narrowed(from, edges?.first, '<'), reached?.first, '<', time.type),
    furtherOut(narrowed(to, edges?.last, '>'), reached?.last, '>', time.type),
  ]
  const alias = 'spans'
  const rows = staged(ends, alias, [
    ...tuple.map((d) => sameColumn(d)),
    { name: first, type: time.type, expression: start },
    { name: later, type: INT, expression: periodsBetween(grain, start, end) },
  ])
  const column = (name: string, of: DataType): RowExpr => relationColumn(alias, name, of)
  return {
    rows,
    tuple,
    first: { name: first, type: time.type, expression: column(first, time.type) },
    later: column(later, INT),
    begun: undefined,
    digits,
  }
}

/** The maximum number of digits of a number of periods: from the first possible date to the last. */
const DIGITS: Readonly<Record<TimeGrain, number>> = {
  second: 12,
  minute: 10,
  hour: 8,
  day: 7,
  week: 6,
  month: 6,
  quarter: 5,
  year: 5,
}
/** The number of digits that are generated at once. Not every engine removes numbers that are too high before it has generated the rest. */
const AT_ONCE = 7

/** If there can be more periods than are generated at once: a row for each of the greatest parts of their number. */
function inParts(spans: Spans): Spans {
  const { digits } = spans
  if (digits <= AT_ONCE) return spans
  const places = Array.from({ length: digits - AT_ONCE }, (_, i) => 10 ** (digits - 1 - i))
  const { numbers, conditions, count } = counted(spans, places, spans.tuple)
  const input: LogicalPlan = {
    kind: 'filter',
    input: crossed(spans.rows, numbers),
    condition: allOf(conditions)!,
    reason: 'up to the last part',
  }
  const [alias, begun, later] = ['parts', freeName('begun', spans.tuple), freeName('later', spans.tuple)]
  const rows = staged(input, alias, [
    ...spans.tuple.map((d) => ({ ...d, expression: ofSpan(spans, d) })),
    spans.first,
    { name: later, type: INT, expression: spans.later },
    { name: begun, type: INT, expression: count },
  ])
  const column = (name: string, type: DataType): RowExpr => relationColumn(alias, name, type)
  const first = { ...spans.first, expression: column(spans.first.name, spans.first.type) }
  return { ...spans, rows, first, later: column(later, INT), begun: column(begun, INT), digits: AT_ONCE }
}

export const crossed = (rows: Project | undefined, numbers: Numbers): LogicalPlan => (rows ? cross(rows, numbers) : numbers)
const ofSpan = ({ rows }: Spans, { name, type }: ResolvedDimension): RowExpr => relationColumn(rows?.alias ?? '', name, type)

/** The decimal places that are generated together, from the highest on. */
export const placesOf = ({ digits }: Spans): readonly number[] => Array.from({ length: digits }, (_, i) => 10 ** (digits - 1 - i))

/** The numbers of periods, such that none of them, rounded or not, exceeds the last. */
export function counted({ later, begun }: Spans, places: readonly number[], beside: readonly ResolvedDimension[]) {
  const names = places.map((place) => freeName(place === 1 ? 'n' : `n_${place}`, beside))
  const numbers: Numbers = { kind: 'numbers', alias: 'digits', names, places }
  const counts = names.map((name): RowExpr => {
    const number = relationColumn('', name, INT)
    return begun === undefined ? number : binary('+', begun, number)
  })
  const conditions = counts.map((count) => binary('<=', count, later))
  return { numbers, conditions, count: lastOf(counts) }
}

/** The first days of the first and the last period of a range. */
const edgesOf = ({ from, to }: Partial<Pick<GapRange, 'from' | 'to'>>, grain: Grain, weekStart: WeekStart) => ({
  first: from === undefined ? undefined : floor(from, grain, weekStart),
  last: to === undefined ? undefined : floor(to - 1n, grain, weekStart),
})

/** The days of the periods that conditions name, as far as the other conditions on the time leave them. */
function daysNamed(named: CalendarDays, range: GapRange | undefined): Distinct {
  const { day, where } = named
  const { first, last } = edgesOf(range ?? {}, 'day', 'monday')
  const within = [
    ...(first === undefined ? [] : [binary('>=', day, timeLiteral<RelationColumn>(first, DATE))]),
    ...(last === undefined ? [] : [binary('<=', day, timeLiteral<RelationColumn>(last, DATE))]),
  ]
  return daysOf({ ...named, where: [...where, ...within] }, 'named_days', [{ name: 'day', type: DATE, expression: day }])
}

/** The periods of the first and the last of some days. */
const periodsOf = (
  [first, last]: readonly [RowExpr, RowExpr],
  { grain, type }: ResolvedDimension,
): readonly [RowExpr, RowExpr] => {
  if (!isSubDay(grain!)) return [truncated(grain!, first), truncated(grain!, last)]
  const next = periodAfter<RelationColumn>('day', integer(1), last)
  const asTime = (operand: RowExpr): RowExpr => ({ kind: 'cast', operand, type })
  return [asTime(first), periodAfter(grain!, integer(-1), asTime(next))]
}

/** The bound in place of an end that is before it, or after it; without an end there is no period. */
const onlyUpTo = (end: RowExpr, bound: RowExpr, operator: '<' | '>'): RowExpr => ({
  kind: 'case',
  branches: [{ when: binary(operator, end, bound), then: bound }],
  otherwise: end,
})

/** The days of a calendar that its conditions leave, or what follows from them, each once. */
export const daysOf = ({ rows, where }: CalendarDays, alias: string, columns: readonly NamedExpr[]): Distinct => ({
  kind: 'distinct',
  input: filtered(
    planRows(rows, planPartsOf()),
    where.map((expression) => ({ expression, reason: 'the conditions on the calendar' })),
  ),
  alias,
  columns,
  reason: 'the days that the conditions leave',
})

export function cross(left: LogicalPlan, right: LogicalPlan): LogicalPlan {
  const label = { from: '', to: '', columns: [], reason: 'each with each' }
  return { kind: 'join', type: 'cross', left, right, on: [], label }
}
