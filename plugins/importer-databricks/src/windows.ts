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
  const own = grainOf(field.written)
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
  const [, grain, inner] = DATE_TRUNC.exec(within.field.written.sql) ?? []
  const own = DATE_TRUNC.exec(running.field.written.sql)?.[2] ?? running.field.written.sql
  if (grain === undefined || ![own, running.field.name].some((each) => plain(each) === plain(inner ?? '')))
    throw new LeftOut(`'${within.field.name}' is not known to be a period of '${running.field.name}'`, within.place)
  const grainToDate = grain.toLowerCase()
  return stepped(running, [(measure, timeDimension) => ({ type: 'cumulative', measure, timeDimension, grainToDate })])
}

const DATE_TRUNC = /^\s*date_trunc\s*\(\s*'(year|quarter|month|week|day)'\s*,\s*((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)\s*\)\s*$/i

const plain = (sql: string): string =>
  sql
    .replace(/[\s"`]/g, '')
    .replace(/^source\./i, '')
    .toUpperCase()

/** The unit of a time; `column` for one as the table has it. */
function grainOf({ sql }: Written): string | undefined {
  const truncated = DATE_TRUNC.exec(sql)?.[1]?.toLowerCase()
  if (truncated !== undefined) return truncated
  if (/^\s*cast\s*\([^()]*\sas\s+date\s*\)\s*$/i.test(sql) || /^\s*("[^"]+"|\w+)\s*::\s*date\s*$/i.test(sql)) return 'day'
  return /^\s*("[^"]+"|\w+)(\.("[^"]+"|\w+))?\s*$/.test(sql) ? 'column' : undefined
}

/** What a measure is over time, for the list. */
export const overNote = ({ name, over }: Pick<Metric, 'name' | 'over'>): string | undefined =>
  over && `'${name}' is a metric over '${over.dimension}': a question that filters this time still sees the earlier ones.`
