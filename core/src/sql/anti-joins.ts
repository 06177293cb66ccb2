import { allOf } from '../resolve/expressions.js'
import type { From, Query, Select, SqlLeaf, Statement } from './statement.js'

/**
 * The statement with anti joins in place of tests that a table has no row. Both keep the rows for which the condition is true of no row of the table. Engines that plan
 * `NOT EXISTS` as a join with the distinct links of all rows plan an anti join as one.
 */
export function antiJoins(statement: Statement): Statement {
  const ctes = statement.ctes.map((table) => ({ ...table, query: inQuery(table.query) }))
  return { ...statement, ctes, body: inQuery(statement.body) }
}

const inQuery = (query: Query): Query =>
  query.kind === 'select' ? inSelect(query) : { ...query, parts: query.parts.map(inSelect) }

function inSelect(given: Select): Select {
  const select = { ...given, from: inFrom(given.from) }
  const { found = [] } = select
  const lacking = found.filter(({ negated, query }) => negated && isOfOneTable(query))
  if (lacking.length === 0) return select
  const from = lacking.reduce<From>(
    (left, { query }) => ({ kind: 'join', type: 'anti', left, right: query.from, on: allOf<SqlLeaf>(query.where) }),
    select.from,
  )
  return { ...select, from, found: found.filter((one) => !lacking.includes(one)) }
}

/** Whether the test reads nothing but the rows of one table, and its own row. */
const isOfOneTable = ({ from, where, among = [], found = [] }: Select): boolean =>
  (from.kind === 'table' || from.kind === 'cte') && where.length > 0 && among.length + found.length === 0

function inFrom(from: From): From {
  if (from.kind === 'join') return { ...from, left: inFrom(from.left), right: inFrom(from.right) }
  return from.kind === 'subquery' ? { ...from, query: inQuery(from.query) } : from
}
