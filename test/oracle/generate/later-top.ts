/** Queries with `top` on one dimension. */
import type { MetricJson, ModelJson, QueryJson } from '../model.js'
import { componentsOf, operands, temporalDimensions } from './later.js'
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
  const chosen = mostly && random.chance(0.95) ? withoutTimesOf(model, query) : dimensions
  if (dimensions.length > 0 && chosen.length === 0) return query
  const dimension = dimensions.length === 0 ? 'nothing' : textOf(random, model, random.pick(chosen))
  const top = {
    dimension,
    by: byOf(random, model, measures, mostly),
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

/** Without the times along which values run or gaps are filled: these are not told apart in groups of other values. */
function withoutTimesOf(model: ModelJson, { select: { dimensions = [], measures = [] }, fill_gaps }: QueryJson): Dimensions {
  if (fill_gaps === undefined && !measures.some((name) => isBelow(model, name, runs))) return dimensions
  const times = new Set(temporalDimensions(model))
  return dimensions.filter((d) => typeof d === 'string' && !times.has(d.replace(/:\w+$/, '')))
}

const runs = ({ timeDimension }: MetricJson): boolean => timeDimension !== undefined
/** It depends on the rows of a time, which the question for values of another dimension alone does not show. */
const runsOverRows = (metric: MetricJson): boolean => metric.type === 'window' && runs(metric)

function isBelow(model: ModelJson, name: string, is: (metric: MetricJson) => boolean): boolean {
  const metric = model.metrics?.[name]
  return metric !== undefined && (is(metric) || componentsOf(metric).some((below) => isBelow(model, below, is)))
}

type Dimensions = NonNullable<QueryJson['select']['dimensions']>

/** As it is selected; sometimes by its own name. */
function textOf(random: Random, model: ModelJson, dimension: Dimensions[number]): string {
  if (typeof dimension !== 'string') return dimension.as
  return random.chance(0.15) && !model.dimensions?.[dimension] ? dimension.replace(/:\w+$/, '') : dimension
}

/** A selected measure, or any; engines may differ in the last digits of some, so these are not used for the choice. */
function byOf(random: Random, model: ModelJson, measures: readonly string[], mostly: boolean): string {
  const isRefused = (name: string): boolean => mostly && isBelow(model, name, runsOverRows)
  const exact = (names: readonly string[]): readonly string[] => names.filter((n) => !isFuzzy(model, n) && !isRefused(n))
  const selected = exact(measures)
  const isSelected = selected.length > 0 && random.chance(mostly ? 0.8 : 0.6)
  return random.pick(isSelected ? selected : exact(operands(model, false)))
}
