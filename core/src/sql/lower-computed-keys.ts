import { firstOf, itemAt } from '../invariant.js'
import { type InnerNode, isInner, isLiteral, replaceNodes } from '../model/expression/ast.js'
import { binary, call } from '../resolve/expressions.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

/** A join condition in which each column that is compared with a computed key allows NULL, as that key does. */
export function nullableBesideComputed(on: SqlExpr): SqlExpr {
  return replaceNodes<SqlLeaf>(on, (node) => {
    if (node.kind === 'binary' && node.operator === '=') {
      const [left, right] = sides(node.left, node.right)
      return left === node.left && right === node.right ? undefined : binary('=', left, right)
    }
    if (node.kind !== 'call' || node.name !== 'same') return undefined
    const [own, theirs] = sides(firstOf(node.args), itemAt(node.args, 1))
    return own === node.args[0] && theirs === node.args[1] ? undefined : call('same', own, theirs)
  })
}

const sides = (left: SqlExpr, right: SqlExpr): readonly [SqlExpr, SqlExpr] => [
  isComputed(right) ? nullable(left) : left,
  isComputed(left) ? nullable(right) : right,
]

const isComputed = (key: SqlExpr): key is InnerNode<SqlLeaf> => isInner<SqlLeaf>(key) && !isLiteral(key)
const nullable = (key: SqlExpr): SqlExpr => (key.kind === 'column' ? call('nullable', key) : key)
