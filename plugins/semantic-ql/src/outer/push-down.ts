/** Conditions and limits over one subquery of a model, moved into its query: conditions on finished rows are its `having`. */
import type { FilterJson, NamedModel } from '@grainline/core/language'
import { attempt } from '../attempt.js'
import { readExpression } from '../expression.js'
import { bodyOf, type ColumnRef, everyOf, functionName, nodesIn, type SelectStmt, wordsOf } from '../grammar/node.js'
import { quoted } from '../grammar/quoted.js'
import { modelRelation } from '../model-relation.js'
import { type ExpressionReader, type NameLeaf, typeOfExpr } from '../reader.js'
import { refuse } from '../refusal.js'
import { conjunctsOf, filterOf } from '../select/conditions.js'
import { boundOf } from '../select/limit.js'
import { type ModelSelect, readModelSelect } from '../select/model-select.js'
import type { SelectItem } from '../select/select-items.js'
import { asRows } from './as-rows.js'
import { modelText } from './model-text.js'
import { pruned } from './pruned.js'
import type { Scope } from './scope.js'
import { soleRelation, withConditions } from './sole-relation.js'
import type { StatementWriter } from './writer.js'

/** The subquery with the moved conditions, and the SELECT without; `undefined` if the SELECT has another form. */
export function pushedDown<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  scope: Scope,
): { readonly stmt: SelectStmt; readonly relation: string } | undefined {
  const subquery = stmt.fromClause?.length === 1 ? bodyOf(stmt.fromClause[0], 'RangeSubselect') : undefined
  const inner = bodyOf(subquery?.subquery, 'SelectStmt')
  if (!inner || inner.withClause || subquery?.lateral || subquery?.alias?.colnames) return undefined
  const sole = soleRelation(inner, writer.models, scope.made, writer)
  const asked = sole && pruned(inner, stmt, subquery?.alias?.aliasname, modelRelation(sole.model, sole.alias, writer))
  const grouped = asked && readModelSelect({ written: withConditions(asked, sole), named: sole.model, alias: sole.alias }, writer)
  const select = grouped && asRows(grouped, asked)
  if (!select || select.rest || select.query.limit !== undefined || select.query.offset !== undefined) return undefined
  const alias = subquery?.alias?.aliasname
  const reader = ofSubquery(select, alias, writer)
  const filters: FilterJson[] = []
  const kept = conjunctsOf(stmt.whereClause).filter((node) => {
    const filter = attempt(() => filterOf(node, reader))
    if (filter) filters.push(filter)
    return filter === undefined
  })
  const rest: SelectStmt = { ...stmt }
  delete rest.whereClause
  if (kept.length > 0) rest.whereClause = everyOf(kept)
  const place = select.query.select.fields || select.everyRowOf ? 'where' : 'having'
  const limit = kept.length === 0 && readsRowByRow(stmt, writer) ? boundOf(stmt.limitCount, 'LIMIT', writer) : undefined
  const query = {
    ...select.query,
    ...(filters.length > 0 && { [place]: [...(select.query[place] ?? []), ...filters] }),
    ...(limit !== undefined && { limit }),
  }
  const preview = limit !== undefined && filters.length === 0 && select.preview ? { ...select.preview, limit } : undefined
  const text = `(${modelText({ ...select, preview }, writer, { ...scope, spelled: () => undefined }, query)})`
  return { stmt: rest, relation: alias === undefined ? text : `${text} AS ${quoted(alias)}` }
}

/** Names are the columns of the subquery. */
function ofSubquery<M extends NamedModel>(
  select: ModelSelect<M>,
  alias: string | undefined,
  writer: StatementWriter<M>,
): ExpressionReader {
  const types = new Map<SelectItem, NameLeaf>()
  const leafOf = (item: SelectItem): NameLeaf => {
    const known = types.get(item)
    if (known) return known
    const type = typeOfExpr(readExpression(item.node, select.relation), writer)
    const role = select.query.select.fields ? 'column' : 'dimension'
    const leaf: NameLeaf = { kind: 'name', text: item.column ?? '', role, type, isDeclared: true }
    types.set(item, leaf)
    return leaf
  }
  const name = (column: ColumnRef): NameLeaf => {
    const words = wordsOf(column.fields)
    const own = words.length === 1 || (words.length === 2 && words[0] === alias)
    const items = select.items.filter((item) => own && item.name === words.at(-1))
    const [item, ...others] = items
    return item && others.length === 0
      ? leafOf(item)
      : refuse('UNKNOWN_SELECT_ITEM', `'${words.join('.')}' is not a column of the subquery`)
  }
  const { zone, clock, grains } = select.relation
  return { ...writer, zone, clock, grains, name, bucket: () => undefined, measure: () => undefined, carries: () => true }
}

/** True if each row of the answer is one row of the subquery, so that any of its rows can be used. */
function readsRowByRow(
  { groupClause, havingClause, distinctClause, sortClause, limitOffset, targetList }: SelectStmt,
  { evaluator }: StatementWriter,
): boolean {
  if (groupClause || havingClause || distinctClause || sortClause || limitOffset) return false
  for (const each of nodesIn(targetList)) {
    const call = bodyOf(each, 'FuncCall')
    if (call && (call.over || evaluator.functions[functionName(call.funcname)]?.kind !== 'scalar')) return false
  }
  return true
}
