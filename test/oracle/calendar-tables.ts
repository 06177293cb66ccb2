/** Tables of days: which columns say a time, which conditions on them name one period, and what follows from a period. */
import { lengthOf, truncate } from './calendar.js'
import { whereCondition } from './conditions.js'
import { type Asked, addressOf } from './fields.js'
import type { FilterJson } from './model.js'
import { canonical } from './operators.js'
import { isOfTable, liesInOwn, tableGrain } from './table-grains.js'
import { Day, keyOf, type Value } from './values.js'
import { type Row, readColumn, type World } from './world.js'

/** What a column says about the days of a calendar. */
export interface CalendarColumn {
  readonly calendar: string
  /** The object that the way to the calendar must pass. */
  readonly via: string | undefined
  /** The fact that joins the calendar by this column; undefined for a column of the calendar itself. */
  readonly fact: string | undefined
  readonly column: string
  readonly says: 'day' | 'period' | 'attribute'
}

/** What a dimension or `Object.Column` says about days, in each calendar that knows it. */
export function calendarColumns(world: World, name: string): readonly CalendarColumn[] {
  const { object, column, via } = sourceOf(world, name)
  const { dataObjects } = world.model
  const calendar = dataObjects[object]?.calendar
  if (calendar) {
    const says = column === calendar.key ? 'day' : calendar.periods?.[column] === undefined ? 'attribute' : 'period'
    return [{ calendar: object, via, fact: undefined, column, says }]
  }
  const joined = (dataObjects[object]?.joins ?? []).filter(({ joinTo, columnsFrom, columnsTo, secondary }) => {
    const key = dataObjects[joinTo]?.calendar?.key
    return (
      key !== undefined &&
      !secondary &&
      columnsTo.join() === key &&
      [columnsFrom.join(), cutFrom(world, object, columnsFrom[0]!)].includes(column)
    )
  })
  return joined.map(({ joinTo }) => ({ calendar: joinTo, via: undefined, fact: object, column, says: 'day' }))
}

/** What a column of a calendar says about its days; undefined for other columns. */
const ownColumn = (world: World, name: string): CalendarColumn | undefined =>
  calendarColumns(world, name).find(({ fact }) => fact === undefined)

/** The column of which a computed column is the day. */
const cutFrom = ({ model }: World, object: string, column: string): string | undefined =>
  /^CAST\(\{([^{}]+)\} AS date\)$/.exec(model.dataObjects[object]!.columns[column]?.expression ?? '')?.[1]

function sourceOf(world: World, name: string) {
  const address = addressOf(world, name)
  const [plain = '', via] = address.split(' via ')
  const object = Object.keys(world.model.dataObjects).find((o) => plain.startsWith(`${o}.`)) ?? ''
  return { object, column: plain.slice(object.length + 1), via }
}

/** Whether two columns say days of one calendar in one role, or of two calendars that each fact joins by one column. */
export const sameDays = (world: World, a: CalendarColumn, b: CalendarColumn): boolean =>
  a.calendar === b.calendar
    ? (a.via === b.via || a.via === b.fact || b.via === a.fact) &&
      (a.fact === undefined || b.fact === undefined || a.fact === b.fact)
    : a.fact === undefined && b.fact === undefined && areJoinedByOneColumn(world, a, b)

function areJoinedByOneColumn({ model }: World, a: CalendarColumn, b: CalendarColumn): boolean {
  const joinsOf = (fact: string, { calendar, via = fact }: CalendarColumn): readonly string[] =>
    (model.dataObjects[fact]!.joins ?? []).flatMap(({ joinTo, columnsFrom, columnsTo, secondary }) =>
      joinTo === calendar && via === fact && !secondary && columnsTo.join() === model.dataObjects[joinTo]!.calendar!.key
        ? [columnsFrom.join()]
        : [],
    )
  const both = Object.keys(model.dataObjects).flatMap((fact) => {
    const [one, other] = [joinsOf(fact, a), joinsOf(fact, b)]
    return one.length > 0 && other.length > 0 ? [one.join() === other.join()] : []
  })
  return both.length > 0 && both.every((isOne) => isOne)
}

/** Whether a column of a calendar is a function of the time that `axis` shows. */
export function follows(world: World, one: Asked, axis: Asked): boolean {
  if (one.coalesced || axis.coalesced || one.grain !== undefined) return false
  const column = ownColumn(world, one.name)
  if (!column || !calendarColumns(world, axis.name).some((time) => time.says === 'day' && sameDays(world, column, time)))
    return false
  if (lengthOf(axis.grain) <= lengthOf('day')) return column.says !== 'day'
  const period = column.says === 'period' ? periodOf(world, column) : undefined
  if (isOfTable(axis.grain)) return period !== undefined && followsTable(world, column, period.grain, axis.grain!)
  if (axis.grain === tableGrain(world, column.calendar, 'week_year')) return period?.grain === 'week_year'
  return period !== undefined && liesWithin(axis.grain!, period.grain)
}

/** Of the periods of a table, longer ones of it have whole ones. */
const followsTable = (world: World, { calendar }: CalendarColumn, grain: string, shown: string): boolean => {
  const own = /^periods (\d+) of/.exec(shown)![1]!
  return tableGrain(world, calendar, `own: ${own}`) === shown && liesInOwn(`own: ${own}`, grain)
}

