/** Questions of which one dimension is cut to its top values. */
import type { ModelJson, QueryJson } from '../model.js'
import { operands } from './later.js'
import { isFuzzy } from './metrics.js'
import { hashOf, type Random, randomFrom } from './random.js'

/** Texts of the data and others; the missing ones leave the rest out. */
const LABELS = ['Others', 'Others', 'a', 'b', "it's", undefined, undefined]

/** The question, sometimes with `top`. Chance of its own, so that questions without it are those of runs without the kind. */
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

/** As it is selected; at times by its own name. */
function textOf(random: Random, model: ModelJson, dimension: NonNullable<QueryJson['select']['dimensions']>[number]): string {
  if (typeof dimension !== 'string') return dimension.as
  return random.chance(0.15) && !model.dimensions?.[dimension] ? dimension.replace(/:\w+$/, '') : dimension
}

/** What is selected, or anything; engines may differ in the last digits of some, so that nothing is chosen by these. */
function byOf(random: Random, model: ModelJson, measures: readonly string[]): string {
  const exact = (names: readonly string[]): readonly string[] => names.filter((n) => !isFuzzy(model, n))
  const selected = exact(measures)
  return selected.length > 0 && random.chance(0.6) ? random.pick(selected) : random.pick(exact(operands(model, false)))
}
