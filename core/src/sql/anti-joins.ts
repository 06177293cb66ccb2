import { allOf } from '../resolve/expressions.js'
import { mapSelects } from './map-selects.js'
import type { From, Select, SqlLeaf, Statement } from './statement.js'

/**
 * The statement with anti joins in place of tests that a table has no row. Both keep the rows for which the condition is true of no row of the table. Engines that plan
 * `NOT EXISTS` as a join with the distinct links of all rows plan an anti join as one.
 */
export const antiJoins = (statement: Statement): Statement => mapSelects(statement, withAntiJoins)

function withAntiJoins(select: Select): Select {
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
