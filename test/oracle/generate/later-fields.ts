/** Dimensions and conditions of the later kinds: bins and segments. */
import type { BinsJson, DimensionJson, FilterJson, ModelJson, WrittenJson } from '../model.js'
import { kindOf } from '../world.js'
import type { Random } from './random.js'

/** Dimensions with bins beside the dimensions of the same numbers. */
export function binned(random: Random, model: ModelJson): Record<string, DimensionJson> {
  const numeric = Object.entries(model.dimensions ?? {}).filter(([, { dataObject, column }]) =>
    ['int', 'decimal', 'float'].includes(kindOf(model.dataObjects[dataObject]!.columns[column!]!)),
  )
  return Object.fromEntries(
    random
      .some(numeric, random.between(1, 3))
      .map(([name, { resultType: _, ...dimension }]) => [`${name} in bins`, { ...dimension, bins: bins(random) }]),
  )
}

function bins(random: Random): BinsJson {
  if (random.chance(0.5)) return { size: random.pick([1, 2, 3, 10, 100, 0.5, 0.25, 2.5]) }
  const edges = random.some([-1, 0, 0.5, 1, 2, 3, 10, 10.05, 100], random.between(1, 3)).toSorted((a, b) => a - b)
  // Some bins share a name, and some names differ only by case.
  const labels = edges[0] === -1 ? ['mid', 'low', 'mid', 'Low'] : ['low', 'mid', 'high', "O'top"]
  return random.chance(0.4) ? { edges, labels: labels.slice(0, edges.length + 1) } : { edges }
}

/** Named conditions of the model. */
export function segments(random: Random, conditions: () => readonly FilterJson[]): NonNullable<ModelJson['segments']> {
  const names = random.some(['Big ones', "O'Neil's", 'late'], random.between(1, 2))
  return Object.fromEntries(names.map((name) => [name, { filters: conditions() }]))
}

/** `where` with segments among its conditions, at the top level, in groups and in exists filters. */
export function withSegments(random: Random, model: ModelJson, where: readonly WrittenJson[]): readonly WrittenJson[] {
  const names = Object.keys(model.segments ?? {})
  const named = (): WrittenJson => {
    const segment = random.pick(names)
    return random.chance(0.5) ? segment : { segment }
  }
  if (random.chance(0.6)) return [...where, named()]
  if (random.chance(0.4))
    return [
      ...where,
      { logic: random.pick(['and', 'or']), filters: [named(), ...where.slice(0, 1)], negated: random.chance(0.5) },
    ]
  return where.map((f): WrittenJson => {
    if (typeof f === 'string' || !('subquery' in f) || !f.subquery) return f
    return { ...f, subquery: { ...f.subquery, filter: [...(f.subquery.filter ?? []), named()] } }
  })
}
