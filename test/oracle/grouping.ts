/** Subtotals: the levels of a query, and the order of their rows. */
import type { Asked } from './fields.js'
import type { QueryJson } from './model.js'
import { refuse } from './refusal.js'
import type { Value } from './values.js'

/** The dimensions of each level; for `rollup` and `cube` all of them first. */
export function levelsOf(grouping: QueryJson['grouping'], asked: readonly Asked[]): readonly (readonly Asked[])[] {
  const levels = typeof grouping === 'object' ? grouping.sets : grouping
  if (typeof levels === 'object') return setsOf(levels, asked)
  switch (levels) {
    case undefined:
      return [asked]
    case 'rollup':
      return [...asked.map((_, i) => asked.slice(0, asked.length - i)), []]
    case 'cube':
      return asked.reduceRight<readonly (readonly Asked[])[]>((sets, a) => sets.flatMap((s) => [[a, ...s], s]), [[]])
  }
}

/** The named sets, each once. */
function setsOf(sets: readonly (readonly string[])[], asked: readonly Asked[]): readonly (readonly Asked[])[] {
  const named = (name: string): readonly Asked[] => {
    const exact = asked.filter((a) => a.text === name)
    const all = exact.length > 0 ? exact : asked.filter((a) => a.name === name)
    return all.length > 0 ? all : refuse('UNKNOWN_DIMENSION', `${name} is not selected`)
  }
  const levels = sets.map((names) => {
    const members = new Set(names.flatMap(named))
    return asked.filter((a) => members.has(a))
  })
  return [...new Map(levels.map((l) => [l.map((a) => asked.indexOf(a)).join(), l])).values()]
}

/** The name of the column that marks a dimension as rolled up. */
export const flagOf = ({ text }: Pick<Asked, 'text'>): string => `${text} is total`

/** A level's tuple over all dimensions: NULL, with a flag, for a dimension that is rolled up. */
export function widened(
  tuple: readonly Value[],
  dimensions: readonly Asked[],
  asked: readonly Asked[],
): { readonly tuple: readonly Value[]; readonly flags: readonly boolean[] } {
  return {
    tuple: asked.map((a) => (dimensions.includes(a) ? tuple[dimensions.indexOf(a)]! : null)),
    flags: asked.map((a) => !dimensions.includes(a)),
  }
}
