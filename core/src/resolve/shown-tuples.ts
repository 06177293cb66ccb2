import type { Grouping } from '../query/query-object.js'
import { TRUE } from './expressions.js'
import type { JoinGraph } from './join-graph.js'
import type { Modifier } from './modifiers.js'
import type { Conjunct, ResolvedDimension } from './resolved-query.js'
import { ofSameTime } from './time-dimension.js'

/** Whether only the rows behind the shown detail rows count (docs/subtotals.md). */
export const isOfShown = (grouping: Grouping | undefined): boolean => typeof grouping === 'object' && grouping.of === 'shown'

/** The condition that a row is behind one of them. Without `others`, `top` has left out the other values. */
export function shownCondition(dimensions: readonly ResolvedDimension[]): Conjunct {
  const shown = dimensions.map((d) => (d.top?.others === undefined ? { ...d, top: undefined } : d))
  return { expression: TRUE, leaves: [], path: 'grouping.of', fields: shown.map((d) => d.label), ofMeasure: true, shown }
}

/** At other times, the values of the other dimensions are those of a shown detail row. */
export function shownAtOtherTimes(
  conjuncts: readonly Conjunct[],
  { shift, window, times }: Pick<Modifier, 'shift' | 'window' | 'times'>,
  graph: JoinGraph,
): readonly Conjunct[] {
  const time = shift?.dimension ?? window?.time ?? times?.time
  if (time === undefined || !conjuncts.some(({ shown }) => shown)) return conjuncts
  return conjuncts.flatMap((conjunct) => {
    if (!conjunct.shown) return [conjunct]
    const along = ofSameTime(time, conjunct.shown, graph)
    const others = conjunct.shown.filter((d) => d.name !== time.name && !along.includes(d))
    return others.length === 0 ? [] : [shownCondition(others)]
  })
}
