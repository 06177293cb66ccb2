/** Facts whose data have one value for a period: what divides a period, found day by day, and the days among which sums are divided. */
import { locate } from './bridges.js'
import { addPeriods, parseDay, parseMoment, truncate } from './calendar.js'
import { type Asked, addressOf } from './fields.js'
import type { Window } from './levels.js'
import type { FilterJson, LeafJson, ModelJson } from './model.js'
import { orUnknown, testOfFilter } from './operators.js'
import { refuse } from './refusal.js'
import { and, Day, Dec, divide, int, keyOf, type Moment, not, or, type Tri, type Value } from './values.js'
import { columnOf, type Kind, type Row, readColumn, type World } from './world.js'

/** The time of a fact, and how coarse its data are. */
interface Coarse {
  readonly object: string
  readonly column: string
  readonly granularity: string
  readonly spread: boolean
  /** Only the days with true in this column of the calendar count. */
  readonly over?: string
}

const coarseOf = ({ dataObjects }: ModelJson): readonly Coarse[] =>
  Object.entries(dataObjects).flatMap(([object, { columns, joins = [] }]) =>
    Object.entries(columns).flatMap(([column, written]) => {
      const said =
        written.granularity === undefined
          ? joins.find((j) => j.granularity !== undefined && j.columnsFrom.join() === column)
          : written
      return said?.granularity === undefined
        ? []
        : [
            {
              object,
              column,
              granularity: said.granularity,
              spread: said.spread !== undefined,
              ...(typeof said.spread === 'object' && said.spread),
            },
          ]
    }),
  )

/** What a field says of a day, if it reads the time of coarse data from `home`. */
interface Reading {
  readonly of: Coarse
  /** The day itself. */
  readonly isDay: boolean
  readonly kind: Kind
  /** Undefined for a day without a row in its calendar. */
  readonly at: (day: Day) => Value | undefined
}

function readingOf(world: World, home: string, name: string): Reading | undefined {
  const coarse = coarseOf(world.model)
  if (coarse.length === 0) return undefined
  const [plain = '', via] = addressOf(world, name).split(' via ')
  const object = Object.keys(world.model.dataObjects).find((o) => plain.startsWith(`${o}.`))
  if (object === undefined) return undefined
  const column = plain.slice(object.length + 1)
  const place = locate(world, home, { object, ...(via !== undefined && { via }) })
  if (!place) return undefined
  const own = coarse.find((one) => one.object === object && one.column === column)
  if (own) return { of: own, isDay: true, kind: 'date', at: (day) => day }
  const { calendar } = world.model.dataObjects[object]!
  const last = place.steps.at(-1)
  const by = world.model.dataObjects[last?.from ?? '']?.joins?.find((j) => j.joinTo === object && !j.secondary)?.columnsFrom[0]
  const joined = calendar && coarse.find((one) => one.object === last?.from && one.column === by)
  if (!joined) return undefined
  if (column === calendar.key) return { of: joined, isDay: true, kind: 'date', at: (day) => day }
  const { kind } = columnOf(world, object, column)
  return { of: joined, isDay: false, kind, at: (day) => daysIn(world, object, calendar.key!).get(day.days)?.values[column] }
}

function daysIn(world: World, calendar: string, key: string): ReadonlyMap<number, Row> {
  const known = world.memo.get(`days ${calendar}`) as ReadonlyMap<number, Row> | undefined
  const days = known ?? new Map(world.things.get(calendar)!.rows.map((row) => [(row.values[key] as Day).days, row]))
  world.memo.set(`days ${calendar}`, days)
  return days
}

const [FIRST, LAST] = ['2019-01-01', '2032-01-01'].map((day) => Date.parse(day) / 86_400_000) as [number, number]

const DAYS = Array.from({ length: LAST - FIRST }, (_, i) => new Day(FIRST + i))

