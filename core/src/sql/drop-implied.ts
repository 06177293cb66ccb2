import { isInner } from '../model/expression/ast.js'
import { includesSame } from '../same.js'
import { mapSelects } from './map-selects.js'
import type { From, Select, SqlExpr, SqlLeaf, Statement } from './statement.js'

/**
 * The statement without conditions that a column is not NULL where an inner join or another condition compares it: no comparison is true of
 * NULL. Such a condition asks for nothing, and engines take it into account when they order joins.
 */
export const dropImplied = (statement: Statement): Statement => mapSelects(statement, withoutImplied)

function withoutImplied(select: Select): Select {
  const asked = select.where.map(columnAsked)
  if (asked.every((column) => column === undefined)) return select
  const compared = [...select.where.flatMap(comparedBy), ...comparedIn(select.from)]
  const where = select.where.filter((_condition, n) => {
    const column = asked[n]
    return column === undefined || !includesSame(compared, column)
  })
  return { ...select, where }
}

/** The column of which a condition asks that it is not NULL. */
function columnAsked(condition: SqlExpr): SqlExpr | undefined {
  if (condition.kind !== 'unary' || condition.operator !== 'not' || condition.operand.kind !== 'is-null') return undefined
  const { operand } = condition.operand
  return operand.kind === 'column' ? operand : undefined
}

/** Columns that are not NULL in any row of these joins: those of the far side of an outer one may be. */
function comparedIn(from: From): readonly SqlExpr[] {
  if (from.kind !== 'join') return []
  const beside = from.type === 'inner' ? [...(from.on ? comparedBy(from.on) : []), ...comparedIn(from.right)] : []
  return [...beside, ...comparedIn(from.left)]
}

const COMPARISONS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Columns of which the condition is never true where they are NULL. */
function comparedBy(condition: SqlExpr): readonly SqlExpr[] {
  if (!isInner<SqlLeaf>(condition)) return []
  switch (condition.kind) {
    case 'binary':
      if (condition.operator === 'and') return [...comparedBy(condition.left), ...comparedBy(condition.right)]
      return COMPARISONS.has(condition.operator) ? [condition.left, condition.right].filter((e) => e.kind === 'column') : []
    case 'in':
    case 'like':
      return condition.operand.kind === 'column' ? [condition.operand] : []
    default:
      return []
  }
}
