import { asOfOf } from '../../model/join-term.js'
import type { Rule } from './rule.js'

/**
 * The engine finds the last row before a time.
 *
 * The law: of the rows of the target with equal keys, an `ASOF` join finds the last at or before the time, or the first at or after it, and a row of several of one
 * time is chosen before. Rows that are left out unless they find a near one stay numbered: the engine would leave out none.
 */
export const engineAsOf: Rule = {
  name: 'engine-as-of',
  needs: ['asOfJoins'],
  rewrite: (node) => {
    if (node.kind !== 'join' || node.byEngine) return undefined
    const term = asOfOf(node.on)
    return term && !(term.within && node.type === 'inner') ? { ...node, byEngine: true } : undefined
  },
}
