/** Calendars without a table, as tables of days with the same columns: the definition of what their columns mean. */
import type {
  Cell,
  DimensionJson,
  Json,
  LeafJson,
  MeasureJson,
  ModelJson,
  ObjectJson,
  PlainRow,
  QueryJson,
  Tables,
  WrittenJson,
} from './model.js'
import { type NamedPeriod, namedPeriods } from './named-periods.js'
import { refuse } from './refusal.js'

/** Every time of generated facts is within these days. */
const [FIRST, LAST] = ['2022-01-01', '2026-12-31'].map((day) => Date.parse(day) / 86_400_000) as [number, number]

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const iso = (date: Date): string => date.toISOString().slice(0, 10)
const monthOf = (date: Date): number => date.getUTCMonth() + 1
const quarterOf = (date: Date): number => Math.ceil(monthOf(date) / 3)
const weekdayOf = (date: Date): number => date.getUTCDay() || 7
const weekYearOf = (date: Date): number => new Date(date.getTime() + (4 - weekdayOf(date)) * 86_400_000).getUTCFullYear()

interface Made {
  readonly abstractType: string
  readonly says?: string
  readonly of: (date: Date) => Cell
}

/** The columns that tests read, beside the first days of periods. */
export const COLUMNS: Readonly<Record<string, Made>> = {
  'Year Number': { abstractType: 'int', says: 'year', of: (d) => d.getUTCFullYear() },
  'Quarter Number': { abstractType: 'int', says: 'quarter_of_year', of: quarterOf },
  'Month Number': { abstractType: 'int', says: 'month_of_year', of: monthOf },
  'Week Year': { abstractType: 'int', says: 'week_year', of: weekYearOf },
  'Quarter Label': { abstractType: 'string', says: 'quarter_of_year', of: (d) => `Q${quarterOf(d)}` },
  'Month Label': { abstractType: 'string', says: 'month_of_year', of: (d) => MONTHS[monthOf(d) - 1]! },
  Weekday: { abstractType: 'int', of: weekdayOf },
  'Is Last of Month': { abstractType: 'boolean', of: (d) => new Date(d.getTime() + 86_400_000).getUTCDate() === 1 },
}

export const STARTS: Readonly<Record<string, string>> = { Week: 'week', Month: 'month', Quarter: 'quarter', Year: 'year' }

const isGenerated = ({ calendar }: ObjectJson): boolean => calendar !== undefined && calendar.key === undefined

interface Materialized {
  readonly model: ModelJson
  readonly tables: Tables
}

const known = new WeakMap<ModelJson, { readonly of: Tables; readonly made: Materialized }>()

export function materialized(model: ModelJson, tables: Tables): Materialized {
  const names = Object.keys(model.dataObjects).filter((name) => isGenerated(model.dataObjects[name]!))
  if (names.length === 0) return { model, tables }
  const found = known.get(model)
  if (found?.of === tables) return found.made
  const dataObjects = Object.fromEntries(
    Object.entries(model.dataObjects).map(([name, object]) => [
      name,
      names.includes(name) ? asTable(object) : withDayOf(object, names),
    ]),
  )
  const called = namedPeriods(model.calendars)
  const ofCalendars = Object.fromEntries(
    Object.keys(model.calendars ?? {}).flatMap((name) =>
      Object.keys(STARTS).map((unit) => [
        `${name.slice(0, 1).toUpperCase()}${name.slice(1)} ${unit}`,
        `${name}_${unit.toLowerCase()}`,
      ]),
    ),
  )
  const dimensions = Object.fromEntries(
    Object.entries(model.dimensions ?? {}).map(([name, d]) => {
      const grain =
        names.includes(d.dataObject) && d.column !== undefined ? (STARTS[d.column] ?? ofCalendars[d.column]) : undefined
      return [name, grain === undefined ? d : { ...d, column: 'Date', timeGrain: d.timeGrain ?? grain }]
    }),
  )
  const starts = startsOfNames(model, names, called)
  const made = {
    model: {
      ...model,
      dataObjects: Object.fromEntries(
        Object.entries(dataObjects).map(([name, object]) => [name, names.includes(name) ? withNames(object, called) : object]),
      ),
      dimensions: { ...dimensions, ...starts },
      ...(model.measures && {
        measures: Object.fromEntries(Object.entries(model.measures).map(([name, one]) => [name, seeingStarts(one, starts)])),
      }),
    },
    tables: { ...tables, ...Object.fromEntries(names.map((name) => [name, days(called)])) },
  }
  known.set(model, { of: tables, made })
  return made
}

