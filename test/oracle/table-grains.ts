/** Grains whose periods are known to a table of days alone, and the years that consist of whole weeks. */
import type { CalendarJson, NamedDays } from './fiscal.js'
import type { MetricJson, ModelJson, PeriodJson } from './model.js'
import { Day, keyOf, type Value } from './values.js'
import { readColumn, type World } from './world.js'

/** `own: 1` of a table; its name ends as that of a year does, because it has no length that would be known. */
export const isOfTable = (grain: string | undefined): boolean => grain?.startsWith('periods ') === true

const nameOf = (calendar: string, grain: string): string => `periods ${grain.replace(/\D/g, '')} of ${calendar}`

/** Calendars for the columns of tables that name periods: each period is the days that have its value. */
export function tableCalendars(world: World): Readonly<Record<string, CalendarJson>> {
  const found: Record<string, CalendarJson> = { 'iso week': weekYears('monday'), week: weekYears(world.weekStart) }
  for (const [object, { calendar }] of Object.entries(world.model.dataObjects)) {
    for (const [column, grain] of Object.entries(calendar?.periods ?? {})) {
      const name = nameOf(object, grain)
      // The first column that names a grain tells which periods these are.
      if (/^own: \d+$/.test(grain) && !found[name]) found[name] = { periods: periodsOf(world, object, column) }
    }
  }
  return found
}

/** The weeks of a year are those whose fourth day is in it. */
const weekYears = (begins: string): CalendarJson => ({
  pattern: '4-4-5',
  yearEnd: { weekday: begins === 'sunday' ? 'saturday' : 'sunday', month: 12, rule: 'nearest' },
})

function periodsOf(world: World, object: string, column: string): readonly NamedDays[] {
  const { key } = world.model.dataObjects[object]!.calendar!
  const days = new Map<string, Set<number>>()
  for (const row of world.things.get(object)!.rows) {
    const [day, value] = [row.values[key!]!, readColumn(world, object, row, column)]
    if (!(day instanceof Day) || value === null || value === false) continue
    days.set(keyOf(value), (days.get(keyOf(value)) ?? new Set<number>()).add(day.days))
  }
  return [...days.values()].map((found) => ({ start: Math.min(...found), days: found })).toSorted((a, b) => a.start - b.start)
}

/** The grain under which a query reads the periods of a table, or the years of weeks; undefined if no column names them. */
export function tableGrain(world: World, calendar: string, grain: string): string | undefined {
  const name =
    grain === 'week_year'
      ? world.model.dataObjects[calendar]!.calendar!.isGenerated
        ? 'iso week'
        : 'week'
      : nameOf(calendar, grain)
  return world.calendars?.[name] ? `${name}_year` : undefined
}

/** Whether each period of a grain of a table lies within one of another of its grains. */
export const liesInOwn = (shorter: string, longer: string): boolean =>
  longer.startsWith('own') && Number(longer.replace(/\D/g, '')) >= Number(shorter.replace(/\D/g, ''))

/** A metric whose unit is no period of the rows, where only a table knows these. */
export function countsAnotherUnit(world: World, metric: MetricJson, grain: string | undefined): boolean {
  const compared = metric.periodOverPeriod
  if (countsOtherPeriods(world, metric, grain)) return true
  if (!isOfTable(grain)) return false
  const units = [metric.grainToDate, metric.windowGrain, compared?.offsetToGrain, compared?.offsetGrain]
  return metric.untilNow === true || compared?.untilNow === true || units.some((unit) => unit !== undefined)
}

/** Whether an offset counts periods of a table that are neither those of the rows nor longer ones in which these have known places. */
export function countsOtherPeriods(world: World, metric: MetricJson, grain: string | undefined): boolean {
  const column = metric.periodOverPeriod?.offsetPeriods
  return column !== undefined && !isOfPeriods(world, column, grain) && !placesOf(world, metric, grain)
}

/** Longer periods by which an offset moves those of the rows, and the columns that say the places of these. */
interface Places {
  readonly calendar: string
  readonly longer: string
  readonly columns: readonly string[]
}

