import { bodyOf, nodesIn, notASubquery, type SelectStmt } from '../node.js'

/** True where the SELECT itself, and no subquery of it, has a window function. */
export function isWindowed({ targetList, sortClause, windowClause }: SelectStmt): boolean {
  return (
    windowClause !== undefined || nodesIn([targetList, sortClause], notASubquery).some((node) => bodyOf(node, 'FuncCall')?.over)
  )
}
