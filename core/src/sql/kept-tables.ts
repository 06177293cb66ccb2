import type { From, Query, Statement } from './statement.js'
import { isRecursive, tablesRead } from './tables-read.js'

/**
 * The statement in which a common table expression that is read several times, and joins groups, is computed once. An engine that inlines it aggregates again for each
 * time that it is read. One that is itself an aggregation is computed once anyway.
 */
export function keptTables(statement: Statement): Statement {
  const { ctes, body } = statement
  const reads = [...ctes.flatMap(({ query }) => tablesRead(query)), ...tablesRead(body)]
  const isKept = (table: Statement['ctes'][number]): boolean =>
    reads.filter((read) => read === table.name).length > 1 && joinsGroups(table.query) && !isRecursive(table)
  return ctes.some(isKept)
    ? { ...statement, ctes: ctes.map((table) => (isKept(table) ? { ...table, isKept: true } : table)) }
    : statement
}

const joinsGroups = (query: Query): boolean => query.kind === 'select' && !isGrouped(query) && hasGroups(query.from)

const isGrouped = (query: Query): boolean => query.kind === 'select' && (query.groupBy.length > 0 || query.distinct)

function hasGroups(from: From): boolean {
  if (from.kind === 'join') return hasGroups(from.left) || hasGroups(from.right)
  return from.kind === 'subquery' && (isGrouped(from.query) || joinsGroups(from.query))
}
