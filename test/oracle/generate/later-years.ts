/** Facts around a calendar with fiscal and retail years, instants in zones, a bridge and every kind of metric; questions by columns that tell periods. */

import { type CalendarJson, fiscalStart } from '../fiscal.js'
import type { ColumnJson, ModelJson, ObjectJson, PlainRow, QueryJson } from '../model.js'
import { namedPeriods } from '../named-periods.js'
import { Day, isoDay } from '../values.js'
import { extendModel, type Later } from './later.js'
import { askedInCalendars, calendarsOf } from './later-calendars.js'
import type { Star } from './later-star.js'
import { withTop } from './later-top.js'
import { ZONES } from './later-zones.js'
import { hashOf, type Random, randomFrom } from './random.js'

const UNITS = ['year', 'quarter', 'month'] as const
const NAMES = ['fiscal', 'retail'].flatMap((name) => UNITS.map((unit) => ({ name, unit, grain: `${name}_${unit}` })))
const titled = (grain: string): string =>
  grain.replace(/(^|_)(\w)/g, (_, gap, letter) => `${gap ? ' ' : ''}${letter.toUpperCase()}`)

/** All kinds of measures and metrics, some of them in each model. */
const KINDS: readonly Later[] = ['grain', 'firstlast', 'semi', 'aggregate', 'pop', 'cumulative', 'window']

export function withYears(random: Random, star: Star): Star {
  const isTable = star.model.dataObjects['Calendar']!.calendar!.key !== undefined
  const calendars = isTable ? calendarsOf(random) : labelled(calendarsOf(random))
  const calendar = star.model.dataObjects['Calendar']!
  const chosen = random.some(NAMES, random.between(1, 4))
  // Without bounds, its own rows are refused: stars alone ask for these.
  const bounded = { ...calendar, calendar: { grain: 'day', from: '2022-01-01', to: '2026-12-31' } as const }
  const columns = isTable ? ofTable(calendar, chosen) : bounded
  const days = star.data['Calendar']!.map((row) => ({
    ...row,
    ...Object.fromEntries(
      chosen.map(({ name, unit, grain }) => [
        titled(grain),
        isoDay(fiscalStart(calendars[name]!, unit, new Day(Date.parse(String(row['Day'])) / 86_400_000)).days),
      ]),
    ),
  }))
  const dimensions = Object.fromEntries(
    chosen.map(({ grain }) => [titled(grain), { dataObject: 'Calendar', column: titled(grain), resultType: 'date' }]),
  )
  const isTimed = star.model.dataObjects['Sales']!.columns['at'] !== undefined
  const names = chosen.filter(({ name }) => calendars[name]!.label !== undefined).map(({ grain }) => `${titled(grain)} Name`)
  // A computed day that is a key of a table is read by the clocks of the data, whatever the zone of a query (decision 146).
  const zoned = isTimed && !isTable && random.chance(0.6)
  const tags = !star.model.dataObjects['Returns'] && random.chance(0.5) ? tagged(random, star) : undefined
  const model: ModelJson = {
    ...star.model,
    calendars,
    // Formulas of the other kinds have this name, too.
    metrics: Object.fromEntries(
      Object.entries(star.model.metrics ?? {}).map(([name, metric]) => [name.replace('mix', 'star mix'), metric]),
    ),
    ...(zoned && { settings: { defaultTimezone: 'UTC', queryTimezone: random.pick(ZONES) } }),
    dataObjects: { ...star.model.dataObjects, Calendar: columns, ...tags?.dataObjects },
    dimensions: {
      ...star.model.dimensions,
      ...dimensions,
      ...Object.fromEntries(names.map((column) => [column, { dataObject: 'Calendar', column, resultType: 'string' }])),
      ...(tags && { Tag: { dataObject: 'Tags', column: 'name', resultType: 'string' } }),
    },
  }
  return {
    model: extendModel(
      random,
      model,
      random.some(isTable ? KINDS : KINDS.filter((kind) => kind !== 'firstlast'), random.between(2, 4)),
    ),
    data: { ...star.data, ...(isTable && { Calendar: days }), ...tags?.data },
  }
}

/** Some calendars have names for their periods. What is chosen follows from the calendars, so that all other choices stay the same. */
const labelled = (calendars: Readonly<Record<string, CalendarJson>>): Record<string, CalendarJson> =>
  Object.fromEntries(
    Object.entries(calendars).map(([name, calendar]) => {
      const label = ([undefined, 'start', 'end', 'end'] as const)[(hashOf(JSON.stringify(calendar)) >>> 0) % 4]
      return [name, label === undefined ? calendar : { ...calendar, label }]
    }),
  )

function ofTable(object: ObjectJson, chosen: typeof NAMES): ObjectJson {
  const columns = Object.fromEntries(
    chosen.map(({ grain }): [string, ColumnJson] => [titled(grain), { code: grain, abstractType: 'date' }]),
  )
  const periods = Object.fromEntries(chosen.map(({ grain }) => [titled(grain), grain]))
  return {
    ...object,
    calendar: { ...object.calendar!, periods: { ...object.calendar!.periods, ...periods } },
    columns: { ...object.columns, ...columns },
  }
}

