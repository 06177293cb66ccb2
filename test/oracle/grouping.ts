/** Subtotals: the levels of a query, and how their rows stand beside each other. */
import type { Asked } from './fields.js'
import { refuse } from './refusal.js'
import type { Value } from './values.js'

/** The dimensions of each level; all of them first. */
export function levelsOf(grouping: string | undefined, asked: readonly Asked[]): readonly (readonly Asked[])[] {
  switch (grouping) {
    case undefined:
      return [asked]
    case 'rollup':
      return [...asked.map((_, i) => asked.slice(0, asked.length - i)), []]
    case 'cube':
      return asked.reduceRight<readonly (readonly Asked[])[]>((sets, a) => [...sets.map((s) => [a, ...s]), ...sets], [[]])
    default:
      return refuse('UNSUPPORTED_FEATURE', grouping)
  }
}

/** The name of the column that tells where a dimension is rolled up. */
export const flagOf = ({ text }: Asked): string => `${text} is total`

/** A level's tuple over all dimensions: NULL, and flagged, where one is rolled up. */
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