/** The grain of a column of periods: of `month_of_year` the month, which it names in a year. */
export function periodOf(
  { model }: World,
  { calendar, column }: CalendarColumn,
): { readonly grain: string; readonly of: string | undefined } {
  const written = model.dataObjects[calendar]!.calendar!.periods![column]!
  const [grain, of] = written.split('_of_')
  return { grain: grain!, of }
}

const family = (grain: string): string => (grain.includes('_') ? grain.replace(/_[a-z]+$/, '') : '')
export const liesWithin = (shorter: string, longer: string): boolean =>
  // The years of whole weeks are no calendar of the model.
  (shorter === 'week' && longer === 'week_year') ||
  (family(shorter) === family(longer) && lengthOf(shorter) <= lengthOf(longer) && (shorter !== 'week' || longer === 'week'))

/** What the calendar has in a column for the period that begins with `start`. */
export function valueIn(world: World, one: Asked, grain: string, start: Value): Value {
  const { calendar, column } = ownColumn(world, one.name)!
  const { key } = world.model.dataObjects[calendar]!.calendar!
  const row = daysOf(world, calendar).find(
    (r) =>
      start !== null &&
      keyOf(truncate(lengthOf(grain) < lengthOf('day') ? 'day' : grain, r.values[key!]!, world)) ===
        keyOf(startOf(grain, start, world)),
  )
  return readColumn(world, calendar, row ?? null, column)
}

const startOf = (grain: string, start: Value, world: World): Value =>
  lengthOf(grain) < lengthOf('day') ? truncate('day', start, world) : start

const daysOf = (world: World, calendar: string): readonly Row[] => world.things.get(calendar)!.rows

/** Conditions on columns of periods: the last day that they leave, or none; undefined if they do not name one period. */
export function lastDayOf(
  world: World,
  filters: readonly FilterJson[],
  asked: readonly Asked[],
  now: Date,
): Day | null | undefined {
  if (!nameOnePeriod(world, filters)) return undefined
  const days = daysLeft({ world, asked, now }, filters)
  return days.length === 0 ? null : new Day(Math.max(...days.map((day) => day.days)))
}

/** The days of a calendar that conditions on its columns leave. */
export function daysLeft(
  { world, asked, now }: { readonly world: World; readonly asked: readonly Asked[]; readonly now: Date },
  filters: readonly FilterJson[],
): readonly Day[] {
  const calendar = calendarOf(filters[0]!, world)
  const { key } = world.model.dataObjects[calendar]!.calendar!
  const conditions = filters.map((filter) =>
    whereCondition({ world, now, home: calendar, asked }, ofDay(filter, calendar, world)),
  )
  return daysOf(world, calendar)
    .filter((row) => conditions.every(({ roles, holds }) => holds(roles.map(() => row)) === true))
    .flatMap(({ values }) => (values[key!] instanceof Day ? [values[key!] as Day] : []))
}

/** The day of a fact that joins the calendar is the day of the calendar. */
function ofDay(filter: FilterJson, calendar: string, world: World): FilterJson {
  if ('logic' in filter) return { ...filter, filters: filter.filters.map((one) => ofDay(one, calendar, world)) }
  const { dataObject, timeGrain } = world.model.dimensions?.[filter.field] ?? {}
  const isOfFact = dataObject !== undefined && dataObject !== calendar && timeGrain === undefined
  return isOfFact ? { ...filter, field: `${calendar}.${world.model.dataObjects[calendar]!.calendar!.key}` } : filter
}

/** The calendar of the first field of a condition. */
export const calendarOf = (filter: FilterJson, world: World): string =>
  'logic' in filter ? calendarOf(filter.filters[0]!, world) : (ownColumn(world, filter.field)?.calendar ?? '')

/** Equalities, each on a grain, or on a place in a period that another one names, of one calendar. */
export function nameOnePeriod(world: World, filters: readonly FilterJson[]): boolean {
  if (new Set(filters.map((filter) => calendarOf(filter, world))).size > 1) return false
  const found = filters.map((filter) => periodNamed(world, filter))
  const named = grainsNamed(found.flatMap((one) => one ?? []))
  return found.every((one) => one && (one.of === undefined || named.has(one.of)))
}

/** A place in a longer period names a grain only together with the longer one. */
export function grainsNamed(
  periods: readonly { readonly grain: string; readonly of: string | undefined }[],
): ReadonlySet<string> {
  const named = new Set<string>()
  for (let before = -1; before !== named.size; ) {
    before = named.size
    for (const { grain, of } of periods) if (of === undefined || named.has(of)) named.add(grain)
  }
  return named
}

/** Whether a condition names a period of a calendar whose days are known without a table. */
export const isOfGenerated = (world: World, filter: FilterJson): boolean =>
  world.model.dataObjects[calendarOf(filter, world)]?.calendar?.isGenerated === true

export function periodNamed(world: World, filter: FilterJson): ReturnType<typeof periodOf> | undefined {
  if ('logic' in filter || filter.subquery) return undefined
  const column = ownColumn(world, filter.field)
  if (column?.says !== 'period') return undefined
  const values = Array.isArray(filter.value) ? filter.value : [filter.value]
  const isOne = canonical(filter.op) === 'eq' || (canonical(filter.op) === 'in' && values.length === 1)
  return isOne && values[0] !== null && values[0] !== false ? periodOf(world, column) : undefined
}
