import { type CalendarTable, isOwn, nameOfPeriod } from '../model/calendar-table.js'
import { DATE, type DataType, INT } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import type { DataObject } from '../model/semantic-model.js'
import { binary, call, integer, text } from '../resolve/expressions.js'
import { truncated } from '../resolve/grain-expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import type { SqlExpr } from '../sql/statement.js'
import { baseRows } from './base-rows.js'
import { offGroups } from './off-groups.js'
import type { CalendarPeriodReport, CalendarReport } from './report.js'
import { aggregate, column, item, leftJoin, part, present, select } from './sql-parts.js'
import type { VerifyContext } from './verify-context.js'

type Calendar = DataObject & { readonly calendar: CalendarTable }

/** A table of days; a calendar without a table has no rows that could be wrong. */
export const isCalendarTable = (object: DataObject): object is Calendar =>
  object.calendar !== undefined && object.calendar.generated === undefined

/** One statement for the days, and two for each column of a period. */
export async function verifyCalendar(object: Calendar, context: VerifyContext): Promise<CalendarReport> {
  const periods: CalendarPeriodReport[] = []
  for (const [name, period] of object.calendar.periods) {
    // The periods of the table itself, and years of weeks, have no arithmetic to compare with.
    if (period.grain === 'week_year' || isOwn(period.grain)) continue
    const asked = { name, grain: period.grain, isWhole: period.of === undefined }
    periods.push({ column: name, period: nameOfPeriod(period), ...(await verifyPeriod(object, asked, context)) })
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
  readonly grain: Grain
  /** A value names one period by itself. */
  readonly isWhole: boolean
}

/** Periods with several values, and values of several periods. */
async function verifyPeriod(
  object: Calendar,
  { name, grain, isWhole }: AskedPeriod,
  context: VerifyContext,
): Promise<Omit<CalendarPeriodReport, 'column' | 'period'>> {
  const wanted = [
    { name: 'start', expression: truncated(grain, dayOf(object)) },
    { name: 'value', expression: columnOf(object, name) },
  ]
  const base = baseRows({ object: object.name, name: 'object_rows', wanted }, context)
  const [start, value] = base.columns
  if (!start || !value) throw new Error('two columns are read')
  const named = value.type.kind === 'boolean' ? [value.read] : []
  const several = (key: Read, counted: Read, where: readonly SqlExpr[]) => {
    const different = { ...aggregate('count', [counted.read], INT), distinct: true }
    const query = select([item(key.name, key.read, key.type), item('others', different, INT)], part(base.name), {
      where: [...present([start.read, value.read]), ...where],
      groupBy: [key.read],
    })
    const isOff = (read: (name: string, type: DataType) => SqlExpr): SqlExpr => binary('>', read('others', INT), integer(1))
    return offGroups({ ctes: base.ctes, query, keys: [key], isOff }, context)
  }
  const ofPeriods = await several(start, value, [])
  const ofValues = isWhole ? await several(value, start, named) : undefined
  return {
    periods: ofPeriods.groups,
    several_values: ofPeriods.off,
    examples: ofPeriods.examples,
    several_periods: ofValues?.off ?? 0,
    value_examples: ofValues?.examples ?? [],
  }
}

interface Read {
  readonly name: string
  readonly type: DataType
  readonly read: SqlExpr
}

const columnOf = ({ name }: DataObject, of: string): Expr<ColumnRef> => ({ kind: 'column', object: name, column: of })

const dayOf = (object: Calendar): Expr<ColumnRef> => truncated('day', columnOf(object, object.calendar.key))
