/** Time intelligence: how a CALCULATE moves the days that its value is computed for. */
import { type Entry, LeftOut } from '@grainline/importer-dbt/foreign'
import type { Days } from '../days.js'
import type { Dax } from './parse.js'

/** Days in place of those of the row: their keys in a metric over time. */
export interface Move {
  /** The dimension with the days. */
  readonly time: string
  /** The table of the days, whose filters do not apply. */
  readonly table: string
  /** A running value, or a comparison. */
  readonly running: Entry | undefined
  readonly compared: Entry | undefined
}

/** The days that a function of DAX gives, and undefined for another function. */
export function moveOf(dax: Dax, days: Days): Move | undefined {
  if (dax.kind !== 'call') return undefined
  const { name, args } = dax
  const [first, ...rest] = args
  const at = () => days.of(first, name)
  const toDate = Object.hasOwn(TO_DATE, name) ? TO_DATE[name] : undefined
  if (toDate !== undefined) return { ...at(), running: { grainToDate: yearFrom(toDate, rest, days) }, compared: undefined }
  if (name === 'SAMEPERIODLASTYEAR') return { ...at(), running: undefined, compared: { offset: -1, offsetGrain: 'year' } }
  if (name === 'DATEADD') return { ...at(), running: undefined, compared: shiftOf(rest) }
  if (name === 'LASTDATE') return { ...at(), running: { window: 1, windowGrain: 'day' }, compared: undefined }
  if (name === 'DATESINPERIOD') return { ...at(), running: windowOf(at().time, rest, days), compared: undefined }
  if (name === 'FILTER') return untilLast(args, days)
  const period = WHOLE.exec(name)
  if (period || name === 'PARALLELPERIOD')
    throw new LeftOut(`${name} is a whole period beside rows of each length, which no metric of the model is`, undefined, SHIFT)
  if (OTHERS.has(name)) throw new LeftOut(`${name} has no place in a measure of the model`, undefined, HINT)
  return undefined
}

const SHIFT = 'For rows of the same length, write DATEADD: it has the same value there.'
const HINT = 'Write a metric that compares periods, or a cumulative one.'
const WHOLE = /^(PREVIOUS|NEXT)(DAY|MONTH|QUARTER|YEAR)$/
const OTHERS = new Set(
  'DATESBETWEEN DATESWTD FIRSTDATE FIRSTNONBLANK LASTNONBLANK STARTOFMONTH STARTOFQUARTER STARTOFYEAR ENDOFMONTH ENDOFQUARTER ENDOFYEAR'.split(
    ' ',
  ),
)
const TO_DATE: Readonly<Record<string, string>> = { DATESYTD: 'year', DATESQTD: 'quarter', DATESMTD: 'month' }
const UNITS = new Set(['DAY', 'MONTH', 'QUARTER', 'YEAR'])

/** `DATESYTD(days, "6/30")`: the year ends on 30 June. */
function yearFrom(grain: string, [end, more]: readonly Dax[], days: Days): string {
  if (!end) return grain
  if (grain !== 'year' || end.kind !== 'text' || more) throw new LeftOut('it has more than days and the end of a year')
  return days.yearThatEnds(end.text)
}

function shiftOf([count, unit, more]: readonly Dax[]): Entry {
  const offset = wholeNumber(count)
  const grain = unit?.kind === 'name' ? unit.name.toUpperCase() : ''
  if (more || offset === 0 || !UNITS.has(grain)) throw new LeftOut('DATEADD has not a number and DAY, MONTH, QUARTER or YEAR')
  return { offset, offsetGrain: grain.toLowerCase() }
}

/** `DATESINPERIOD(days, MAX(days), -30, DAY)`. */
function windowOf(time: string, [last, count, unit, more]: readonly Dax[], days: Days): Entry {
  const window = -wholeNumber(count)
  if (more || !isLast(last, time, days) || window < 1)
    throw new LeftOut('DATESINPERIOD does not end with the last day of the row', undefined, HINT)
  // Of months, the first day depends on how long they are: DAX and the model do not agree on 28 February.
  if (unit?.kind !== 'name' || unit.name.toUpperCase() !== 'DAY') throw new LeftOut('DATESINPERIOD has no DAY', undefined, HINT)
  return { window, windowGrain: 'day' }
}

/** `FILTER(ALL(days), days <= MAX(days))`: all days up to the last one of the row. */
function untilLast([all, test]: readonly Dax[], days: Days): Move | undefined {
  if (all?.kind !== 'call' || all.name !== 'ALL' || test?.kind !== 'operation' || test.sign !== '<=') return undefined
  const [removed, more] = all.args
  if (!removed || more || test.left.kind !== 'column' || !isMaximum(test.right)) return undefined
  const found = days.of(test.left, 'FILTER')
  const isOf =
    removed.kind === 'name'
      ? removed.name.toUpperCase() === found.table.toUpperCase()
      : days.of(removed, 'ALL').time === found.time
  if (!isOf || !isLast(test.right, found.time, days))
    throw new LeftOut('its days are not those up to the last one of the row', undefined, HINT)
  return { ...found, running: {}, compared: undefined }
}

const isMaximum = (dax: Dax): boolean =>
  dax.kind === 'variable' ? isMaximum(dax.value) : dax.kind === 'call' && (dax.name === 'MAX' || dax.name === 'LASTDATE')

/** `MAX(days)` or `LASTDATE(days)`, also as a variable. */
function isLast(dax: Dax | undefined, time: string, days: Days): boolean {
  if (dax?.kind === 'variable') return isLast(dax.value, time, days)
  return dax?.kind === 'call' && isMaximum(dax) && dax.args.length === 1 && days.of(dax.args[0], dax.name).time === time
}

function wholeNumber(dax: Dax | undefined): number {
  const [sign, value] = dax?.kind === 'negative' ? [-1, dax.value] : [1, dax]
  const found = value?.kind === 'number' ? sign * Number(value.text) : Number.NaN
  if (!Number.isInteger(found) || Math.abs(found) > 10_000)
    throw new LeftOut('it counts periods with something that is no whole number')
  return found
}

/** Moves from the outermost on: a running value is the innermost, because days that are moved are no days to date. */
export function inside(outer: readonly Move[], inner: readonly Move[]): readonly Move[] {
  const all = [...outer, ...inner]
  if (all.some(({ table }) => table !== all[0]?.table)) throw new LeftOut('it moves the days of two tables')
  if (all.slice(0, -1).some(({ running }) => running))
    throw new LeftOut('it computes a comparison, or another value to date, for days to date', undefined, HINT)
  return all
}