/** The days of the periods of the dates that a condition names, and those beside them. */
function daysNamed(world: World, granularity: string, filter: FilterJson): readonly Day[] {
  const texts = leavesOf(filter).flatMap(({ value }) => [value].flat().filter((v) => typeof v === 'string'))
  return texts.flatMap((text) => {
    const named = parseDay(text) ?? parseMoment(text)
    if (!named) return []
    const { days: first } = truncate(granularity, named instanceof Day ? named : dayOf(named), world) as Day
    const { days: next } = addPeriods(granularity, new Day(first), 1, world) as Day
    return Array.from({ length: next - first + 2 }, (_, i) => new Day(first - 1 + i))
  })
}

const dayOf = ({ micros }: Moment): Day => new Day(Math.floor(micros / 86_400_000_000))

/** Whether a value is the same on all days of each period; `named` are days beside those of the years that are tried. */
function isConstant(world: World, granularity: string, at: (day: Day) => Value | undefined, named: readonly Day[] = []): boolean {
  const seen = new Map<string, string>()
  for (const day of [...DAYS, ...named]) {
    const value = at(day)
    if (value === undefined) continue
    const period = keyOf(truncate(granularity, day, world))
    if (seen.has(period) && seen.get(period) !== keyOf(value)) return false
    seen.set(period, keyOf(value))
  }
  return true
}

/** A group or a condition that divides the periods of coarse data. */
function dividedBy(world: World, home: string, { grouped, where, within, now }: Divided): readonly Coarse[] {
  const members = (asked: Asked): readonly string[] => asked.coalesced ?? [asked.name]
  const shown = where.flatMap((f) => ('logic' in f ? [] : (f.shown?.asked ?? [])))
  const groups = [...grouped, ...shown].flatMap((asked) =>
    members(asked).flatMap((name) => {
      const read = quietly(() => readingOf(world, home, name))
      const cut = (value: Value | undefined): Value | undefined =>
        value === undefined || asked.grain === undefined ? value : truncate(asked.grain, value, world)
      return read && !isConstant(world, read.of.granularity, (day) => cut(read.at(day))) ? [read.of] : []
    }),
  )
  const windows = within.flatMap(({ time, admits }) =>
    members(time).flatMap((name) => {
      const read = quietly(() => readingOf(world, home, name))
      const cut = (day: Value): Value => (time.grain === undefined ? day : truncate(time.grain, day, world))
      return read && !isConstant(world, read.of.granularity, (day) => admits(cut(read.at(day) ?? null))) ? [read.of] : []
    }),
  )
  const written = where.filter((f) => 'logic' in f || !f.shown)
  return [...groups, ...windows, ...written.flatMap((filter) => dividing({ world, home, now, grouped }, filter))]
}

interface Divided {
  readonly grouped: readonly Asked[]
  readonly where: readonly FilterJson[]
  readonly within: readonly Window[]
  readonly now: Date
}

type At = { readonly world: World; readonly home: string; readonly now: Date; readonly grouped: readonly Asked[] }

/** An unreachable or ambiguous field is refused elsewhere. */
function quietly<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

const leavesOf = (filter: FilterJson): readonly LeafJson[] => ('logic' in filter ? filter.filters.flatMap(leavesOf) : [filter])

/** Each part must be true or false for whole periods; or the whole of a condition on nothing but days. */
function dividing(at: At, filter: FilterJson): readonly Coarse[] {
  const leaves = leavesOf(filter).map((leaf) => ({ leaf, read: leaf.subquery ? undefined : leafReading(at, leaf) }))
  const parts = leaves.flatMap(({ leaf, read }) => (read && !isWholeLeaf(at, leaf, read) ? [read.of] : []))
  const [first] = parts
  if (!first) return []
  const isOfDays = leaves.every(({ read }) => read?.isDay)
  return isOfDays && isOfWholePeriods(at, first.granularity, filter) ? [] : parts
}

const isOfWholePeriods = (at: At, granularity: string, filter: FilterJson): boolean =>
  isConstant(at.world, granularity, (day) => truthOf(at, filter, day), daysNamed(at.world, granularity, filter))

function leafReading({ world, home, grouped }: At, { field }: LeafJson): Reading | undefined {
  const names = grouped.find((a) => a.coalesced && a.text === field)?.coalesced ?? [field]
  return names.map((name) => quietly(() => readingOf(world, home, name))).find((read) => read !== undefined)
}

