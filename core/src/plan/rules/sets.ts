import { leavesOf } from '../../model/expression/ast.js'
import { madeOf } from '../../relation/relation.js'
import { plainName } from '../../resolve/aliases.js'
import type { Aggregate, NamedExpr } from '../logical-plan.js'
import { overColumns } from '../over-columns.js'
import { plainRowsOf } from '../plain-rows.js'
import { isNewKey } from './new-key.js'
import type { PlanFacts } from './rule.js'

/**
 * The aggregation by sets of its keys. A key without a column is not a key on every engine, some take no expressions, and an engine confuses two keys with equal
 * expressions: for such keys, the rows are a subquery in which each key is a column.
 */
export function inSets(node: Aggregate, sets: NonNullable<Aggregate['sets']>, { hints, typeOf }: PlanFacts): Aggregate {
  const { keys } = node
  const object = plainRowsOf(node)?.start.object ?? plainName(node.alias)
  const isPlain = keys.every(isColumnOfItsOwn) && (hints.groupedExpressions || keys.every(isReadAsStored))
  return { ...(isPlain ? node : overColumns(node, madeOf(object, '_rows'), typeOf)), sets }
}

const isColumnOfItsOwn = (key: NamedExpr, at: number, keys: readonly NamedExpr[]): boolean =>
  leavesOf(key.expression).length > 0 && isNewKey(key, at, keys)

const isReadAsStored = ({ expression }: NamedExpr): boolean => expression.kind === 'column' && expression.stored === undefined
