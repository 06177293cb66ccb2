/** Negative operators and negated groups that keep the rows for which they are unknown. */
import type { Json, ModelJson, QueryJson, StaticFilterJson } from '../model.js'
import { isNegative } from '../operators.js'
import type { Random } from './random.js'

/** The model whose measures, segments and own filters keep what is unknown, in some of their conditions. */
export function withMissing(random: Random, model: ModelJson): ModelJson {
  const { measures = {}, segments, filters } = model
  return {
    ...model,
    measures: Object.fromEntries(
      Object.entries(measures).map(([name, measure]) => [
        name,
        measure.filters ? { ...measure, filters: measure.filters.map((filter) => kept(random, filter)) } : measure,
      ]),
    ),
    ...(filters && { filters: filters.map((filter) => keptFilter(random, filter)) }),
    ...(segments && {
      segments: Object.fromEntries(
        Object.entries(segments).map(([name, { filters: own }]) => [
          name,
          { filters: own.map((filter) => kept(random, filter)) },
        ]),
      ),
    }),
  }
}

/** The query, in some of whose conditions the unknown is kept. */
export function askedOfMissing(random: Random, { where, having, ...query }: QueryJson): QueryJson {
  return {
    ...query,
    ...(where && { where: where.map((filter) => kept(random, filter)) }),
    ...(having && { having: having.map((filter) => kept(random, filter)) }),
  }
}

const kept = <F>(random: Random, filter: F): F => keptOf(random, filter as unknown as Json) as unknown as F

/** Some of the negative conditions keep it; so does the opposite of some others. */
function keptOf(random: Random, filter: Json): Json {
  if (!isObject(filter)) return filter
  const { filters, subquery } = filter
  if (isList(filters)) {
    const isKept = random.chance(filter['negated'] === true ? 0.7 : 0.25)
    return {
      ...filter,
      filters: filters.map((inner) => keptOf(random, inner)),
      ...(isKept && { negated: true, orMissing: true }),
    }
  }
  const inner = isObject(subquery) && isList(subquery['filter']) ? subquery['filter'] : undefined
  const deep = inner ? { ...filter, subquery: { ...(subquery as object), filter: inner.map((f) => keptOf(random, f)) } } : filter
  if (canKeep(deep) && random.chance(0.7)) return { ...deep, orMissing: true }
  return random.chance(0.2) ? { logic: 'and', filters: [deep], negated: true, orMissing: true } : deep
}

const isList = (json: Json | undefined): json is readonly Json[] => Array.isArray(json)
const isObject = (json: Json | undefined): json is { readonly [key: string]: Json } =>
  typeof json === 'object' && json !== null && !isList(json)

/** A filter of the model or a policy: sometimes the negative one, mostly with the rows that have no value. */
export function keptFilter(random: Random, filter: StaticFilterJson): StaticFilterJson {
  // Only one edition of a row is valid at a time.
  const isOpen = filter.operator === 'equals' && filter.column !== 'edition'
  const operator = isOpen && random.chance(0.4) ? 'notequals' : filter.operator
  const written = { ...filter, operator }
  return canKeep(written) && random.chance(0.8) ? { ...written, orMissing: true } : written
}

/** A filter that keeps it does not also say what becomes of NULL. */
function canKeep(filter: object): boolean {
  const { op, operator = op, value, values = value } = filter as Readonly<Record<string, unknown>>
  return typeof operator === 'string' && isNegative(operator) && ![values].flat().includes(null)
}
