import { INT, TIMESTAMP } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import { allOf, binary, call, integer, isNull, text } from '../resolve/expressions.js'
import { periodAfter, periodsBetween, truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { Fill, ResolvedDimension } from '../resolve/resolved-query.js'
import { isSubDay } from '../resolve/time.js'
import { leapsSince, timeZone } from '../time-zones/time-zone.js'
import {
  type Combine,
  type LogicalPlan,
  type NamedExpr,
  type Numbers,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
} from './logical-plan.js'
import { sameOrBothNull } from './null-safe.js'
import type { PlannedLeg } from './planned.js'
import type { RowsContext } from './rows-context.js'

/** Found rows with, beside them, every period from the first to the last: `rows` holds the dimensions and the values of `legs`. */
export function filled(
  rows: LogicalPlan,
  fill: Fill,
  dimensions: readonly ResolvedDimension[],
  legs: readonly PlannedLeg[],
  context: RowsContext,
): Combine {
  const { aliases } = context
  const values = legs.flatMap((leg) => leg.values)
  const columns = [...dimensions, ...values].map(({ name, type }) => ({ name, type }))
  const found: Shared = { kind: 'shared', alias: aliases.derived('found_rows'), input: rows, columns }
  const keys = dimensions.map(({ name, type }) => ({ name, type }))
  const [withValues, withoutGaps] = [aliases.derived('with_values'), aliases.derived('all_periods')]
  const own: LogicalPlan = {
    kind: 'project',
    input: found,
    alias: withValues,
    columns: columns.map((c) => sameColumn(c)),
    stage: true,
  }
  const all = spine(found, fill, dimensions, withoutGaps, context)
  const nests = fill.time.grain !== 'week' || fill.along.length === 0
  const periods = nests
    ? all
    : unseen(
        all,
        found,
        dimensions.filter((d) => !fill.along.includes(d)),
        aliases.derived('periods_without_rows'),
        context,
      )
  return {
    kind: 'combine',
    alias: aliases.derived('filled'),
    keys,
    legs: [
      { input: own, name: withValues, present: true, values },
      { input: periods, name: periods.alias, present: true, values: [] },
    ],
    reason: 'every period between the first and the last, with rows or without',
  }
}

type Column = Pick<NamedExpr, 'name' | 'type'>

/** Every period × the tuples of the other dimensions; where each tuple has ends of its own, between those. */
function spine(
  found: Shared,
  { time, along, perTuple }: Fill,
  dimensions: readonly ResolvedDimension[],
  alias: string,
  context: RowsContext,
): Project {
  const { aliases } = context
  const others = dimensions.filter((d) => d !== time && !along.includes(d))
  const numbers: Numbers = {
    kind: 'numbers',
    alias: aliases.derived('digits'),
    name: aliases.column('n'),
    rounded: placesFor(time.grain!).map((place) => aliases.column(`n_${place}`)),
  }
  const spans = spansOf(found, time, perTuple ? others : [], aliases)
  const later = relationColumn(spans.alias, spans.later, INT)
  const conditions = [...numbers.rounded, numbers.name].map((name) => binary('<=', relationColumn('', name, INT), later))
  const tuples = aliases.derived('tuples')
  const periods = cross(spans.rows, numbers)
  const all = perTuple || others.length === 0 ? periods : cross(periods, distinctOf(found, others, tuples))
  const other = (d: ResolvedDimension): RowExpr => relationColumn(perTuple ? spans.alias : tuples, d.name, d.type)
  const number = { name: numbers.name, type: INT, expression: relationColumn('', numbers.name, INT) }
  const first = { name: spans.first, type: time.type, expression: relationColumn(spans.alias, spans.first, time.type) }
  const rest = others.map((d) => ({ ...d, expression: other(d) }))
  const shownEver =
    typeof time.grain === 'string'
      ? wasShown(time, periodAfter(time.grain, number.expression, first.expression), context.time)
      : undefined
  const condition = allOf([...conditions, ...(shownEver ? [shownEver] : [])])!
  const input: LogicalPlan = { kind: 'filter', input: all, condition, reason: 'up to the last period' }
  if (typeof time.grain !== 'string') return inStages(input, { time, along }, dimensions, { number, first, rest }, alias, aliases)
  const period = periodAfter(time.grain, number.expression, first.expression)
  const shown = (d: ResolvedDimension): RowExpr => {
    if (d === time) return period
    return along.includes(d) ? truncated(d.grain!, period) : other(d)
  }
  return staged(
    input,
    alias,
    dimensions.map((d) => ({ ...d, expression: shown(d) })),
  )
}

/** Whether the clocks ever showed a moment of the period; `undefined` where they skipped none of its length. */
function wasShown(
  { grain, members, type }: ResolvedDimension,
  period: RowExpr,
  { zone, naiveZone }: RowsContext['time'],
): RowExpr | undefined {
  const isMoved = members.some((m) => m.type.kind === 'timestamp_tz' || (m.type.kind === 'timestamp' && naiveZone !== undefined))
  const skipped = isMoved ? leapsSince(timeZone(zone)!, 0, true).at(-1) : undefined
  if (skipped === undefined || (!isSubDay(grain!) && (grain !== 'day' || skipped < A_DAY))) return undefined
  const start: RowExpr = type.kind === 'date' ? { kind: 'cast', operand: period, type: TIMESTAMP } : period
  const named = call<RelationColumn>('from_zone', start, text(zone))
  return binary('=', truncated(grain!, call('in_zone', named, text(zone))), period)
}

const A_DAY = 86_400

/** The places above the units: ten million periods of a clock, a million days, a hundred thousand of anything longer. */
function placesFor(grain: Grain): readonly number[] {
  const digits = isSubDay(grain) ? 7 : grain === 'day' ? 6 : 5
  return Array.from({ length: digits - 1 }, (_, i) => 10 ** (digits - 1 - i))
}

/** The first period of all rows, or of those of each tuple, and how many periods later the last one is. */
function spansOf(found: Shared, time: ResolvedDimension, tuple: readonly ResolvedDimension[], aliases: RowsContext['aliases']) {
  const [first, last, later] = ['first', 'last', 'later'].map((name) => aliases.column(name)) as [string, string, string]
  const at = relationColumn('', time.name, time.type)
  const ends: LogicalPlan = {
    kind: 'aggregate',
    input: found,
    alias: aliases.derived('ends'),
    keys: tuple.map((d) => sameColumn(d)),
    aggregates: [plainAggregate(first, 'min', [at], time.type), plainAggregate(last, 'max', [at], time.type)],
    reason: 'the first and the last period',
  }
  const [from, to] = [first, last].map((name) => relationColumn('', name, time.type)) as [RowExpr, RowExpr]
  const alias = aliases.derived('spans')
  const rows = staged(ends, alias, [
    ...tuple.map((d) => sameColumn(d)),
    { name: first, type: time.type, expression: from },
    { name: later, type: INT, expression: periodsBetween(time.grain!, from, to) },
  ])
  return { rows, alias, first, later }
}

/**
 * The periods and tuples that no row has: a week that rows show in one month, or in two, is not added in the month of its first day.
 */
function unseen(
  all: Project,
  found: Shared,
  keys: readonly ResolvedDimension[],
  alias: string,
  { aliases }: RowsContext,
): Project {
  const hit = aliases.column('hit')
  const seen = staged(distinctOf(found, keys, aliases.derived('periods_with_rows')), aliases.derived('seen'), [
    ...keys.map((key) => sameColumn(key)),
    { name: hit, type: INT, expression: integer(1) },
  ])
  const on = keys.map(({ name, type }) =>
    sameOrBothNull(relationColumn(all.alias, name, type), relationColumn(seen.alias, name, type), type),
  )
  const label = { from: '', to: '', columns: [], reason: 'the periods that have rows' }
  const beside: LogicalPlan = { kind: 'join', type: 'left', left: all, right: seen, on: allOf(on), label }
  const condition = isNull(relationColumn(seen.alias, hit, INT))
  const input: LogicalPlan = { kind: 'filter', input: beside, condition, reason: 'periods without rows' }
  return staged(
    input,
    alias,
    all.columns.map((column) => sameColumn(column, all.alias)),
  )
}

/** A period of a calendar is a long expression: what it is made of is computed before it, and it before what is made of it. */
function inStages(
  input: LogicalPlan,
  { time, along }: Pick<Fill, 'time' | 'along'>,
  dimensions: readonly ResolvedDimension[],
  { number, first, rest }: { readonly number: NamedExpr; readonly first: NamedExpr; readonly rest: readonly NamedExpr[] },
  alias: string,
  aliases: RowsContext['aliases'],
): Project {
  const parts = [number, first].map((column) => ({ ...column, name: aliases.column(column.name) }))
  const counted = staged(input, aliases.derived('numbered'), [...parts, ...rest])
  const [count, from] = parts.map((column) => relationColumn(counted.alias, column.name, column.type)) as [RowExpr, RowExpr]
  const period = { ...time, expression: periodAfter(time.grain!, count, from) }
  const begun = staged(counted, aliases.derived('begun'), [period, ...rest.map((column) => sameColumn(column, counted.alias))])
  const start = relationColumn(begun.alias, time.name, time.type)
  const shown = (d: ResolvedDimension): NamedExpr =>
    along.includes(d) ? { ...d, expression: truncated(d.grain!, start) } : sameColumn(d, begun.alias)
  return staged(begun, alias, dimensions.map(shown))
}

const staged = (input: LogicalPlan, alias: string, columns: readonly NamedExpr[]): Project => ({
  kind: 'project',
  input,
  alias,
  columns,
  stage: true,
})

function distinctOf(input: LogicalPlan, columns: readonly Column[], alias: string): LogicalPlan {
  return {
    kind: 'distinct',
    input,
    alias,
    columns: columns.map((c) => sameColumn(c)),
    reason: 'the tuples of the other dimensions',
  }
}

function cross(left: LogicalPlan, right: LogicalPlan): LogicalPlan {
  const label = { from: '', to: '', columns: [], reason: 'each with each' }
  return { kind: 'join', type: 'cross', left, right, on: undefined, label }
}
