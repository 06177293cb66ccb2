/** `WITH t AS (SELECT … FROM one relation)`: the subquery itself wherever `t` is read, so that it is understood as one. */
import { bodyOf, type Node, nodesIn, type SelectStmt } from '../node.js'
import { rewritten } from '../rewrite.js'

export function withoutSimpleWith(stmt: SelectStmt): SelectStmt {
  const { withClause, ...rest } = stmt
  if (!withClause || withClause.recursive) return stmt
  const known = new Map<string, SelectStmt>()
  const kept: Node[] = []
  for (const each of withClause.ctes ?? []) {
    const cte = bodyOf(each, 'CommonTableExpr')!
    const query = inlined(bodyOf(cte.ctequery, 'SelectStmt'), known)
    if (query && cte.ctename !== undefined && !cte.aliascolnames && isSimple(query)) known.set(cte.ctename, query)
    else kept.push(query ? { CommonTableExpr: { ...cte, ctequery: { SelectStmt: query } } } : each)
  }
  const body = inlined(rest as SelectStmt, known)!
  return kept.length === 0 ? body : { ...body, withClause: { ...withClause, ctes: kept } }
}

/** Reads one relation, so that writing it out at each place cannot make the statement grow by powers. */
const isSimple = ({ fromClause = [], op, withClause, valuesLists }: SelectStmt): boolean =>
  fromClause.length === 1 &&
  (op === undefined || op === 'SETOP_NONE') &&
  !withClause &&
  !valuesLists &&
  nodesIn(fromClause).filter((node) => 'RangeVar' in node).length === 1

function inlined(stmt: SelectStmt | undefined, known: ReadonlyMap<string, SelectStmt>): SelectStmt | undefined {
  if (!stmt || known.size === 0) return stmt
  const change = (node: Node): Node | undefined => {
    const inner = bodyOf(node, 'SelectStmt')
    // Its own WITH may use the same names for something else.
    if (inner?.withClause) return node
    const relation = bodyOf(node, 'RangeVar')
    const query = relation && relation.schemaname === undefined ? known.get(relation.relname ?? '') : undefined
    if (!query) return undefined
    const alias = relation!.alias ?? { aliasname: relation!.relname! }
    return { RangeSubselect: { subquery: { SelectStmt: query }, alias } }
  }
  return rewritten(stmt, change)
}
