/** Measures of an object and of one that it refers to, for the rows of the first that meet a condition. */
import type { ModelJson, QueryJson } from '../model.js'
import { filterLeaf } from './filters.js'
import { objectOf } from './later-counts.js'
import { plainKind } from './later-ever.js'
import { baseOf } from './later-names.js'
import { reachedFrom } from './later-rows.js'
import { addresses, parentsOf } from './measures.js'
import type { Random } from './random.js'

/** The query, sometimes with such measures in place of its own, by dimensions that mostly both objects reach. */
export function withReferring(random: Random, model: ModelJson, query: QueryJson): QueryJson {
  const { measures = [], fields = [] } = query.select
  const isPlain = (query.grouping ?? query.fill_gaps ?? query.top ?? query.dimensions_exclude) === undefined
  if (measures.length === 0 || fields.length > 0 || !isPlain || !random.chance(0.3)) return query
  const pairs = Object.keys(model.dataObjects).flatMap((of) => parentsOf(model.dataObjects[of]!).map((to) => ({ of, to })))
  if (pairs.length === 0) return query
  const { of, to } = random.pick(pairs)
  // An object may refer to itself.
  const chosen = new Set([
    ...random.some(measuresOf(model, of), random.between(1, 2)),
    ...random.some(measuresOf(model, to), random.between(1, 2)),
  ])
  const plain = Object.keys(model.dimensions ?? {}).filter((name) => plainKind(model, name) !== undefined)
  const near = plain.filter((name) => (random.chance(0.85) ? reachedFrom(model, to) : [of]).includes(objectOf(model, name)))
  const { dataObject, column, kind } = random.pick(addresses(model.dataObjects, of))
  const { having: _groups, order_by: _order, where = [], ...rest } = query
  return {
    ...rest,
    select: { ...query.select, dimensions: random.some(near, random.between(1, 3)), measures: [...chosen] },
    where: [...(random.chance(0.2) ? where : []), filterLeaf(random, `${dataObject}.${column}`, kind)],
  }
}

function measuresOf(model: ModelJson, object: string): readonly string[] {
  const own = Object.entries(model.measures ?? {}).flatMap(([name, measure]) => (baseOf(measure) === object ? [name] : []))
  return [...own, `${object} Count`]
}
