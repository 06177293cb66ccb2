/** Windows of measures → balances, running totals and comparisons, where those say the same. */
import { LeftOut, type Metric, type NonAdditive, type OverTime, type Part } from '@grainline/importer-dbt/foreign'
import type { Written } from './sql.js'

/** A field that a window may order by. */
export interface Field {
  readonly name: string
  readonly written: Written
}

export interface OverFields {
  readonly nonAdditive: readonly NonAdditive[]
  readonly over: OverTime | undefined
  /** The field that must be a day. */
  readonly days: Field | undefined
}

/** `fields`: by their names in capitals. Throws `LeftOut`. */
export function windowsOf(part: Part, fields: ReadonlyMap<string, Field>): OverFields {
  const windows = part.parts('window').map((each) => windowOf(each, fields))
  const [first, second, third] = windows
  if (!first) return { nonAdditive: [], over: undefined, days: undefined }
  if (third) throw new LeftOut('it has three windows', third.place)
  if (second) return toDate(windows)
  const { range, take, offset, place, field } = first
  if (range === 'current' && offset === undefined) return { nonAdditive: [balance(first)], over: undefined, days: undefined }
  if (take !== 'last') throw new LeftOut("it takes the 'first' of its values over time", place)
  if (range === 'current') return stepped(first, [compared(offset ?? '', place)])
  if (offset !== undefined) throw new LeftOut(`a window '${range}' with an offset has no place in the model`, place)
  if (range === 'cumulative')
    return stepped(first, [(measure, timeDimension) => ({ type: 'cumulative', measure, timeDimension })])
  const [, count = '', unit = '', anchor] = TRAILING.exec(range) ?? []
  const grain = unit.toLowerCase()
  if (count === '') throw new LeftOut(`a window '${range}' has no place in the model`, place)
  const own = timeOf(field.written.sql)?.grain
  if (own !== grain && !(own === 'column' && grain === 'day'))
    throw new LeftOut(
      `its window counts ${grain}s, and '${field.name}' is not known to be a ${grain}`,
      place,
      'Truncate the field to it.',
    )
  const running: Step = (measure, timeDimension) => ({
    ...{ type: 'cumulative', measure, timeDimension, window: Number(count), windowGrain: grain },
  })
  const steps = anchor?.toLowerCase() === 'inclusive' ? [running] : [running, compared(`-1 ${grain}`, place)]
  return { ...stepped(first, steps), days: own === 'column' ? field : undefined }
}

type Step = OverTime['steps'][number]

interface Window {
  readonly field: Field
  readonly range: string
  readonly take: string
  readonly offset: string | undefined
  readonly place: Part['place']
}

function windowOf(part: Part, fields: ReadonlyMap<string, Field>): Window {
  const order = part.needed('order')
  const field = fields.get(order.replaceAll('`', '').toUpperCase())
  if (!field) throw new LeftOut(`there is no field '${order}'`, part.place)
  const take = part.text('semiadditive') ?? 'last'
  if (take !== 'first' && take !== 'last') throw new LeftOut(`'${take}' is no way to be semi-additive`, part.place)
  const range = part.needed('range').trim().replace(/\s+/g, ' ')
  return { field, range: /^\w+$/.test(range) ? range.toLowerCase() : range, take, offset: part.text('offset'), place: part.place }
}

const balance = ({ field, take, place }: Window): NonAdditive => ({
  ...{
    table: 'SOURCE',
    dimension: field.name,
    isDescending: take === 'first',
    nulls: take === 'first' ? 'last' : 'first',
    place,
  },
})

const stepped = ({ field, place }: Window, steps: readonly Step[]): OverFields => ({
  ...{ nonAdditive: [], days: undefined, over: { table: 'SOURCE', dimension: field.name, steps, place } },
})

/** The value of an earlier time, for the times that have rows. */
function compared(offset: string, place: Part['place']): Step {
  const [, count, unit = ''] = /^\s*([-+]?\d{1,6})\s+(second|minute|hour|day|week|month|quarter|year)s?\s*$/i.exec(offset) ?? []
  if (count === undefined) throw new LeftOut(`'${offset}' is no offset`, place)
  const moved = { offset: Number(count), offsetGrain: unit.toLowerCase(), comparison: 'previousValue', rows: 'current' }
  return (measure, timeDimension) => ({ type: 'period_over_period', measure, periodOverPeriod: { timeDimension, ...moved } })
}

const TRAILING = /^trailing (\d{1,6}) (day|week|month|quarter|year)s?(?: (inclusive|exclusive))?$/i

/** A running total of a time within a coarser one: month to date. */
function toDate(windows: readonly Window[]): OverFields {
  const running = windows.find(({ range }) => range === 'cumulative')
  const within = windows.find(({ range }) => range === 'current')
  const [odd] = windows.filter(({ take, offset }) => take !== 'last' || offset !== undefined)
  const place = running?.place ?? windows[0]?.place
  if (!running || !within || odd) throw new LeftOut('its two windows are no running total within a period', place)
  const period = timeOf(within.field.written.sql)
  const own = timeOf(running.field.written.sql)
  const isPeriod = period && [own?.column, plain(running.field.name)].includes(period.column)
  if (!isPeriod || period.grain === 'column' || period.grain === own?.grain)
    throw new LeftOut(`'${within.field.name}' is not known to be a period of '${running.field.name}'`, within.place)
  const grainToDate = period.grain
  return stepped(running, [(measure, timeDimension) => ({ type: 'cumulative', measure, timeDimension, grainToDate })])
}

/** A time of the source, and how it is truncated. */
interface Time {
  readonly column: string
  readonly grain: string
}

/** The time that a field is; `column` for one as the table has it. `undefined` for any other expression. */
function timeOf(sql: string): Time | undefined {
  const [, unit = '', truncated] = DATE_TRUNC.exec(sql) ?? []
  if (truncated !== undefined) {
    const time = timeOf(truncated)
    return time && time.grain !== 'column' && time.grain !== 'day' ? undefined : time && { ...time, grain: unit.toLowerCase() }
  }
  const day = DAY.exec(sql)?.slice(1).find(Boolean)
  if (day === undefined) return COLUMN.test(sql) ? { column: plain(sql), grain: 'column' } : undefined
  const time = timeOf(day)
  return time?.grain === 'column' ? { ...time, grain: 'day' } : time
}

const DATE_TRUNC = /^\s*date_trunc\s*\(\s*'(year|quarter|month|week|day)'\s*,(.*)\)\s*$/is
const DAY = /^\s*cast\s*\((.*)\sas\s+date\s*\)\s*$|^(.*)::\s*date\s*$/is
const COLUMN = /^\s*("[^"]+"|\w+)(\.("[^"]+"|\w+))?\s*$/

const plain = (sql: string): string =>
  sql
    .replace(/[\s"`]/g, '')
    .replace(/^source\./i, '')
    .toUpperCase()

/** What a measure is over time, for the list. */
export const overNote = ({ name, over }: Pick<Metric, 'name' | 'over'>): string | undefined =>
  over && `'${name}' is a metric over '${over.dimension}': a question that filters this time still sees the earlier ones.`
