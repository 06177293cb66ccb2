import { joinedRanges } from '../joined-ranges.js'
import type { Rule } from './rule.js'

/** Adjacent and overlapping ranges of one value in a condition as one range. The same values are in it, and NULL is in none. */
export const joinedRangesOfFilters: Rule = {
  name: 'joined-ranges',
  rephrases: true,
  rewrite(node) {
    if (node.kind !== 'filter') return undefined
    const condition = joinedRanges(node.condition)
    return condition === node.condition ? undefined : { ...node, condition }
  },
}
