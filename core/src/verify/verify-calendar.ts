import {
  type CalendarPeriod,
  type CalendarTable,
  isOwn,
  nameOfPeriod,
  nameOfPeriodGrain,
  type PeriodGrain,
} from '../model/calendar-table.js'
import { DATE, type DataType, INT } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { DataObject } from '../model/semantic-model.js'
import { binary, call, integer, text } from '../resolve/expressions.js'
import { truncated } from '../resolve/grain-expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import type { SqlExpr } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import { type OffGroups, offGroups } from './off-groups.js'
import type { CalendarPeriodReport, CalendarReport } from './report.js'
import { aggregate, column, item, leftJoin, part, present, select } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

type Calendar = DataObject & { readonly calendar: CalendarTable }

/** A table of days; a calendar without a table has no rows that could be wrong. */
export const isCalendarTable = (object: DataObject): object is Calendar =>
  object.calendar !== undefined && object.calendar.generated === undefined

/** One statement for the days, and one to three for each column of a period. */
export async function verifyCalendar(object: Calendar, context: VerifyContext): Promise<CalendarReport> {
  const periods: CalendarPeriodReport[] = []
  for (const [name, period] of object.calendar.periods) {
    const found = await verifyPeriod(object, { name, period }, context)
    periods.push({ column: name, period: nameOfPeriod(period), ...found })
  }
  return { name: object.name, key: object.calendar.key, ...(await verifyDays(object, context)), periods }
}

/** The days after which one is missing; the last day is one of them. */
async function verifyDays(
  object: Calendar,
  context: VerifyContext,
): Promise<Pick<CalendarReport, 'days' | 'missing' | 'examples'>> {
  const base = baseRows(
    { object: object.name, name: 'object_rows', wanted: [{ name: 'day', expression: dayOf(object) }] },
    context,
  )
  const day = (alias: string) => column(alias, 'day', DATE)
  const after = call<RelationColumn>('date_add', text('day'), integer(1), day(base.name))
  const following = { ...part(base.name), alias: 'following' }
  const query = select(
    [item('next_day', after, DATE), item('found', aggregate('count', [day('following')], INT), INT)],
    leftJoin(part(base.name), following, binary('=', day('following'), after)),
    { where: present([day(base.name)]), groupBy: [after] },
  )
  const keys = [{ name: 'next_day', type: DATE }]
  const found = await offGroups(
    { ctes: base.ctes, query, keys, isOff: (read) => binary('=', read('found', INT), integer(0)) },
    context,
  )
  const isAll = found.examples.length === found.off
  return {
    days: found.groups,
    missing: Math.max(found.off - 1, 0),
    examples: isAll ? found.examples.slice(0, -1) : found.examples,
  }
}

interface AskedPeriod {
  readonly name: string
  readonly period: CalendarPeriod
}

/**
 * Periods with several values, and values of several periods. A period of a built-in grain is known by its first day; one of the table itself by
 * the first column that names it, whose own days must adjoin.
 */
async function verifyPeriod(
  object: Calendar,
  { name, period }: AskedPeriod,
  context: VerifyContext,
): Promise<Omit<CalendarPeriodReport, 'column' | 'period'>> {
  const own = columnOf(object, name)
  const [start, longer] = [periodOf(object, period.grain), period.of && periodOf(object, period.of)]
  const names = isOwn(period.grain) && period.of === undefined && nameOfGrain(object, period.grain) === name
  const none: OffGroups = { groups: 0, off: 0, examples: [] }
  // The column that names a period of the table tells which it is.
  const ofPeriods = start ? await several([start], own, { object, context }) : none
  const key = period.of === undefined ? [own] : longer && [longer, own]
  const ofValues = start && key && !names ? await several(key, start, { object, context, isNamed: true }) : none
  const outer = names ? outerOf(object, period.grain) : undefined
  return {
    periods: ofPeriods.groups,
    several_values: ofPeriods.off,
    examples: ofPeriods.examples,
    several_periods: ofValues.off,
    value_examples: ofValues.examples,
    ...(names && inPieces(await days(object, own, context))),
    ...(outer && across(await several([own], outer.expression, { object, context }), outer.name)),
  }
}

const inPieces = ({ off, examples }: OffGroups) => ({ in_pieces: off, piece_examples: examples })
const across = ({ off, examples }: OffGroups, longer: string) => ({ longer, across: off, across_examples: examples })

interface Asking {
  readonly object: Calendar
  readonly context: VerifyContext
  /** Of a boolean in the key, only true names a period. */
  readonly isNamed?: boolean
}