/** Each sale has some tags, in a table between. */
function tagged(random: Random, { data }: Star) {
  const names = ['red', 'blue', 'green']
  const pairs = data['Sales']!.flatMap(({ id }): PlainRow[] =>
    random.some(names, random.pick([0, 1, 1, 2])).map((tag) => ({ sale: id!, tag })),
  )
  const dataObjects: Record<string, ObjectJson> = {
    Tags: { code: 'tags', columns: { name: { code: 'name', abstractType: 'string', primaryKey: true } } },
    Tagged: {
      code: 'tagged',
      bridge: true,
      columns: { sale: { code: 'sale', abstractType: 'int' }, tag: { code: 'tag', abstractType: 'string' } },
      joins: [
        { joinType: 'many-to-one', joinTo: 'Sales', columnsFrom: ['sale'], columnsTo: ['id'] },
        { joinType: 'many-to-one', joinTo: 'Tags', columnsFrom: ['tag'], columnsTo: ['name'] },
      ],
    },
  }
  return { dataObjects, data: { Tags: names.map((name) => ({ name })), Tagged: pairs } }
}

/** Lists of columns that tell periods, alone or in the year that a condition names. */
const LISTS: readonly (readonly string[])[] = [
  ['Year Number', 'Month Number'],
  ['Year Number', 'Month Label'],
  ['Year Number', 'Quarter Label'],
  ['Year Number'],
  ['Month Number'],
  ['Year No', 'Month Name'],
  ['Year Name', 'Quarter No'],
  ['Year No'],
  ['Year Name', 'Month Name', 'Quarter No'],
  ['Month Start'],
  ['Quarter Start', 'Year No'],
  ['Month Name'],
  ['Is 2024', 'Year No'],
  ['Fiscal Year'],
  ['Fiscal Year', 'Fiscal Month'],
  ['Retail Quarter'],
  ['Retail Year', 'Retail Month'],
  ['Month', 'Year Number'],
  ['Quarter'],
]

export function yearsQuery(random: Random, model: ModelJson, star: QueryJson): QueryJson {
  const { dimensions: known = {} } = model
  const lists = LISTS.filter((list) => list.every((name) => known[name] !== undefined))
  const { dimensions = [], measures = [] } = star.select
  const fresh = Object.keys({ ...model.measures, ...model.metrics })
  const others = [
    ...(random.chance(0.3) ? ['Shop'] : []),
    ...(known['Tag'] && random.chance(0.4) ? ['Tag'] : []),
    ...(random.chance(0.1) ? ['Weekday'] : []),
  ]
  const told = lists.length > 0 && random.chance(0.55)
  const shown = told
    ? [...random.pick(lists), ...others, ...(random.chance(0.1) ? ['Date:year'] : [])]
    : [...dimensions, ...others]
  const chosen = [...new Set(random.chance(0.6) ? [...measures, ...random.some(fresh, 1)] : random.some(fresh, 2))]
  const { grouping: _, ...plain } = star
  const detail = shown.map((d) => (typeof d === 'string' ? d : d.as))
  const grouping = random.pick([
    ...[undefined, undefined, undefined, undefined, 'rollup', 'cube'],
    { sets: [detail, detail.slice(0, 1), []] },
  ] as const)
  const query: QueryJson = {
    ...plain,
    select: { ...star.select, dimensions: [...new Set(shown)], measures: chosen },
    ...(grouping !== undefined && { grouping }),
    ...(model.settings && random.chance(0.2) && { timezone: random.pick(ZONES) }),
  }
  const ranged = random.chance(0.35) ? inRange(random, query) : query
  const named = byName(model, ranged)
  const cut = random.chance(0.4) ? askedInCalendars(random, model, named) : named
  return random.chance(0.15) ? withTop(model, cut, false) : cut
}

/** In some queries, periods that have names are shown by them, and one is chosen by its name. */
function byName(model: ModelJson, query: QueryJson): QueryJson {
  const hash = hashOf(JSON.stringify(query)) >>> 0
  const called = namedPeriods(model.calendars).filter(({ title }) => model.dimensions?.[title] !== undefined)
  if (called.length === 0 || hash % 3 !== 0) return query
  const shown = <T>(text: T): T | string => (hash % 7 < 5 && model.dimensions?.[`${text} Name`] ? `${text} Name` : text)
  const { select, grouping, order_by } = query
  const { title, of } = called[hash % called.length]!
  const day = Date.parse(['2023-01-10', '2023-06-01', '2024-01-20', '2024-02-29'][hash % 4]!) / 86_400_000
  const value = of(day)
  const op = (['=', '=', '>=', '<', '!='] as const)[hash % 5]!
  const isFiltered = hash % 2 === 0
  return {
    ...query,
    select: { ...select, ...(select.dimensions && { dimensions: select.dimensions.map(shown) }) },
    ...(typeof grouping === 'object' &&
      typeof grouping.sets === 'object' && { grouping: { sets: grouping.sets.map((names) => names.map(shown)) } }),
    ...(order_by && { order_by: order_by.map((order) => ({ ...order, field: shown(order.field) })) }),
    ...(isFiltered && { where: [...(query.where ?? []), { field: title, op, value }] }),
  }
}

/** One range of days, which begins anywhere. */
function inRange(random: Random, query: QueryJson): QueryJson {
  const days = ['2022-12-20', '2023-01-01', '2023-02-10', '2023-12-01', '2024-01-01', '2024-01-15', '2024-02-10', '2024-02-29']
  const [from, to] = random.some(days, 2).toSorted()
  return { ...query, where: [{ field: 'Date', op: 'between', value: [from!, to!] }] }
}

export const yearsRandom = (seed: number, number: number): Random => randomFrom(hashOf(`years ${seed} ${number}`))