function isWholeLeaf(at: At, leaf: LeafJson, read: Reading): boolean {
  const { granularity } = read.of
  if (read.isDay) return isOfWholePeriods(at, granularity, leaf)
  const grain = at.world.model.dimensions?.[leaf.field]?.timeGrain
  return isConstant(at.world, granularity, (day) => {
    const value = read.at(day)
    return value === undefined || grain === undefined ? value : truncate(grain, value, at.world)
  })
}

function truthOf(at: At, filter: FilterJson, day: Day): Tri {
  if ('logic' in filter) {
    const parts = filter.filters.map((f) => truthOf(at, f, day))
    const truth = filter.logic === 'and' ? and(parts) : or(parts)
    if (!filter.negated) return truth
    return filter.orMissing ? orUnknown(not(truth)) : not(truth)
  }
  const { world, now } = at
  const grain = world.model.dimensions?.[filter.field]?.timeGrain
  const value = grain === undefined ? day : truncate(grain, day, world)
  const kind = grain === undefined ? 'date' : 'timestamp'
  return testOfFilter(filter, kind, { now, reckoning: world })(value)
}

/** How the rows of an object are counted: as they are, or as the days of their periods. Refuses what divides data that are not spread. */
export function fineness(
  world: World,
  home: string,
  { isSum, ...divided }: Divided & { readonly isSum: boolean },
): ((row: Row) => readonly Row[]) | undefined {
  const coarse = coarseOf(world.model)
  if (coarse.length === 0) return undefined
  const found = dividedBy(world, home, divided)
  const spread = isSum ? coarse.find((one) => one.object === home && one.spread) : undefined
  const refused = found.find((one) => one.object !== spread?.object || one.column !== spread?.column)
  if (refused) refuse('FINER_THAN_DATA', `${refused.object}.${refused.column} by ${refused.granularity}`)
  return spread && ((row) => daysOfRow(world, spread, row))
}

/** A row for each day of its period; a row without a time is itself. */
function daysOfRow(world: World, { object, column, granularity, over }: Coarse, row: Row): readonly Row[] {
  const time = row.values[column]!
  if (time === null) return [row]
  const first = truncate(granularity, time, world) as Day
  const count = (addPeriods(granularity, first, 1, world) as Day).days - first.days
  const all = Array.from({ length: count }, (_, i) => first.days + i)
  const days = over === undefined ? all : all.filter((day) => counts(world, object, column, over, day))
  const on = (day: number): Row => ({
    ...row,
    values: { ...row.values, [column]: new Day(day) },
    plain: { ...row.plain, [column]: new Date(day * 86_400_000).toISOString().slice(0, 10) },
  })
  if (days.length === 0) return [{ ...on(first.days), share: { day: 1, of: 1, row } }]
  return days.map((day, i) => ({ ...on(day), share: { day: i + 1, of: days.length, row } }))
}

/** Whether the calendar that the time joins says that a day counts. */
function counts(world: World, object: string, column: string, over: string, day: number): boolean {
  const { dataObjects } = world.model
  const join = dataObjects[object]!.joins!.find((j) => dataObjects[j.joinTo]!.calendar && j.columnsFrom.join() === column)!
  const row = daysIn(world, join.joinTo, join.columnsTo[0]!).get(day)
  return row !== undefined && readColumn(world, join.joinTo, row, over) === true
}

/** The part of a value for a day: what is rounded up to it, less what is rounded up to the day before. */
export function partOf(value: Value, share: Row['share']): Value {
  if (!share || value === null) return value
  if (!(value instanceof Dec)) return typeof value === 'number' ? (divide(value, int(share.of)) as number) : value
  return new Dec(rounded(value.unscaled, share.day, share.of) - rounded(value.unscaled, share.day - 1, share.of), value.scale)
}

/** v · d / n, rounded half away from zero. */
function rounded(value: bigint, day: number, of: number): bigint {
  const [product, n] = [value * BigInt(day), BigInt(of)]
  const size = product < 0n ? -product : product
  const whole = (2n * size + n) / (2n * n)
  return product < 0n ? -whole : whole
}
