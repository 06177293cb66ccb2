/** ORDER BY of a SELECT from one model. */

import { firstOf } from '@grainline/core'
import type { OrderJson } from '@grainline/core/language'
import { bodiesOf, type Node, type SelectStmt, type SortBy } from '../grammar/node.js'
import { type ModelRelation, readsOf } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import type { Target } from '../targets.js'
import { orderedItem } from './named-items.js'
import type { SelectColumns } from './select-columns.js'
import type { SelectItem } from './select-items.js'
import { addParts } from './select-parts.js'

/** An order of finished rows. */
export interface RowOrder {
  readonly sort: SortBy
  readonly node: Node
  /** The number of its item, counted from 1. */
  readonly position: number | undefined
}

/** The possible sort keys of a SELECT. */
interface Ordered {
  readonly targets: readonly Target[]
  readonly items: readonly SelectItem[]
  readonly columns: SelectColumns
  readonly relation: ModelRelation
}

/** The order by columns of the query's answer; `undefined` if it needs more. */
export function readOrder(stmt: SelectStmt, { targets, items, columns, relation }: Ordered): readonly OrderJson[] | undefined {
  const order: OrderJson[] = []
  let isWhole = true
  for (const sort of sortsOf(stmt)) {
    if (sort.sortby_dir === 'SORTBY_USING')
      unsupported('ORDER BY', 'ORDER BY … USING is not understood', { rewrite: 'ASC or DESC' })
    const node = orderedItem(sort.node, targets, relation)
    const item = items.find((each) => each.node === node)
    const role = columns.roleOf(node)
    const field =
      item?.column ?? columns.labelOf(node) ?? (role === 'measure' ? firstOf(readsOf(node, relation)).text : undefined)
    if (field === undefined) {
      if (!item) addParts(node, columns, relation)
      isWhole = false
    } else {
      order.push({
        field,
        ...(sort.sortby_dir === 'SORTBY_DESC' && { direction: 'desc' }),
        ...(sort.sortby_nulls === 'SORTBY_NULLS_FIRST' && { nulls: 'first' }),
      })
    }
  }
  return isWhole ? order : undefined
}

/** The order of the statement, for finished rows. */
export const rowOrders = (stmt: SelectStmt, targets: readonly Target[], relation: ModelRelation): RowOrder[] =>
  sortsOf(stmt).map((sort) => {
    const node = orderedItem(sort.node, targets, relation)
    return { sort, node, position: targets.findIndex((target) => target.node === node) + 1 || undefined }
  })

const sortsOf = ({ sortClause }: SelectStmt): SortBy[] => bodiesOf(sortClause, 'SortBy')