/** Keys with several values. */
async function several(
  by: readonly Expr<ColumnRef>[],
  of: Expr<ColumnRef>,
  { object, context, isNamed = false }: Asking,
): Promise<OffGroups> {
  const wanted = [...by, of].map((expression, i) => ({ name: i < by.length ? `key_${i + 1}` : 'value', expression }))
  const base = baseRows({ object: object.name, name: 'object_rows', wanted }, context)
  const keys = base.columns.slice(0, by.length)
  const value = base.columns.slice(by.length).map(({ read }) => read)
  const different = { ...aggregate('count', value, INT), distinct: true }
  const named = isNamed ? keys.filter(({ type }) => type.kind === 'boolean').map(({ read }) => read) : []
  const query = select(
    [...keys.map((key) => item(key.name, key.read, key.type)), item('others', different, INT)],
    part(base.name),
    {
      where: [...present([...keys.map(({ read }) => read), ...value]), ...named],
      groupBy: keys.map(({ read }) => read),
    },
  )
  const isOff = (read: (name: string, type: DataType) => SqlExpr): SqlExpr => binary('>', read('others', INT), integer(1))
  return offGroups({ ctes: base.ctes, query, keys, isOff }, context)
}

/** Values between whose first and last day there are days of others. */
async function days(object: Calendar, of: Expr<ColumnRef>, context: VerifyContext): Promise<OffGroups> {
  const wanted = [
    { name: 'day', expression: dayOf(object) },
    { name: 'value', expression: of },
  ]
  const base = baseRows({ object: object.name, name: 'object_rows', wanted }, context)
  const [day, value] = base.columns
  if (!day || !value) throw new Error('two columns are read')
  const count = (read: SqlExpr) => ({ ...aggregate('count', [read], INT), distinct: true })
  const runs = select(
    [
      item('value', value.read, value.type),
      item('first_day', aggregate('min', [day.read], DATE), DATE),
      item('last_day', aggregate('max', [day.read], DATE), DATE),
      item('own_days', count(day.read), INT),
    ],
    part(base.name),
    { where: present([day.read, value.read]), groupBy: [value.read] },
  )
  const run = (name: string, type: DataType): SqlExpr => column('runs', name, type)
  const [since, upTo] = [binary('>=', day.read, run('first_day', DATE)), binary('<=', day.read, run('last_day', DATE))]
  const query = select(
    [
      item('value', run('value', value.type), value.type),
      item('own_days', aggregate('max', [run('own_days', INT)], INT), INT),
      item('all_days', count(day.read), INT),
    ],
    leftJoin(part('runs'), part(base.name), binary('and', since, upTo)),
    { groupBy: [run('value', value.type)] },
  )
  const keys = [{ name: 'value', type: value.type }]
  const ctes = [...base.ctes, { name: 'runs', query: runs }]
  return offGroups({ ctes, query, keys, isOff: (read) => binary('>', read('all_days', INT), read('own_days', INT)) }, context)
}

/** What tells a period apart from others of its grain; `undefined` if no column of the table does. */
function periodOf(object: Calendar, grain: PeriodGrain): Expr<ColumnRef> | undefined {
  if (!isOwn(grain)) return grain === 'week_year' ? weekYear(object) : truncated(grain, dayOf(object))
  const name = nameOfGrain(object, grain)
  return name === undefined ? undefined : columnOf(object, name)
}

/** The first column that names the periods of a grain of the table. */
function nameOfGrain({ calendar }: Calendar, grain: PeriodGrain): string | undefined {
  const asked = nameOfPeriodGrain(grain)
  return [...calendar.periods].find(
    ([, { grain: of, of: longer }]) => longer === undefined && nameOfPeriodGrain(of) === asked,
  )?.[0]
}

/** The column of the next longer periods of the table, which consist of whole ones. */
function outerOf(object: Calendar, grain: PeriodGrain) {
  if (!isOwn(grain)) return undefined
  const ranks = [...object.calendar.periods.values()].flatMap(({ grain: of, of: longer }) =>
    longer === undefined && isOwn(of) && of.own > grain.own ? [of.own] : [],
  )
  if (ranks.length === 0) return undefined
  const name = nameOfGrain(object, { own: Math.min(...ranks) })
  return name === undefined ? undefined : { name, expression: columnOf(object, name) }
}

/** A week belongs to the year of its fourth day. */
const weekYear = (object: Calendar): Expr<ColumnRef> =>
  truncated('year', call<ColumnRef>('date_add', text('day'), integer(3), truncated('week', dayOf(object))))

const columnOf = ({ name }: DataObject, of: string): Expr<ColumnRef> => ({ kind: 'column', object: name, column: of })

const dayOf = (object: Calendar): Expr<ColumnRef> => truncated('day', columnOf(object, object.calendar.key))
