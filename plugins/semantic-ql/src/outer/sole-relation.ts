import type { ModelScope, NamedModel } from '@grainline/core/language'
import { bodyOf, locationOf, type Node, nodesIn, type SelectStmt, wordsOf } from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { modelOf, onlyModel } from '../model-scope.js'
import type { StatementContext } from '../reader.js'

export interface SoleRelation<M extends NamedModel> {
  readonly model: M
  readonly alias: string | undefined
  /** Conditions of its own, which come before those of the outer statement. */
  readonly where?: Node | undefined
}

/** The model of a SELECT that reads nothing else; `undefined` for any other SELECT. `made`: the names of WITH, which have precedence. */
export function soleRelation<M extends NamedModel>(
  stmt: SelectStmt,
  scope: ModelScope<M>,
  made: ReadonlySet<string>,
  context: StatementContext,
): SoleRelation<M> | undefined {
  const { fromClause = [], op, valuesLists } = stmt
  const [from, ...others] = fromClause
  if ((op !== undefined && op !== 'SETOP_NONE') || valuesLists || others.length > 0) return undefined
  if (from) return relationOf(from, scope, made)
  const read = (stmt.targetList ?? []).find((each) => readsFields(each))
  return read && { model: onlyModel(scope, context.sql.place(locationOf(read))), alias: undefined }
}

/** The SELECT with the conditions of its relation added to its own. */
export const withConditions = (stmt: SelectStmt, { where }: Pick<SoleRelation<NamedModel>, 'where'>): SelectStmt =>
  where === undefined
    ? stmt
    : { ...stmt, whereClause: stmt.whereClause ? { BoolExpr: { boolop: 'AND_EXPR', args: [where, stmt.whereClause] } } : where }

/** A model by name, or `(SELECT * FROM model WHERE …) AS alias`, which is the model with conditions. */
export function relationOf<M extends NamedModel>(
  node: Node,
  scope: ModelScope<M>,
  made: ReadonlySet<string>,
): SoleRelation<M> | undefined {
  const relation = bodyOf(node, 'RangeVar')
  if (relation) {
    if (relation.schemaname === undefined && made.has(relation.relname ?? '')) return undefined
    const model = relation.alias?.colnames ? undefined : modelOf(relation, scope)
    return model && { model, alias: relation.alias?.aliasname }
  }
  const subquery = bodyOf(node, 'RangeSubselect')
  const inner = bodyOf(subquery?.subquery, 'SelectStmt')
  const [from] = inner && isEverything(inner) ? (inner.fromClause ?? []) : []
  const within = from && relationOf(from, scope, made)
  if (!within || subquery?.alias?.colnames || subquery?.lateral) return undefined
  const own = inner?.whereClause && unqualified(inner.whereClause, within)
  const where = withConditions({ ...(own && { whereClause: own }) }, within).whereClause
  return { model: within.model, alias: subquery?.alias?.aliasname, ...(where && { where }) }
}

/** A condition without the name of its own relation, which is unknown outside. */
function unqualified(node: Node, { model, alias }: SoleRelation<NamedModel>): Node {
  const names = new Set((alias === undefined ? model.names : [alias]).map((name) => name.toLowerCase()))
  return rewritten(node, (each) => {
    const column = bodyOf(each, 'ColumnRef')
    const own = wordsOf(column?.fields?.slice(0, -1)).findLastIndex((word) => names.has(word.toLowerCase())) + 1
    return column?.fields && own > 0 ? { ColumnRef: { ...column, fields: column.fields.slice(own) } } : undefined
  })
}

/** `SELECT * FROM one_relation WHERE …` and nothing else. */
function isEverything(stmt: SelectStmt): boolean {
  const { targetList = [], fromClause = [], op, limitOption, whereClause, ...others } = stmt
  const star = bodyOf(bodyOf(targetList[0], 'ResTarget')?.val, 'ColumnRef')?.fields ?? []
  const isStar = targetList.length === 1 && star.length === 1 && star.every((field) => 'A_Star' in field)
  return (
    isStar &&
    fromClause.length === 1 &&
    !(whereClause && nodesIn(whereClause).some((node) => 'SubLink' in node)) &&
    op === 'SETOP_NONE' &&
    limitOption === 'LIMIT_OPTION_DEFAULT' &&
    Object.keys(others).length === 0
  )
}

export function readsFields(node: unknown): boolean {
  for (const each of nodesIn(node)) if ('ColumnRef' in each) return true
  return false
}
