import { type ModelScope, modelOf, type NamedModel, onlyModel } from '../model-scope.js'
import { bodyOf, locationOf, type Node, nodesIn, type SelectStmt } from '../node.js'
import type { StatementContext } from '../reader.js'

export interface SoleRelation<M extends NamedModel> {
  readonly model: M
  readonly alias: string | undefined
}

/** The model of a SELECT that reads nothing else; `undefined` for any other SELECT. `made`: the names of WITH, which come first. */
export function soleRelation<M extends NamedModel>(
  stmt: SelectStmt,
  scope: ModelScope<M>,
  made: ReadonlySet<string>,
  context: StatementContext,
): SoleRelation<M> | undefined {
  const { fromClause = [], op, valuesLists } = stmt
  if ((op !== undefined && op !== 'SETOP_NONE') || valuesLists || fromClause.length > 1) return undefined
  if (fromClause.length === 1) return relationOf(fromClause[0]!, scope, made)
  const read = (stmt.targetList ?? []).find((each) => readsFields(each))
  return read && { model: onlyModel(scope, context.sql.place(locationOf(read))), alias: undefined }
}

/** A model by name, or `(SELECT * FROM model) AS alias`, which is the model again. */
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
  const model = inner && isEverything(inner) ? relationOf(inner.fromClause![0]!, scope, made)?.model : undefined
  return model && !subquery?.alias?.colnames && !subquery?.lateral ? { model, alias: subquery?.alias?.aliasname } : undefined
}

/** `SELECT * FROM one_relation`, and no word more. */
function isEverything(stmt: SelectStmt): boolean {
  const { targetList = [], fromClause = [], op, limitOption, ...others } = stmt
  const star = bodyOf(bodyOf(targetList[0], 'ResTarget')?.val, 'ColumnRef')?.fields ?? []
  const isStar = targetList.length === 1 && star.length === 1 && 'A_Star' in star[0]!
  return (
    isStar &&
    fromClause.length === 1 &&
    op === 'SETOP_NONE' &&
    limitOption === 'LIMIT_OPTION_DEFAULT' &&
    Object.keys(others).length === 0
  )
}

export function readsFields(node: unknown): boolean {
  for (const each of nodesIn(node)) if ('ColumnRef' in each) return true
  return false
}
