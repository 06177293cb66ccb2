/** Queries with `top` on one dimension. */
import type { ModelJson, QueryJson } from '../model.js'
import { operands } from './later.js'
import { isFuzzy } from './metrics.js'
import { hashOf, type Random, randomFrom } from './random.js'

/** Names of the group of the others: texts of the data and others; without a name the rest is left out. */
const LABELS = ['Others', 'Others', 'a', 'b', "it's", undefined, undefined]

/** The query, sometimes with `top`. It has a separate random source, so that queries without it are the same as in runs without the kind. */
export function withTop(model: ModelJson, query: QueryJson, mostly: boolean): QueryJson {
  const random = randomFrom(hashOf(JSON.stringify(query)))
  const { dimensions = [], measures = [] } = query.select
  if (dimensions.length === 0 ? !random.chance(0.01) : !random.chance(mostly ? 0.92 : 0.25)) return query
  const others = random.pick(LABELS)
  const dimension = dimensions.length === 0 ? 'nothing' : textOf(random, model, random.pick(dimensions))
  const top = {
    dimension,
    by: byOf(random, model, measures),
    n: random.pick([1, 1, 2, 2, 3, 5]),
    ...(random.chance(0.3) && { order: random.pick(['asc', 'desc'] as const) }),
    ...(others !== undefined && { others }),
  }
  const flag = others !== undefined && random.chance(0.2) && query.select.fields === undefined && !query.dimensions_exclude
  return { ...query, top, ...(flag && dimensions.includes(dimension) && ordered(query, `${dimension} is others`)) }
}

const ordered = ({ order_by = [] }: QueryJson, field: string): Pick<QueryJson, 'order_by'> => ({
  order_by: [{ field, direction: 'desc' }, ...order_by],
})

/** As it is selected; sometimes by its own name. */
function textOf(random: Random, model: ModelJson, dimension: NonNullable<QueryJson['select']['dimensions']>[number]): string {
  if (typeof dimension !== 'string') return dimension.as
  return random.chance(0.15) && !model.dimensions?.[dimension] ? dimension.replace(/:\w+$/, '') : dimension
}

/** A selected measure, or any; engines may differ in the last digits of some, so these are not used for the choice. */
function byOf(random: Random, model: ModelJson, measures: readonly string[]): string {
  const exact = (names: readonly string[]): readonly string[] => names.filter((n) => !isFuzzy(model, n))
  const selected = exact(measures)
  return selected.length > 0 && random.chance(0.6) ? random.pick(selected) : random.pick(exact(operands(model, false)))
}
