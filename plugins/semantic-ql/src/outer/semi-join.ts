/** A model joined with the keys of a subquery, as tools write a top ten: the subquery chooses the groups. */

import type { NamedModel } from '@grainline/core/language'
import {
  type A_Expr,
  bodyOf,
  type JoinExpr,
  type Node,
  nodesIn,
  type SelectStmt,
  theBody,
  wordNodes,
  wordsOf,
} from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { modelRelation } from '../model-relation.js'
import { conjunctsOf } from '../select/conditions.js'
import { readModelSelect } from '../select/model-select.js'
import type { Scope } from './scope.js'
import { relationOf, type SoleRelation, soleRelation, withConditions } from './sole-relation.js'
import type { StatementWriter } from './writer.js'

export interface SemiJoin<M extends NamedModel> {
  readonly model: SoleRelation<M>
  /** The SELECT from the model alone, for the groups of the subquery. */
  readonly stmt: SelectStmt
  /** The columns of the model that are compared with the subquery. */
  readonly compared: readonly Node[]
}

/** The same SELECT with EXISTS instead of the join; `undefined` if rows could be repeated, or the subquery is also read elsewhere. */
export function semiJoin<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  scope: Scope,
): SemiJoin<M> | undefined {
  const join = keyedJoin(stmt, writer, scope)
  if (join?.type !== 'JOIN_INNER') return undefined
  const { model, subquery, named, called, alias, subColumn } = join
  const { fromClause: _from, ...others } = stmt
  const isRead = nodesIn(others).some((node) => 'A_Star' in node || ('ColumnRef' in node && subColumn(node) !== undefined))
  if (isRead) return undefined
  const equal = qualified(join.quals, (node) => {
    const name = subColumn(node)
    return name === undefined ? [called, ...wordsOf(theBody(node, 'ColumnRef').fields).slice(-1)] : [alias, name]
  })
  const exists: Node = { SubLink: { subLinkType: 'EXISTS_SUBLINK', subselect: { SelectStmt: existing(subquery, equal) } } }
  const args = [...(stmt.whereClause ? [stmt.whereClause] : []), exists]
  const whereClause: Node = { BoolExpr: { boolop: 'AND_EXPR', args } }
  const compared = nodesIn(equal).filter((node) => wordsOf(bodyOf(node, 'ColumnRef')?.fields)[0] === called)
  return {
    model: { ...named, alias: called },
    stmt: withConditions({ ...others, fromClause: [model], whereClause }, named),
    compared,
  }
}

/** A model joined with a subquery that has at most one matching row. */
export interface KeyedJoin<M extends NamedModel> {
  readonly type: JoinExpr['jointype']
  readonly model: Node
  readonly subquery: Node
  readonly quals: Node
  readonly named: SoleRelation<M>
  /** The alias of the model. */
  readonly called: string
  /** The alias of the subquery. */
  readonly alias: string
  /** The name of the subquery's column; `undefined` for a column of the model. */
  readonly subColumn: (node: Node) => string | undefined
}

export function keyedJoin<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  scope: Scope,
): KeyedJoin<M> | undefined {
  const join = stmt.fromClause?.length === 1 ? bodyOf(stmt.fromClause[0], 'JoinExpr') : undefined
  if (!join?.quals || join.alias) return undefined
  const [model, subquery] = [join.larg, join.rarg]
  const named = relationOf(model, writer.models, scope.made)
  const inner = bodyOf(bodyOf(subquery, 'RangeSubselect')?.subquery, 'SelectStmt')
  const alias = bodyOf(subquery, 'RangeSubselect')?.alias?.aliasname
  const keys = inner && keysOf(inner, writer, scope)
  if (!named || !keys || alias === undefined) return undefined
  const called = named.alias ?? bodyOf(model, 'RangeVar')?.relname ?? ''
  const { has } = modelRelation(named.model, called, writer)
  const subColumn = (node: Node): string | undefined => {
    const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
    const name = words.at(-1) ?? ''
    if (words.length > 1) return words.length === 2 && words[0] === alias ? name : undefined
    return keys.columns.has(name) && !has(theBody(node, 'ColumnRef')) ? name : undefined
  }
  const tested = new Set(conjunctsOf(join.quals).flatMap((each) => equalTo(each, subColumn)))
  if (![...keys.unique].every((key) => tested.has(key))) return undefined
  return { type: join.jointype, model, subquery, quals: join.quals, named, called, alias, subColumn }
}

/** The names of the columns of a subquery, and those that identify its rows. */
function keysOf<M extends NamedModel>(inner: SelectStmt, writer: StatementWriter<M>, scope: Scope) {
  const sole = inner.withClause ? undefined : soleRelation(inner, writer.models, scope.made, writer)
  if (!sole) return undefined
  const { items, query, columns } = readModelSelect(
    { written: withConditions(inner, sole), named: sole.model, alias: sole.alias },
    writer,
  )
  if (query.grouping || query.select.fields) return undefined
  const measures = new Set(query.select.measures)
  const dimensions = columns.filter((column) => !measures.has(column))
  const nameOf = (column: string) => items.find((item) => item.column === column)?.name
  const unique = dimensions.flatMap((column) => nameOf(column) ?? [])
  if (unique.length < dimensions.length) return undefined
  return { columns: new Set(items.map((item) => item.name)), unique: new Set(unique) }
}

/** The column of the subquery in an equality. */
function equalTo(node: Node, subColumn: (node: Node) => string | undefined): string[] {
  const logic = bodyOf(node, 'BoolExpr')
  // `a = b OR (a IS NULL AND b IS NULL)`
  const [equal, orNull, ...more] = logic?.boolop === 'OR_EXPR' ? (logic.args ?? []) : []
  if (equal && orNull && more.length === 0 && bothNull(orNull)) return equalTo(equal, subColumn)
  const test = bodyOf(node, 'A_Expr')
  if (!test || !isEquality(test)) return []
  return [test.lexpr, test.rexpr].flatMap((side) => (side && 'ColumnRef' in side ? (subColumn(side) ?? []) : []))
}

const isEquality = ({ kind, name }: A_Expr): boolean =>
  (kind === 'AEXPR_OP' && wordsOf(name)[0] === '=') || kind === 'AEXPR_NOT_DISTINCT'

const bothNull = (node: Node): boolean =>
  conjunctsOf(node).every((each) => bodyOf(each, 'NullTest')?.nulltesttype === 'IS_NULL') && conjunctsOf(node).length === 2

/** The condition with every column under its full name. */
function qualified(node: Node, nameOf: (node: Node) => readonly string[]): Node {
  return rewritten(node, (each) => {
    const column = bodyOf(each, 'ColumnRef')
    return column && { ColumnRef: { ...column, fields: wordNodes(...nameOf(each)) } }
  })
}

const existing = (subquery: Node, whereClause: Node): SelectStmt => ({
  targetList: [{ ResTarget: { val: { A_Const: { ival: { ival: 1 } } } } }],
  fromClause: [subquery],
  whereClause,
  op: 'SETOP_NONE',
  limitOption: 'LIMIT_OPTION_DEFAULT',
})
