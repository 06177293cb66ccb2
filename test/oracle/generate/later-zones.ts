/** Instants among the timestamps of a model, and zones in which a question looks at time. */
import type { ModelJson, QueryJson } from '../model.js'
import type { Random } from './random.js'

/** East and west of the data's midnights, by half an hour, with summer times on both sides of the equator. */
export const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Sydney', 'Asia/Kolkata', 'America/St_Johns', 'UTC'] as const

/** In some models every timestamp is an instant, as metrics and coalesced dimensions need times of one type; the model may say in which zone to look at time, and in which one the others are written. */
export function withZones(random: Random, model: ModelJson): ModelJson {
  const dataObjects = random.chance(0.6) ? withInstants(model.dataObjects) : model.dataObjects
  const dimensions = Object.entries(model.dimensions ?? {}).map(([name, d]) => {
    const column = d.column === undefined ? undefined : dataObjects[d.dataObject]!.columns[d.column]
    return [name, column?.abstractType === 'timestamp_tz' ? { ...d, resultType: 'timestamp_tz' } : d] as const
  })
  return {
    ...model,
    settings: {
      ...model.settings,
      ...(random.chance(0.4) && { queryTimezone: random.pick(ZONES) }),
      ...(random.chance(0.5) && { defaultTimezone: random.pick(ZONES) }),
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

/** The question in a zone, and mostly by a time that the zone cuts. */
export function askedInZone(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const zoned = random.chance(0.5) ? { ...query, timezone: random.pick(ZONES) } : query
  const { dimensions = [], measures = [] } = query.select
  const fits = measures.length > 0 && dimensions.length < 3 && query.grouping === undefined && query.fill_gaps !== true
  const times = Object.entries(model.dimensions ?? {}).flatMap(([name, { dataObject, column }]) =>
    model.dataObjects[dataObject]!.columns[column!]!.abstractType.startsWith('timestamp') ? [name] : [],
  )
  const [time] = random.some(times, 1)
  const asked = dimensions.some((d) => typeof d === 'string' && d.replace(/:\w+$/, '') === time)
  if (!fits || time === undefined || asked || random.chance(0.4)) return zoned
  const bucket = `${time}:${random.pick(['hour', 'day', 'day', 'week', 'month'])}`
  return { ...zoned, select: { ...zoned.select, dimensions: [...dimensions, bucket] } }
}
