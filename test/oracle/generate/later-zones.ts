/** Instants among the timestamps of a model, and queries with time zones. */
import type { FilterJson, ModelJson, QueryJson } from '../model.js'
import { ODD_TIMES, type OddTimes } from './pools.js'
import type { Random } from './random.js'

export const ZONES = ODD_TIMES.map(({ zone }) => zone)

/**
 * In some models every timestamp is an instant, because metrics and coalesced dimensions need times of one type; the model may declare the
 * zone of queries, and the zone of timestamps without one.
 */
export function withZones(random: Random, model: ModelJson, { zone: home }: OddTimes): ModelJson {
  const zone = () => (random.chance(0.5) ? home : random.pick(ZONES))
  const dataObjects = random.chance(0.6) ? withInstants(model.dataObjects) : model.dataObjects
  const dimensions = Object.entries(model.dimensions ?? {}).map(([name, d]) => {
    const column = d.column === undefined ? undefined : dataObjects[d.dataObject]!.columns[d.column]
    const shorter = column?.abstractType.startsWith('timestamp') && d.timeGrain !== undefined && random.chance(0.6)
    const dated = shorter ? { ...d, timeGrain: random.pick(['hour', 'minute']) } : d
    return [name, column?.abstractType === 'timestamp_tz' ? { ...dated, resultType: 'timestamp_tz' } : dated] as const
  })
  return {
    ...model,
    settings: {
      ...model.settings,
      ...(random.chance(0.4) && { queryTimezone: zone() }),
      ...(random.chance(0.5) && { defaultTimezone: zone() }),
    },
    dataObjects,
    ...(model.dimensions && { dimensions: Object.fromEntries(dimensions) }),
  }
}

const withInstants = (objects: ModelJson['dataObjects']): ModelJson['dataObjects'] =>
  Object.fromEntries(
    Object.entries(objects).map(([name, object]) => {
      const columns = Object.entries(object.columns).map(
        ([column, c]) => [column, c.abstractType === 'timestamp' ? { ...c, abstractType: 'timestamp_tz' } : c] as const,
      )
      return [name, { ...object, columns: Object.fromEntries(columns) }]
    }),
  )

/** The query in a zone, mostly with a condition on a time, and grouped by a time that the zone affects. */
export function askedInZone(random: Random, model: ModelJson, plain: QueryJson, odd: OddTimes): QueryJson {
  const times = Object.entries(model.dimensions ?? {}).flatMap(([name, { dataObject, column }]) =>
    model.dataObjects[dataObject]!.columns[column!]!.abstractType.startsWith('timestamp') ? [name] : [],
  )
  const [time] = random.some(times, 1)
  const where = [
    ...atOddTimes(random, plain.where ?? [], odd),
    ...(time && random.chance(0.5) ? [oddLeaf(random, time, !isCutByDays(model, time), odd)] : []),
  ]
  const query = { ...plain, ...(where.length > 0 && { where }) }
  const zoned = random.chance(0.7) ? { ...query, timezone: random.chance(0.7) ? odd.zone : random.pick(ZONES) } : query
  const { dimensions = [], measures = [] } = query.select
  const fits = measures.length > 0 && dimensions.length < 3 && query.grouping === undefined && !query.fill_gaps
  const asked = dimensions.some((d) => typeof d === 'string' && d.replace(/:\w+$/, '') === time)
  if (!fits || time === undefined || asked || random.chance(0.4)) return zoned
  const bucket = `${time}:${random.pick(['minute', 'hour', 'hour', 'day', 'day', 'week', 'month'])}`
  return { ...zoned, select: { ...zoned.select, dimensions: [...dimensions, bucket] } }
}

/** Whether a dimension has dates without times of day. */
export function isCutByDays(model: ModelJson, name: string): boolean {
  const { timeGrain } = model.dimensions![name]!
  return timeGrain !== undefined && timeGrain !== 'hour' && timeGrain !== 'minute'
}

function oddLeaf(random: Random, field: string, isTimed: boolean, { hours, days }: OddTimes): FilterJson {
  const pool = isTimed ? [...hours, ...hours, ...days] : days
  const op = random.pick(['eq', 'eq', 'neq', 'lt', 'lte', 'lte', 'gt', 'gte', 'in', 'not_in', 'between'])
  if (op === 'between') return { field, op, value: random.some(pool, 2).toSorted() }
  return { field, op, value: op.endsWith('in') ? random.some(pool, 2) : random.pick(pool) }
}

/** Some dates and times are replaced by local times that clocks show twice or never, and by dates that mean "never". */
function atOddTimes<T>(random: Random, written: T, odd: OddTimes): T {
  if (Array.isArray(written)) return written.map((part) => atOddTimes(random, part, odd)) as T
  if (typeof written === 'object' && written !== null)
    return Object.fromEntries(Object.entries(written).map(([key, part]) => [key, atOddTimes(random, part, odd)])) as T
  if (typeof written !== 'string' || !/^\d{4}-\d\d-\d\d/.test(written) || random.chance(0.3)) return written
  const isDay = written.length === 10
  const far = isDay ? odd.farDays : odd.farTimes
  if (far && random.chance(0.1)) return random.pick<string>(far) as T
  return random.pick<string>(isDay ? odd.days : odd.hours) as T
}
