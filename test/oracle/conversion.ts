/** Conversions: events of one kind that are followed by an event of another kind, of the same entity, in time. */
import { atomRows, isCounted } from './atoms.js'
import { addTo } from './calendar.js'
import { fineness } from './coarse.js'
import { atomNamed } from './components.js'
import { askedDimension, type Field } from './fields.js'
import { grainOf } from './grain.js'
import { groupBy } from './group-by.js'
import { type Block, type Level, rowsFor } from './levels.js'
import type { MetricJson } from './model.js'
import { follow, pathToRole } from './paths.js'
import { refuse } from './refusal.js'
import { compare, type Day, divide, int, keyOf, Moment, type Value } from './values.js'
import type { Row, World } from './world.js'

export interface Event {
  readonly entity: Value
  readonly time: Value
}

export function conversionBlock(level: Level, metric: MetricJson, at: readonly number[] | undefined, counted: boolean): Block {
  const { world } = level
  const base = atomNamed(world, metric.base!)
  const own = at ?? grainOf(base.measure, level.dimensions)
  const grouped = own.map((i) => level.dimensions[i]!)
  const rows = rowsFor(level, base, own, counted)
  const asking = { ...rows, world, now: level.now, asked: level.asked, grouped, counted, fanOut: level.fanOut }
  const eventOf = eventReader(world, base.home, metric.entity!, metric.timeDimension!)
  const isEvent = isCounted(world, base)
  const answers = answersOf(level, metric)
  const { rows: byTuple, applied } = atomRows(asking, base, grouped)
  const groups = [...byTuple].flatMap(([key, { tuple, homes }]) => {
    const events = homes
      .filter(isEvent)
      .map(eventOf)
      .filter((e) => e.entity !== null)
    if (events.length === 0) return []
    const converted = int(events.filter(answers).length)
    return [[key, { tuple, value: metric.calculation === 'count' ? converted : divide(converted, int(events.length)) }] as const]
  })
  return {
    at: own,
    groups: new Map(groups),
    applied: applied.map(rows.spread),
    absent: metric.calculation === 'count' ? int(0) : null,
  }
}

/** Whether a conversion event follows in time; the filters of the query do not apply to these events. */
function answersOf({ world, now }: Level, metric: MetricJson): (event: Event) => boolean {
  const conversion = atomNamed(world, metric.conversion!)
  const time = metric.conversionTimeDimension ?? timeOfConversion(world, conversion.home, metric.timeDimension!)
  if (typeOfTime(world, time) !== typeOfTime(world, metric.timeDimension!))
    refuse('INVALID_METRIC', `${time} and ${metric.timeDimension} are of different types`)
  const eventOf = eventReader(world, conversion.home, metric.entity!, time)
  const asking = { world, now, asked: [], grouped: [], where: [], within: [], counted: true }
  const rows = [...atomRows(asking, conversion, []).rows.values()].flatMap((r) => r.homes.filter(isCounted(world, conversion)))
  const times = groupBy(rows.map(eventOf), (e) => keyOf(e.entity))
  return ({ entity, time: from }) => {
    if (from === null) return false
    const until = later(from as Day | Moment, String(metric.window))
    return (times.get(keyOf(entity)) ?? []).some(({ time: t }) => t !== null && compare(from, t) < 0 && compare(t, until) <= 0)
  }
}

/** The type of the value before bucketing. */
export function typeOfTime({ model }: World, name: string): string {
  const { dataObject, column, resultType = '' } = model.dimensions![name]!
  return column === undefined ? resultType : model.dataObjects[dataObject]!.columns[column]!.abstractType
}

/** The time of the base events, if the other base object reads it too; otherwise the only time of that object. */
function timeOfConversion(world: World, home: string, timeDimension: string): string {
  const [role] = rawField(world, timeDimension).roles
  if (pathToRole(world, home, role!)) return timeDimension
  const times = Object.entries(world.model.dimensions ?? {}).filter(
    ([name, { dataObject, bins }]) => dataObject === home && bins === undefined && isTemporal(typeOfTime(world, name)),
  )
  const [only] = times
  return only && new Set(times.map(([, { column, expression }]) => column ?? `= ${expression}`)).size === 1
    ? only[0]
    : refuse('INVALID_METRIC', `${home} has ${times.length} times`)
}

const isTemporal = (type: string): boolean => type === 'date' || type.startsWith('timestamp')

/** Entity and time before bucketing, both read directly. */
export function eventReader(world: World, home: string, entity: string, time: string, isRead = true): (row: Row) => Event {
  const asked = askedDimension(world, entity)
  const at = { ...askedDimension(world, time), grain: undefined }
  if (isRead) fineness(world, home, { grouped: [asked, at], where: [], within: [], now: new Date(0), isSum: false })
  const entityOf = directly(world, home, asked.at(home))
  const timeOf = directly(world, home, rawField(world, time))
  return (row) => ({ entity: entityOf(row), time: asWritten(timeOf(row)) })
}

/** A length of time is measured between instants, whatever clocks show. */
const asWritten = (time: Value): Value => (time instanceof Moment ? new Moment(time.written) : time)

const rawField = (world: World, name: string): Field => {
  const { timeGrain: _, ...raw } = world.model.dimensions![name]!
  return askedDimension({ ...world, model: { ...world.model, dimensions: { [name]: raw } } }, name).at('')
}

function directly(world: World, home: string, field: Field): (row: Row) => Value {
  const [role] = field.roles
  const steps = pathToRole(world, home, role!) ?? refuse('NO_JOIN_PATH', `${role!.object} from ${home}`)
  return (row) => field.value([follow(row, steps)])
}

const UNITS: Readonly<Record<string, string>> = {
  s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week', M: 'month', y: 'year',
} // biome-ignore format: a table

/** `time` and a length such as `7d` or `1 month`. */
export function later(time: Day | Moment, length: string): Day | Moment {
  const [, count, unit] = /^\s*(\d+)\s*([a-zA-Z]+?)s?\s*$/.exec(length)!
  return addTo(time, UNITS[unit!] ?? unit!, Number(count))
}
