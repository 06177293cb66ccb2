/** Dimensions that another column orders, and orders by dimensions that are not selected. */
import { GRAINS } from '../calendar.js'
import type { DimensionJson, ModelJson, QueryJson } from '../model.js'
import { kindOf } from '../world.js'
import { withKeyDimensions } from './later-keys.js'
import type { Random } from './random.js'

/** The model with dimensions over keys, and columns that order some of the dimensions. Some are dimensions themselves. */
export function withSorted(random: Random, model: ModelJson): ModelJson {
  const keyed = withKeyDimensions(model)
  const dimensions: Record<string, DimensionJson> = {}
  for (const [name, dimension] of Object.entries(keyed.dimensions ?? {})) {
    const { dataObject, bins, timeGrain, column } = dimension
    // A list has no order.
    const ordered = Object.entries(keyed.dataObjects[dataObject]!.columns).filter(([, c]) => c.abstractType !== 'json')
    const others = ordered.map(([c]) => c).filter((c) => c !== column)
    const isSorted = !bins && timeGrain === undefined && others.length > 0 && random.chance(0.6)
    const sortBy = isSorted ? random.pick(others) : undefined
    dimensions[name] = sortBy === undefined ? dimension : { ...dimension, sortBy }
    if (sortBy !== undefined && random.chance(0.4)) dimensions[`order of ${name}`] = { dataObject, column: sortBy }
  }
  return { ...keyed, dimensions }
}

/** The query, sometimes in the order of its dimensions or of others. */
export function askedInOrder(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { dimensions = [], fields } = query.select
  const all = Object.keys(model.dimensions ?? {})
  const isSorted = all.some((name) => model.dimensions![name]!.sortBy !== undefined)
  if (!isSorted || fields || dimensions.length === 0 || random.chance(0.25)) return query
  const texts = dimensions.map((d) => (typeof d === 'string' ? d : d.as))
  const selected = random.chance(0.5) ? withKeysOf(random, model, dimensions) : dimensions
  const near = random.chance(0.6) ? nearOf(random, model, selected) : random.chance(0.1) ? random.some(all, 1) : []
  const order = [...near, ...random.some(texts, random.between(near.length > 0 ? 0 : 1, 2))]
  return {
    ...query,
    select: { ...query.select, dimensions: selected },
    order_by: [...new Set(order)].map((field) => ({
      field,
      ...(random.chance(0.6) && { direction: random.pick(['asc', 'desc'] as const) }),
      ...(random.chance(0.25) && { nulls: random.pick(['first', 'last'] as const) }),
    })),
    ...(random.chance(0.3) && { limit: random.between(1, 6) }),
  }
}

type Selected = NonNullable<QueryJson['select']['dimensions']>

/** With the key of the object of one of them. */
function withKeysOf(random: Random, model: ModelJson, dimensions: Selected): Selected {
  const [one] = random.some(
    dimensions.flatMap((d) => (typeof d === 'string' && model.dimensions?.[d] ? [d] : [])),
    1,
  )
  if (one === undefined) return dimensions
  const { dataObject, via } = model.dimensions![one]!
  if (via !== undefined) return dimensions
  const keys = Object.entries(model.dimensions ?? {}).flatMap(([name, d]) =>
    d.dataObject === dataObject && name.startsWith('key ') && /^(id|part)$/.test(d.column ?? '') ? [name] : [],
  )
  return [...new Set<Selected[number]>([...dimensions, ...keys])]
}

/** Dimensions that a selected one may determine. */
function nearOf(random: Random, model: ModelJson, dimensions: Selected): readonly string[] {
  const found = dimensions.flatMap((d): readonly string[] => {
    if (typeof d !== 'string') return []
    const name = model.dimensions?.[d] ? d : d.replace(/:\w+$/, '')
    const own = model.dimensions![name]!
    const type = own.column === undefined ? 'string' : kindOf(model.dataObjects[own.dataObject]!.columns[own.column]!)
    const isTime = type === 'date' || type === 'timestamp'
    const coarser = isTime ? [`${name}:${random.pick(GRAINS.slice(3))}`] : []
    const object = Object.entries(model.dimensions ?? {}).flatMap(([other, { dataObject, column }]) =>
      dataObject === own.dataObject && (column === own.sortBy || name.startsWith('key ')) ? [other] : [],
    )
    return [...coarser, ...random.some(object, 2)]
  })
  const texts = dimensions.map((d) => (typeof d === 'string' ? d : d.as))
  return random.some(
    found.filter((f) => !texts.includes(f)),
    1,
  )
}