const asTable = (object: ObjectJson): ObjectJson => ({
  ...object,
  calendar: {
    key: 'Date',
    isGenerated: true,
    periods: Object.fromEntries(
      Object.entries(COLUMNS).flatMap(([name, { says }]) => (says === undefined ? [] : [[name, says]])),
    ),
  },
  columns: {
    Date: { code: 'day', abstractType: 'date', primaryKey: true },
    ...Object.fromEntries(Object.entries(COLUMNS).map(([name, { abstractType }]) => [name, { code: name, abstractType }])),
  },
})

/** A time that is no date joins by its day. */
function withDayOf(object: ObjectJson, calendars: readonly string[]): ObjectJson {
  const joins = object.joins ?? []
  const timed = joins.filter((j) => calendars.includes(j.joinTo) && object.columns[j.columnsFrom[0]!]!.abstractType !== 'date')
  if (timed.length === 0) return object
  const days = Object.fromEntries(
    timed.map((j) => [`day of ${j.columnsFrom[0]}`, { expression: `CAST({${j.columnsFrom[0]}} AS date)`, abstractType: 'date' }]),
  )
  return {
    ...object,
    columns: { ...object.columns, ...days },
    joins: joins.map((j) => (timed.includes(j) ? { ...j, columnsFrom: [`day of ${j.columnsFrom[0]}`] } : j)),
  }
}

/** The calendar with columns of the names of its periods. */
const withNames = (object: ObjectJson, called: readonly NamedPeriod[]): ObjectJson => ({
  ...object,
  calendar: {
    ...object.calendar!,
    periods: { ...object.calendar!.periods, ...Object.fromEntries(called.map(({ title, grain }) => [title, grain])) },
  },
  columns: {
    ...object.columns,
    ...Object.fromEntries(called.map(({ title }) => [title, { code: title, abstractType: 'string' }])),
  },
})

/** For each dimension of names, one of the first days of the same periods. */
const startsOfNames = (
  model: ModelJson,
  calendars: readonly string[],
  called: readonly NamedPeriod[],
): Readonly<Record<string, DimensionJson>> =>
  Object.fromEntries(
    Object.entries(model.dimensions ?? {}).flatMap(([name, d]) => {
      const found = calendars.includes(d.dataObject) ? called.find(({ title }) => title === d.column) : undefined
      return found ? [[startOf(name), { ...d, column: 'Date', timeGrain: found.grain, resultType: 'date' }] as const] : []
    }),
  )

/** A measure whose context names a dimension of names means conditions on it, which are on the first days of its periods. */
function seeingStarts(measure: MeasureJson, starts: Readonly<Record<string, unknown>>): MeasureJson {
  const context = measure.filterContext
  if (!context) return measure
  const both = (list: readonly string[] = []) => list.flatMap((name) => (starts[startOf(name)] ? [name, startOf(name)] : [name]))
  const { include, exclude, keepOnly } = context
  return {
    ...measure,
    filterContext: { ...context, include: both(include), exclude: both(exclude), keepOnly: both(keepOnly) },
  }
}

const startOf = (dimension: string): string => `start of ${dimension}`

/** The query in which conditions on names are conditions on the first days of the periods that they name. */
export function withoutNames(query: QueryJson, { dimensions = {} }: ModelJson, tables: Tables): QueryJson {
  const { where } = query
  if (!where) return query
  const read = (filter: WrittenJson): WrittenJson => {
    if (typeof filter === 'string' || 'segment' in filter) return filter
    if ('logic' in filter) return { ...filter, filters: filter.filters.map(read) as never }
    const { field, value } = filter as LeafJson
    const d = dimensions[field]
    if (!d || !dimensions[startOf(field)] || d.column === undefined) return filter
    const dated = (name: unknown): Json => {
      if (name === null) return null
      const row = tables[d.dataObject]!.find((day) => day[d.column!] === name)
      return row ? String(row['Date']) : refuse('INVALID_PERIOD', String(name))
    }
    return { ...(filter as LeafJson), field: startOf(field), value: Array.isArray(value) ? value.map(dated) : dated(value) }
  }
  return { ...query, where: where.map(read) }
}

const days = (called: readonly NamedPeriod[]): PlainRow[] =>
  Array.from({ length: LAST - FIRST + 1 }, (_, i) => {
    const date = new Date((FIRST + i) * 86_400_000)
    return {
      Date: iso(date),
      ...Object.fromEntries(Object.entries(COLUMNS).map(([name, { of }]) => [name, of(date)])),
      ...Object.fromEntries(called.map(({ title, of }) => [title, of(FIRST + i)])),
    }
  })
