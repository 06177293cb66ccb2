/** The positions and aliases by which the clauses of a SELECT name its items. */
import { attempt } from '../attempt.js'
import { bodyOf, type Node, theBody, wordsOf } from '../grammar/node.js'
import { type ModelRelation, placeIn } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import type { Target } from '../targets.js'

/** The expression of a sort key: the item of its position or alias, or else itself. */
export function orderedItem(node: Node, targets: readonly Target[], relation: ModelRelation): Node {
  const word = soleWord(node)
  const named =
    word === undefined ? undefined : (targets.find((t) => t.name === word) ?? targets.find((t) => t.name.toLowerCase() === word))
  return (positionOf(node, targets, relation) ?? named)?.node ?? node
}

/** The expression of a key of GROUP BY: the item of its position, or of its alias if no field has that name, or else itself. */
export function groupedItem(node: Node, targets: readonly Target[], relation: ModelRelation): Node {
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
  attempt(() => relation.name(theBody(node, 'ColumnRef'))) !== undefined
