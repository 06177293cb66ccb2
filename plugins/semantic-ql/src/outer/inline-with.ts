/** `WITH t AS (SELECT … FROM one relation)`: the subquery replaces `t` wherever it is read, so that it is handled like a subquery. */
import { bodyOf, type Node, nodesIn, type SelectStmt, theBody } from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'

export function withoutSimpleWith(stmt: SelectStmt): SelectStmt {
  const { withClause, ...rest } = stmt
  if (!withClause || withClause.recursive) return stmt
  const known = new Map<string, SelectStmt>()
  const kept: Node[] = []
  for (const each of withClause.ctes ?? []) {
    const cte = theBody(each, 'CommonTableExpr')
    const written = bodyOf(cte.ctequery, 'SelectStmt')
    const query = written && inlined(written, known)
    if (query && cte.ctename !== undefined && !cte.aliascolnames && isSimple(query)) known.set(cte.ctename, query)
    else kept.push(query ? { CommonTableExpr: { ...cte, ctequery: { SelectStmt: query } } } : each)
  }
  const body = inlined(rest, known)
  return kept.length === 0 ? body : { ...body, withClause: { ...withClause, ctes: kept } }
}

/** Reads one relation, so that writing it at each place cannot make the statement grow exponentially. */
const isSimple = ({ fromClause = [], op, withClause, valuesLists }: SelectStmt): boolean =>
  fromClause.length === 1 &&
  (op === undefined || op === 'SETOP_NONE') &&
  !withClause &&
  !valuesLists &&
  nodesIn(fromClause).filter((node) => 'RangeVar' in node).length === 1

function inlined(stmt: SelectStmt, known: ReadonlyMap<string, SelectStmt>): SelectStmt {
  if (known.size === 0) return stmt
  const change = (node: Node): Node | undefined => {
    const inner = bodyOf(node, 'SelectStmt')
    // Its own WITH may use the same names with another meaning.
    if (inner?.withClause) return node
    const relation = bodyOf(node, 'RangeVar')
    const { schemaname, relname = '', alias = { aliasname: relname } } = relation ?? {}
    const query = relation && schemaname === undefined ? known.get(relname) : undefined
    if (!query) return undefined
    return { RangeSubselect: { subquery: { SelectStmt: query }, alias } }
  }
  return rewritten(stmt, change)
}
