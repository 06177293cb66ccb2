import { type Binary, isLiteral } from '../model/expression/ast.js'
import { not } from '../resolve/expressions.js'
import type { SqlExpr, SqlLeaf } from './statement.js'

export const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Nodes that are boolean by themselves. A column is not, because some engines store any number in it. */
const TESTS: ReadonlySet<string> = new Set(['in', 'like', 'is-null'])
const TRUTHS: ReadonlySet<string> = new Set([...COMPARISONS, 'and', 'or'])

/** A comparison of a boolean node with TRUE or FALSE as the node itself; `undefined` for any other comparison. */
export function truth({ operator, left, right }: Binary<SqlLeaf>): SqlExpr | undefined {
  if (operator !== '=' || !isLiteral(right) || typeof right.value !== 'boolean') return undefined
  const isTest = left.kind === 'binary' ? TRUTHS.has(left.operator) : TESTS.has(left.kind)
  if (!isTest) return undefined
  return right.value ? left : not(left)
}
