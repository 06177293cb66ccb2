import { bodyOf, type ColumnRef, type Node, wordsOf } from '../grammar/node.js'

export interface ValueColumn {
  readonly column: ColumnRef
  /** The value is divided by it. */
  readonly divides: boolean
}

const ARITHMETIC: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

/** The columns whose values an expression returns, without those that it only tests. */
export function valueColumns(node: Node): ValueColumn[] {
  const column = bodyOf(node, 'ColumnRef')
  if (column) return [{ column, divides: false }]
  return partsOf(node).flatMap(([part, divides]) => valueColumns(part).map((each) => (divides ? { ...each, divides } : each)))
}

function partsOf(node: Node): (readonly [part: Node, divides: boolean])[] {
  const operator = bodyOf(node, 'A_Expr')
  if (operator) {
    const symbol = wordsOf(operator.name)[0] ?? ''
    if (operator.kind === 'AEXPR_NULLIF') return plain([operator.lexpr])
    if (operator.kind !== 'AEXPR_OP' || !ARITHMETIC.has(symbol)) return []
    return [...plain([operator.lexpr]), [operator.rexpr, symbol === '/' || symbol === '%']]
  }
  const cases = bodyOf(node, 'CaseExpr')
  if (cases) return plain([...(cases.args ?? []).map((each) => bodyOf(each, 'CaseWhen')?.result), cases.defresult])
  const call = bodyOf(node, 'FuncCall')
  if (call) return plain(call.args ?? [])
  const cast = bodyOf(node, 'TypeCast') ?? bodyOf(node, 'CollateClause')
  if (cast) return plain([cast.arg])
  return plain((bodyOf(node, 'CoalesceExpr') ?? bodyOf(node, 'MinMaxExpr'))?.args ?? [])
}

const plain = (nodes: readonly (Node | undefined)[]): (readonly [part: Node, divides: boolean])[] =>
  nodes.flatMap((node) => (node ? [[node, false] as const] : []))
