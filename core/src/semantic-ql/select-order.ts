/** ORDER BY of a SELECT from one model, and the positions and aliases that its clauses may name. */
import { attempt } from './attempt.js'
import { type ModelRelation, placeIn, readsOf } from './model-relation.js'
import { bodyOf, type Node, type SelectStmt, type SortBy, wordsOf } from './node.js'
import type { OrderJson } from './query-json.js'
import { unsupported } from './refusal.js'
import type { SelectColumns } from './select-columns.js'
import type { SelectItem } from './select-items.js'
import { addParts } from './select-parts.js'
import type { Target } from './targets.js'

/** An order of finished rows. */
export interface RowOrder {
  readonly sort: SortBy
  readonly node: Node
  /** The item that it is of, counted from 1. */
  readonly position: number | undefined
}

/** The order in terms of the query's answer; `undefined` where it needs more. */
export function readOrder(
  stmt: SelectStmt,
  targets: readonly Target[],
  items: readonly SelectItem[],
  columns: SelectColumns,
  relation: ModelRelation,
): readonly OrderJson[] | undefined {
  const order: OrderJson[] = []
  let isWhole = true
  for (const sort of sortsOf(stmt)) {
    if (sort.sortby_dir === 'SORTBY_USING')
      unsupported('ORDER BY', 'ORDER BY … USING is not understood', { rewrite: 'ASC or DESC' })
    const node = meantOrder(sort.node!, targets, relation)
    const item = items.find((each) => each.node === node)
    const role = columns.roleOf(node)
    const field = item?.column ?? columns.labelOf(node) ?? (role === 'measure' ? readsOf(node, relation)[0]!.text : undefined)
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

/** The order as the statement writes it, for rows that are finished. */
export const rowOrders = (stmt: SelectStmt, targets: readonly Target[], relation: ModelRelation): RowOrder[] =>
  sortsOf(stmt).map((sort) => {
    const node = meantOrder(sort.node!, targets, relation)
    return { sort, node, position: targets.findIndex((target) => target.node === node) + 1 || undefined }
  })

const sortsOf = ({ sortClause }: SelectStmt): SortBy[] => (sortClause ?? []).map((node) => bodyOf(node, 'SortBy')!)

/** What an order is of: the item of its position or alias, else itself. */
function meantOrder(node: Node, targets: readonly Target[], relation: ModelRelation): Node {
  const word = soleWord(node)
  const named =
    word === undefined ? undefined : (targets.find((t) => t.name === word) ?? targets.find((t) => t.name.toLowerCase() === word))
  return (positionOf(node, targets, relation) ?? named)?.node ?? node
}

/** What a key of GROUP BY is: the item of its position, or of its alias where no field has that name, else itself. */
export function meantKey(node: Node, targets: readonly Target[], relation: ModelRelation): Node {
  const position = positionOf(node, targets, relation)
  if (position) return position.node
  const word = soleWord(node)
  return word !== undefined && !isField(node, relation) ? (targets.find((target) => target.alias === word)?.node ?? node) : node
}

function positionOf(node: Node, targets: readonly Target[], relation: ModelRelation): Target | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (!constant) return undefined
  const index = constant.ival ? (constant.ival.ival ?? 0) : Number.NaN
  return (
    targets[index - 1] ??
    unsupported('position', `A position is a number from 1 to ${targets.length}`, { at: placeIn(relation, node) })
  )
}

const soleWord = (node: Node): string | undefined => {
  const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
  return words.length === 1 ? words[0] : undefined
}

const isField = (node: Node, relation: ModelRelation): boolean =>
  attempt(() => relation.name(bodyOf(node, 'ColumnRef')!)) !== undefined
