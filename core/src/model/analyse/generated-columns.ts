import type { ColumnDocument, DataObjectDocument, ModelDocument } from '../document.js'
import type { CalendarGrain, Grain } from '../grain.js'
import { periodNameOf } from './period-name-text.js'

/** The column of days of a generated calendar. */
export const DAY_COLUMN = 'Date'

interface Generated {
  readonly column: ColumnDocument
  /** The period of which it is a function, as a table declares it; none for an attribute of a day. */
  readonly period?: string
}

const day = `{${DAY_COLUMN}}`
const int = (expression: string, period?: string): Generated => ({
  column: { expression, abstractType: 'int' },
  ...(period !== undefined && { period }),
})
const start = (grain: string): Generated => ({ column: { expression: day, abstractType: 'date' }, period: grain })
const isLast = (grain: string): Generated => ({
  column: {
    expression: `date_trunc('${grain}', date_add('day', 1, ${day})) <> date_trunc('${grain}', ${day})`,
    abstractType: 'boolean',
  },
})
const labelled = (number: string, texts: readonly string[], period?: string): Generated => ({
  column: {
    expression: `CASE ${number} ${texts.map((text, i) => `WHEN ${i + 1} THEN '${text.replaceAll("'", "''")}'`).join(' ')} END`,
    abstractType: 'string',
  },
  ...(period !== undefined && { period }),
})

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
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const QUARTERS = ['Q1', 'Q2', 'Q3', 'Q4']

type Labels = NonNullable<NonNullable<DataObjectDocument['calendar']>['labels']>

/** The columns of a generated calendar beside its day. Year 1 began on a Monday; the Thursday of an ISO week is in its year. */
const columnsWith = ({
  months = MONTHS,
  weekdays = WEEKDAYS,
  quarters = QUARTERS,
}: Labels): Readonly<Record<string, Generated>> => ({
  Week: start('week'),
  Month: start('month'),
  Quarter: start('quarter'),
  Year: start('year'),
  'Year Number': int(`extract('year', ${day})`, 'year'),
  'Quarter Number': int(`extract('quarter', ${day})`, 'quarter_of_year'),
  'Month Number': int(`extract('month', ${day})`, 'month_of_year'),
  'Week Number': int(`extract('week', ${day})`, 'week_of_week_year'),
  'Week Year': int(`extract('year', date_add('day', 4 - {Weekday}, ${day}))`, 'week_year'),
  'Day Number': int(`extract('day', ${day})`),
  'Quarter Label': labelled('{Quarter Number}', quarters, 'quarter_of_year'),
  'Month Label': labelled('{Month Number}', months, 'month_of_year'),
  'Weekday Label': labelled('{Weekday}', weekdays),
  Weekday: int(`mod(date_diff('day', DATE '0001-01-01', ${day}), 7) + 1`),
  'Is Last of Week': isLast('week'),
  'Is Last of Month': isLast('month'),
  'Is Last of Quarter': isLast('quarter'),
  'Is Last of Year': isLast('year'),
})

/** The first days of the periods of the model's calendars, `Fiscal Quarter` of `fiscal_quarter`; and their names, where they have any. */
const ofCalendars = (grains: ReadonlyMap<string, Grain>): Readonly<Record<string, Generated>> =>
  Object.fromEntries(
    [...grains.values()].flatMap((grain) =>
      typeof grain === 'string'
        ? []
        : [[titleOf(grain.name), start(grain.name)] as const, ...(grain.calendar.label === undefined ? [] : [called(grain)])],
    ),
  )

const called = (grain: CalendarGrain): readonly [string, Generated] => [
  `${titleOf(grain.name)} Name`,
  { column: { expression: periodNameOf(grain, day), abstractType: 'string' }, period: grain.name },
]

const titleOf = (name: string): string =>
  name
    .split('_')
    .map((word) => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`)
    .join(' ')

const allOf = (entry: DataObjectDocument, grains: ReadonlyMap<string, Grain>) => ({
  ...columnsWith(entry.calendar?.labels ?? {}),
  ...ofCalendars(grains),
})

/** Whether a data object is a calendar without a table. */
export const isGenerated = ({ calendar }: DataObjectDocument): boolean => calendar !== undefined && calendar.key === undefined

/** The document with the columns of its generated calendars. */
export function withGeneratedColumns(document: ModelDocument, grains: ReadonlyMap<string, Grain>): ModelDocument {
  const objects = Object.entries(document.dataObjects ?? {})
  if (!objects.some(([, entry]) => isGenerated(entry))) return document
  const expanded = objects.map(([name, entry]) => {
    if (!isGenerated(entry)) return [name, entry] as const
    const columns = Object.entries(allOf(entry, grains)).map(([column, { column: written }]) => [column, written] as const)
    const key: ColumnDocument = { code: 'day', abstractType: 'date', sqlType: 'date', primaryKey: true }
    return [name, { ...entry, columns: { [DAY_COLUMN]: key, ...Object.fromEntries(columns) } }] as const
  })
  return { ...document, dataObjects: Object.fromEntries(expanded) }
}

/** The periods of the columns of a generated calendar, as a table would declare them. */
export const generatedPeriods = (
  entry: DataObjectDocument,
  grains: ReadonlyMap<string, Grain>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(allOf(entry, grains)).flatMap(([name, { period }]) => (period === undefined ? [] : [[name, period] as const])),
  )
