import { madeOf } from '../relation/relation.js'
import { sameOrBothNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { type Conjunct, hasDimension, type ResolvedDimension } from '../resolve/resolved-query.js'
import { holds } from '../resolve/row-terms.js'
import type { BoundShown } from './bound-block.js'
import type { ConnectedRows } from './connected-rows.js'
import type { ReadColumn } from './read-column.js'
import { type GroupKey, readDimension } from './read-connected.js'

/** The dimensions by whose values rows are behind a shown detail row, besides their groups. */
export const shownBeside = (
  dimensions: readonly ResolvedDimension[],
  conjuncts: readonly Conjunct[],
): readonly ResolvedDimension[] => conjuncts.flatMap(({ shown = [] }) => shown.filter((d) => !hasDimension(dimensions, d)))

/** The join of rows with the detail rows that the answer shows, and how their values are read. */
export interface ReadShown {
  readonly keys: readonly GroupKey[]
  readonly join: BoundShown<ReadColumn>
}

/** Throws `AMBIGUOUS_JOIN`. */
export function readShown(connected: ConnectedRows, conjuncts: readonly Conjunct[]): readonly ReadShown[] {
  return conjuncts.flatMap(({ shown = [], fields }, i): readonly ReadShown[] => {
    if (shown.length === 0) return []
    const alias = madeOf('shown', '_rows', [connected.base.node, String(i)])
    const keys = shown.map((d) => readDimension(connected, d))
    const on = keys.map(({ key }) => holds(sameOrBothNull<ReadColumn>(key.expression, relationColumn(alias, key.name, key.type))))
    const columns = shown.map(({ name, type }) => ({ name, type }))
    const label = { from: '', to: fields.join(', '), columns: [], reason: 'only rows behind what is shown' }
    return [{ keys, join: { alias, columns, on, label } }]
  })
}
