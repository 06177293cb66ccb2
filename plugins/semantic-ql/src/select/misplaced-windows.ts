import { bodyOf, functionName, type Node, nodesIn, notASubquery, theBody } from '../grammar/node.js'
import type { StatementContext } from '../reader.js'
import { unsupported } from '../refusal.js'

/** Throws for a misplaced window function: its rows are those after WHERE, GROUP BY and HAVING. */
export function refuseMisplacedWindows(statement: Node, { sql }: StatementContext): void {
  const refuse = (node: Node, clause: string, rule: string, use: string): never => {
    const call = theBody(node, 'FuncCall')
    const name = functionName(call.funcname)
    return unsupported(clause, `${rule}, and ${name.toUpperCase()}(…) OVER is one`, {
      at: sql.place(call.location),
      rewrite: `a subselect that shows it, as in ${use.replaceAll('w()', `${name}(…)`)}`,
    })
  }
  for (const node of nodesIn(statement)) {
    const select = bodyOf(node, 'SelectStmt')
    const clauses = { WHERE: select?.whereClause, 'GROUP BY': select?.groupClause, HAVING: select?.havingClause }
    for (const [clause, part] of Object.entries(clauses)) {
      const found = windowIn(part)
      if (found) refuse(found, clause, `${clause} comes before window functions`, OUTSIDE)
    }
    const call = bodyOf(node, 'FuncCall')
    const inner = call?.over && windowIn([call.args, call.agg_filter, call.over])
    if (inner) refuse(inner, 'OVER', 'A window function cannot hold another', NESTED)
  }
}

const windowIn = (root: unknown): Node | undefined => nodesIn(root, notASubquery).find((node) => bodyOf(node, 'FuncCall')?.over)

const OUTSIDE = 'SELECT … FROM (SELECT …, w() OVER (…) AS n FROM …) AS t WHERE t.n <= 10'
const NESTED = 'SELECT …, sum(t.n) OVER (…) FROM (SELECT …, w() OVER (…) AS n FROM …) AS t'
