/** Distinct counts, next to each value of a dimension, of the values that it has in the coarser group. */
import type { DimensionJson, MeasureJson, ModelJson, QueryJson } from '../model.js'
import { filterOn, reachedFrom } from './later-rows.js'
import type { Random } from './random.js'

/** The model with some of them, and with a count of the rows over which they count. */
export function withCounts(random: Random, model: ModelJson): ModelJson {
  const plain = Object.entries(model.dimensions ?? {}).filter(([, dimension]) => isPlain(dimension))
  const measures = random.some(plain, 3).flatMap(([name, { dataObject, column = '' }], i): [string, MeasureJson][] => {
    const objects = Object.entries(model.dataObjects).filter(([, { columns }]) => columns['id'] !== undefined)
    const near = objects.flatMap(([o]) => (reachedFrom(model, o).includes(dataObject) ? [o] : []))
    if (near.length === 0) return []
    const anchor = random.pick(near)
    const counts: MeasureJson = {
      aggregation: 'count_distinct',
      columns: [{ dataObject, column }],
      anchor,
      grain: {
        mode: 'RELATIVE',
        exclude: [
          name,
          ...(random.chance(0.6)
            ? besides(
                random,
                model,
                anchor,
                plain.map(([other]) => other),
              )
            : []),
        ],
      },
      ...(random.chance(0.4) && { filters: [filterOn(random, model, anchor)] }),
    }
    return [
      [`counts ${i}`, counts],
      [`counted ${i}`, { aggregation: 'count', columns: [{ dataObject: anchor, column: 'id' }] }],
    ]
  })
  return { ...model, measures: { ...model.measures, ...Object.fromEntries(measures), ...differentKeys(random, model) } }
}

/** Counts of different keys: mostly the rows of their object, unless they are connected several times or the key has more columns. */
function differentKeys(random: Random, model: ModelJson): Readonly<Record<string, MeasureJson>> {
  const objects = Object.entries(model.dataObjects).flatMap(([name, { columns }]) => (columns['id'] === undefined ? [] : [name]))
  const counts = random.some(objects, 2).map(
    (dataObject): MeasureJson => ({
      columns: [{ dataObject, column: 'id' }],
      ...(random.chance(0.7) ? { aggregation: 'count_distinct' } : { aggregation: 'count', distinct: true }),
      ...(random.chance(0.4) && { filters: [filterOn(random, model, dataObject)] }),
      ...(random.chance(0.15) && { allowFanOut: true }),
    }),
  )
  return Object.fromEntries(counts.map((count, i) => [`different ${i}`, count]))
}

/** Further dimensions that the counts ignore, so that the counted values are in several groups. */
const besides = (random: Random, model: ModelJson, anchor: string, names: readonly string[]): readonly string[] => {
  const near = reachedFrom(model, anchor)
  return random.some(
    names.filter((name) => near.includes(objectOf(model, name))),
    2,
  )
}

const isPlain = ({ column, expression, timeGrain, via, bins }: DimensionJson): boolean =>
  column !== undefined && expression === undefined && timeGrain === undefined && via === undefined && bins === undefined

/**
 * The query, sometimes with such a count of a dimension that it selects. It has a separate random source, so that other queries do not
 * change.
 */
export function withCounted(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { dimensions = [], measures = [], fields = [] } = query.select
  if (dimensions.length === 0 || fields.length > 0 || query.dimensions_exclude || !random.chance(0.3)) return query
  const counts = Object.entries(model.measures ?? {}).filter(
    ([name, { grain }]) => name.startsWith('counts ') && dimensions.some((d) => d === grain?.exclude?.[0]),
  )
  const names = counts.flatMap(([name]) => [name, ...(random.chance(0.8) ? [name.replace('counts', 'counted')] : [])])
  const [first] = counts
  // Sort keys and having may name fields that were removed.
  const isFree = (query.order_by ?? query.having ?? query.fill_gaps ?? query.grouping) === undefined
  const near = first && isFree && random.chance(0.9) ? reachedFrom(model, first[1].anchor ?? '') : undefined
  const kept = near ? dimensions.filter((d) => typeof d === 'string' && near.includes(objectOf(model, d))) : dimensions
  const more = (first?.[1].grain?.exclude ?? []).filter((d) => near?.includes(objectOf(model, d)))
  const asked = [...new Set([...kept, ...more])]
  return {
    ...query,
    select: { ...query.select, dimensions: asked, measures: [...new Set([...(near ? [] : measures), ...names])] },
  }
}

/** The object of a dimension, for any grain. */
export const objectOf = (model: ModelJson, dimension: string): string =>
  (model.dimensions?.[dimension] ?? model.dimensions?.[dimension.replace(/:\w+$/, '')])?.dataObject ?? ''
