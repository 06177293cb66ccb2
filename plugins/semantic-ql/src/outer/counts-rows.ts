import { bodyOf, functionName, nodesIn, notASubquery, type SelectStmt } from '../grammar/node.js'
import type { Writer } from './writer.js'

/** True if the values of a SELECT depend on the number of duplicates of a row. */
export function countsRows(stmt: SelectStmt, { evaluator }: Writer): boolean {
  const parts = [stmt.targetList, stmt.havingClause, stmt.sortClause]
  return (
    isWindowed(stmt) ||
    nodesIn(parts, notASubquery).some((node) => {
      const call = bodyOf(node, 'FuncCall')
      const name = functionName(call?.funcname)
      return call && !call.agg_distinct && !OF_VALUES.has(name) && evaluator.functions[name]?.kind === 'aggregate'
    })
  )
}

/** Aggregates that ignore duplicates. */
export const OF_VALUES: ReadonlySet<string> = new Set([
  'min',
  'max',
  'any_value',
  'bool_and',
  'bool_or',
  'every',
  'approx_count_distinct',
])

/** True if the SELECT itself, and no subquery of it, has a window function. */
export function isWindowed({ targetList, sortClause, windowClause }: SelectStmt): boolean {
  return (
    windowClause !== undefined || nodesIn([targetList, sortClause], notASubquery).some((node) => bodyOf(node, 'FuncCall')?.over)
  )
}
