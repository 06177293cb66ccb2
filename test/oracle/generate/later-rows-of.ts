/** Queries whose rows are those of one data object. */
import type { ModelJson, QueryJson } from '../model.js'
import { reachedFrom } from './later-rows.js'
import { hashOf, randomFrom } from './random.js'

/** The query, sometimes with `rows_of`: mostly an object from which its dimensions are reached. It has a separate random source. */
export function withRowsOf(model: ModelJson, query: QueryJson, mostly: boolean): QueryJson {
  const random = randomFrom(hashOf(`rows of ${JSON.stringify(query)}`))
  const { dimensions = [] } = query.select
  if (dimensions.length === 0 ? !random.chance(0.03) : !random.chance(mostly ? 0.85 : 0.2)) return query
  const names = dimensions.flatMap((d) => (typeof d === 'string' ? [d.replace(/:\w+$/, '')] : d.coalesce.slice(0, 1)))
  const needed = names.flatMap((name) => model.dimensions?.[name]?.dataObject ?? [])
  const objects = Object.keys(model.dataObjects)
  const fitting = objects.filter((object) => needed.every((each) => reachedFrom(model, object).includes(each)))
  return { ...query, rows_of: random.pick(fitting.length > 0 && random.chance(0.93) ? fitting : objects) }
}
