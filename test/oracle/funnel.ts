/** Funnels: first events whose entity takes every further step, each later than the one before, within a length of time. */
import { atomRows, isCounted } from './atoms.js'
import { atomNamed } from './components.js'
import { type Event, eventReader, later, typeOfTime } from './conversion.js'
import { grainOf } from './grain.js'
import { groupBy } from './group-by.js'
import { type Block, type Level, rowsFor } from './levels.js'
import type { MetricJson } from './model.js'
import { refuse } from './refusal.js'
import { compare, type Day, divide, int, keyOf, type Moment, type Value } from './values.js'

export function funnelBlock(level: Level, metric: MetricJson, at: readonly number[] | undefined, counted: boolean): Block {
  const { world } = level
  const [first] = metric.steps!
  const base = atomNamed(world, first!.measure)
  const own = at ?? grainOf(base.measure, level.dimensions)
  const grouped = own.map((i) => level.dimensions[i]!)
  const rows = rowsFor(level, base, own, counted)
  const asking = { ...rows, world, now: level.now, asked: level.asked, grouped, counted, fanOut: level.fanOut }
  const eventOf = eventReader(world, base.home, metric.entity!, first!.timeDimension, (metric.step ?? metric.steps!.length) > 1)
  const isEvent = isCounted(world, base)
  const step = metric.step ?? metric.steps!.length
  const passes = [step, step - 1].map((k) => passesOf(level, metric, k))
  // Every step must be readable, also those after the one that is asked for.
  passesOf(level, metric, metric.steps!.length)
  const { rows: byTuple, applied } = atomRows(asking, base, grouped)
  const groups = [...byTuple].flatMap(([key, { tuple, homes }]) => {
    const events = homes
      .filter(isEvent)
      .map(eventOf)
      .filter((e) => e.entity !== null && e.time !== null)
    if (events.length === 0) return []
    const number = (some: readonly Event[]): Value =>
      int(metric.distinct ? new Set(some.map((e) => keyOf(e.entity))).size : some.length)
    const passed = number(events.filter(passes[0]!))
    if (metric.calculation === 'count') return [[key, { tuple, value: passed }] as const]
    const before = metric.calculation === 'rateOfPrevious' && step > 1 ? events.filter(passes[1]!) : events
    return [[key, { tuple, value: divide(passed, number(before)) }] as const]
  })
  return {
    at: own,
    groups: new Map(groups),
    applied: applied.map(rows.spread),
    absent: metric.calculation === 'count' ? int(0) : null,
  }
}

/** Whether the entity of a first event takes the first k steps in time: all ways are tried. */
function passesOf(level: Level, metric: MetricJson, k: number): (event: Event) => boolean {
  const { world } = level
  const steps = metric.steps!.slice(1, k).map(({ measure, timeDimension }) => {
    if (typeOfTime(world, timeDimension) !== typeOfTime(world, metric.steps![0]!.timeDimension))
      refuse('INVALID_METRIC', `the times of ${measure} are of another type`)
    return timesByEntity(level, metric, measure, timeDimension)
  })
  const goesOn = (entity: string, after: Day | Moment, until: Day | Moment, next: number): boolean =>
    next === steps.length ||
    (steps[next]!.get(entity) ?? []).some(
      (time) => compare(after, time) < 0 && compare(time, until) <= 0 && goesOn(entity, time, until, next + 1),
    )
  return ({ entity, time }) => goesOn(keyOf(entity), time as Day | Moment, later(time as Day | Moment, String(metric.window)), 0)
}

/** The filters of the query do not apply to these events. */
function timesByEntity(
  { world, now }: Level,
  metric: MetricJson,
  measure: string,
  time: string,
): ReadonlyMap<string, readonly (Day | Moment)[]> {
  const atom = atomNamed(world, measure)
  const eventOf = eventReader(world, atom.home, metric.entity!, time, (metric.step ?? metric.steps!.length) > 1)
  const asking = { world, now, asked: [], grouped: [], where: [], within: [], counted: true }
  const rows = [...atomRows(asking, atom, []).rows.values()].flatMap((r) => r.homes.filter(isCounted(world, atom)))
  const events = groupBy(
    rows.map(eventOf).filter((e) => e.entity !== null && e.time !== null),
    (e) => keyOf(e.entity),
  )
  return new Map([...events].map(([entity, own]) => [entity, own.map((e) => e.time as Day | Moment)]))
}
