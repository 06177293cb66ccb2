import { entryOf } from '../../invariant.js'
import type { CalendarBound, CalendarPeriod, CalendarTable, PeriodGrain } from '../calendar-table.js'
import type { CalendarTableDocument } from '../document.js'
import type { Segments } from '../parse/locate.js'
import { type Context, knowsColumn } from './context.js'
import { DAY_COLUMN, generatedPeriods } from './generated-columns.js'
import { readRelativeBound } from './relative-day.js'

interface Written {
  readonly object: string
  readonly entry: CalendarTableDocument
  readonly segments: Segments
}

/** The calendar that a data object is; `undefined` if its key is no date column. */
export function readCalendar(written: Written, context: Context): CalendarTable | undefined {
  return written.entry.key === undefined
    ? generatedCalendar(written, context)
    : calendarTable({ ...written, key: written.entry.key }, context)
}

function generatedCalendar({ object, entry, segments }: Written, context: Context): CalendarTable {
  if (entry.periods) {
    const message = `'${object}' is a generated calendar, whose columns are known; 'periods' belongs to a table, which names its 'key'`
    context.faults.error('CALENDAR_KEY', [...segments, 'periods'], message)
  }
  const { columns } = entryOf(context.objects, object)
  const periods = new Map<string, CalendarPeriod>()
  for (const [name, text] of Object.entries(generatedPeriods({ calendar: entry }, context.grains))) {
    const period = periodNamed(text, segments, context)
    if (!period) continue
    periods.set(name, period)
    const column = columns.get(name)
    const grain = context.grains.get(text)
    if (column && grain && column.type.kind === 'date') columns.set(name, { ...column, grain })
    if (column && grain && column.type.kind === 'string') columns.set(name, { ...column, names: grain })
  }
  const [from, to] = [boundOf(entry.from, [...segments, 'from'], context), boundOf(entry.to, [...segments, 'to'], context)]
  return { key: DAY_COLUMN, periods, generated: { from, to } }
}

function boundOf(written: CalendarTableDocument['from'], segments: Segments, context: Context): CalendarBound | undefined {
  if (written === undefined) return undefined
  if (typeof written === 'string') {
    if (/^\d{4}-\d{2}-\d{2}$/.test(written) && !Number.isNaN(Date.parse(written))) return { kind: 'date', date: written }
    context.faults.error('SCHEMA_VALIDATION', segments, `'${written.slice(0, 40)}' is no date YYYY-MM-DD`)
    return undefined
  }
  const { relative } = written
  const bound = readRelativeBound(relative, context.grains)
  if (bound) return bound
  const message = `'${relative.slice(0, 40)}' is not 'today', 'start of' or 'end of' with a grain of the model`
  context.faults.error('SCHEMA_VALIDATION', [...segments, 'relative'], message)
  return undefined
}

function calendarTable(
  { object, entry, segments, key }: Written & { readonly key: string },
  context: Context,
): CalendarTable | undefined {
  if (!knowsColumn({ object, column: key }, [...segments, 'key'], context)) return undefined
  const type = entryOf(context.objects, object).columns.get(key)?.type
  if (type && type.kind !== 'date') {
    const message = `'${object}.${key}' is ${type.kind}; the key of a calendar is its column of days, with abstractType date`
    context.faults.error('CALENDAR_KEY', [...segments, 'key'], message)
    return undefined
  }
  const periods = new Map<string, CalendarPeriod>()
  for (const [column, text] of Object.entries(entry.periods ?? {})) {
    const at = [...segments, 'periods', column]
    const period = knowsColumn({ object, column }, at, context) ? periodNamed(text, at, context) : undefined
    if (period) periods.set(column, period)
  }
  return { key, periods, generated: undefined }
}

/** `month`, `month_of_year`, `own: 1`; reports any other text. */
function periodNamed(text: string, segments: Segments, context: Context): CalendarPeriod | undefined {
  const whole = grainNamed(text, context)
  if (whole) return { grain: whole, of: undefined }
  const at = text.indexOf('_of_')
  const [grain, of] = at < 0 ? [] : [grainNamed(text.slice(0, at), context), grainNamed(text.slice(at + OF.length), context)]
  if (grain && of) return { grain, of }
  const known = [...context.grains.keys(), 'week_year', 'month_of_year', 'quarter_of_year', 'week_of_week_year']
  context.faults.unknown('SCHEMA_VALIDATION', segments, {
    message: `'${text}' is no period: write a grain such as month, a place in a longer one such as month_of_year, or 'own: 1' for a grain of the table itself`,
    name: text,
    known,
  })
  return undefined
}

const OF = '_of_'

function grainNamed(text: string, { grains }: Context): PeriodGrain | undefined {
  const [, own] = /^own: *([1-9]\d?)$/.exec(text) ?? []
  if (own !== undefined) return { own: Number(own) }
  return text === 'week_year' ? text : grains.get(text)
}
