/** Nodes of the syntax tree that a statement could have written itself. */
import type { Node } from './node.js'

export const wordNodes = (...words: readonly string[]): Node[] => words.map((sval) => ({ String: { sval } }))

export const columnNode = (...words: readonly string[]): Node => ({ ColumnRef: { fields: wordNodes(...words) } })

export const integerNode = (ival: number): Node => ({ A_Const: { ival: { ival } } })

export const operation = (symbol: string, lexpr: Node, rexpr: Node): Node => ({
  A_Expr: { kind: 'AEXPR_OP', name: wordNodes(symbol), lexpr, rexpr },
})

/** All of the conditions, of which there is at least one. */
export const everyOf = (args: readonly Node[]): Node =>
  args.length === 1 ? args[0]! : { BoolExpr: { boolop: 'AND_EXPR', args: [...args] } }

export const isNotTrue = (arg: Node): Node => ({ BooleanTest: { arg, booltesttype: 'IS_NOT_TRUE' } })