/** Undefined if the offset counts periods of the rows, or if no columns say the places. */
export function placesOf(
  { model }: World,
  { periodOverPeriod: compared }: MetricJson,
  grain: string | undefined,
): Places | undefined {
  const [, shorter, calendar = ''] = /^periods (\d+) of (.*)_year$/.exec(grain ?? '') ?? []
  const { periods = {} } = model.dataObjects[calendar]?.calendar ?? {}
  const longer = periods[compared?.offsetPeriods ?? '']
  if (shorter === undefined || longer === undefined || !/^own: \d+$/.test(longer)) return undefined
  const columns = longer === `own: ${shorter}` ? undefined : chainOf(periods, `own: ${shorter}`, longer)
  return columns && { calendar, longer: nameOf(calendar, longer), columns }
}

/** The fewest columns from one grain to another. */
function chainOf(periods: Readonly<Record<string, string>>, from: string, to: string): readonly string[] | undefined {
  const ways = Object.entries(periods).flatMap(([column, says]): readonly (readonly string[])[] => {
    const [, of] = says.startsWith(`${from}_of_own`) ? says.split('_of_') : []
    if (of === undefined) return []
    const rest = of === to ? [] : chainOf(periods, of, to)
    return rest ? [[column, ...rest]] : []
  })
  return ways.toSorted((a, b) => a.length - b.length)[0]
}

/** Days that no table has stand for places in longer periods in which no period has them: a thousand longer ones for each place. */
const [NOWHERE, LONGER, MIDDLE] = [600_000, 1000, 500]

/** The first day of the period with the same place in another longer one; null if the period has no place, or lies in no longer one. */
export function samePlace(world: World, { calendar, longer, columns }: Places, grain: string, time: Value, count: number): Value {
  const { key } = world.model.dataObjects[calendar]!.calendar!
  const { rows } = world.things.get(calendar)!
  const periods = world.calendars![grain.replace(/_year$/, '')]!.periods!
  const longerOnes = world.calendars![longer]!.periods!
  const placeOf = (start: number): string | undefined => {
    const row = rows.find(({ values }) => (values[key!] as Day).days === start)
    const values = columns.map((column) => (row ? readColumn(world, calendar, row, column) : null))
    return values.includes(null) ? undefined : JSON.stringify(values.map(keyOf))
  }
  const indexOf = (start: number): number => longerOnes.findIndex(({ days }) => days.has(start))
  const places = periods.map(({ start }) => placeOf(start))
  const day = (time as Day).days
  const isNowhere = day >= NOWHERE
  const place = isNowhere ? places[Math.floor((day - NOWHERE) / LONGER)] : placeOf(day)
  const at = isNowhere ? ((day - NOWHERE) % LONGER) - MIDDLE : indexOf(day)
  if (place === undefined || (!isNowhere && at < 0)) return null
  const found = periods.find(({ start }, i) => places[i] === place && indexOf(start) === at + count && at + count >= 0)
  return new Day(found?.start ?? NOWHERE + LONGER * places.indexOf(place) + at + count + MIDDLE)
}

/** Whether a metric and one below it move periods of a table in different ways: one counts these, and the other one moves them by longer ones. */
export const areMovedInTwoWays = (world: World, a: MetricJson, b: MetricJson, grain: string | undefined): boolean =>
  placesOf(world, a, grain)?.longer !== placesOf(world, b, grain)?.longer

/** Whether a column of a table names the periods of a grain. */
function isOfPeriods({ model }: World, column: string, grain: string | undefined): boolean {
  return Object.entries(model.dataObjects).some(([object, { calendar }]) => {
    const own = calendar?.periods?.[column]
    return own !== undefined && grain === `${nameOf(object, own)}_year`
  })
}

/** The model in which an offset that names a column of a table counts the periods of the rows. */
export function withoutOffsetColumns(model: ModelJson): ModelJson {
  const columns = Object.values(model.dataObjects).flatMap(({ calendar }) => Object.entries(calendar?.periods ?? {}))
  // A column of any other grain may have the name of a grain.
  const names = new Set(columns.flatMap(([column, grain]) => (grain.startsWith('own') ? [column] : [])))
  const metrics = Object.entries(model.metrics ?? {}).map(([name, metric]): [string, MetricJson] => {
    const { offsetGrain, ...rest }: Partial<PeriodJson> = metric.periodOverPeriod ?? {}
    return offsetGrain === undefined || !names.has(offsetGrain)
      ? [name, metric]
      : [name, { ...metric, periodOverPeriod: { ...rest, offsetPeriods: offsetGrain } as PeriodJson }]
  })
  return model.metrics ? { ...model, metrics: Object.fromEntries(metrics) } : model
}
