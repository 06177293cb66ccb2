/**
 * A model joined with a subquery that has at most one row for each of its rows, as tools write it for the largest groups, for all others as
 * one, and for numbers of coarser groups: the model is queried by the columns that the statement reads, and its measures are added up in the
 * outer statement.
 */
import type { NamedModel } from '@grainline/core/language'
import {
  bodyOf,
  type ColumnRef,
  columnNode,
  everyOf,
  functionName,
  type Node,
  nodesIn,
  notASubquery,
  type SelectStmt,
  theBody,
  wordNodes,
  wordsOf,
} from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { withoutPlaces } from '../grammar/without-places.js'
import { factOf, rowCountOf } from '../main-fact.js'
import { isAbout, isAggregate, type ModelRelation, modelRelation, placeIn, readsOf, UNWRAPPING } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import { conjunctsOf } from '../select/conditions.js'
import { nameOf } from '../targets.js'
import { OF_VALUES } from './counts-rows.js'
import type { Scope } from './scope.js'
import { keyedJoin } from './semi-join.js'
import { withConditions } from './sole-relation.js'
import { type Together, togetherOf } from './together.js'
import type { StatementWriter } from './writer.js'

/** The same SELECT from subqueries; `undefined` for any other. Throws for measures that cannot be computed from those of smaller groups. */
export function lookupJoin<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  scope: Scope,
): SelectStmt | undefined {
  const join = keyedJoin(stmt, writer, scope)
  if (!join || nodesIn(stmt.targetList).some((node) => 'A_Star' in node || 'SubLink' in node)) return undefined
  const { model, subquery, named, called, alias, subColumn, type } = join
  const relation = modelRelation(named.model, called, writer)
  if (type === 'JOIN_INNER' && !isAggregated(stmt, relation)) return undefined
  const fields = new Fields(relation, called, subColumn)
  const isOfModel = (node: Node): boolean => {
    const columns = nodesIn(node).filter((each) => 'ColumnRef' in each)
    return columns.length > 0 && columns.every((each) => subColumn(each) === undefined) && !isAbout(node, relation)
  }
  const isOfMeasures = (node: Node): boolean => isOfModel(node) && readsOf(node, relation).some(({ role }) => role === 'measure')
  const change = (node: Node): Node | undefined => {
    const name = subColumn(node)
    if (name !== undefined) return columnNode(alias, name)
    return fields.measure(node, replaced) ?? (isOfModel(node) && !isOfMeasures(node) ? fields.dimension(node) : undefined)
  }
  const readsSubquery = (node: Node): boolean =>
    nodesIn(node).some((each) => 'ColumnRef' in each && subColumn(each) !== undefined)
  const nameIn = (node: Node): string => (readsSubquery(node) ? nameOf(node) : nameOf(node, relation))
  const replaced = <T>(root: T): T => rewritten(root, change, notASubquery)
  const isAlias = (node: Node): boolean => {
    const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
    return words.length === 1 && (stmt.targetList ?? []).some((each) => bodyOf(each, 'ResTarget')?.name === words[0])
  }
  const sorted = (each: Node): Node => {
    const sort = theBody(each, 'SortBy')
    return isAlias(sort.node) ? each : { SortBy: { ...sort, node: replaced(sort.node) } }
  }
  const isField = (node: Node): boolean => !isAlias(node) || relation.has(theBody(node, 'ColumnRef'))
  const conditions = conjunctsOf(stmt.whereClause)
  const where = conditions.filter((node) => isOfModel(node) && !isOfMeasures(node))
  // As in a SELECT from the model alone, such a condition is one of the groups of the statement, not of the smaller ones.
  const having = [...(stmt.havingClause ? [stmt.havingClause] : []), ...conditions.filter(isOfMeasures)]
  const outside = conditions.filter((node) => !isOfModel(node))
  const { whereClause: _where, ...rest } = stmt
  const shown: SelectStmt = {
    ...rest,
    targetList: (stmt.targetList ?? []).map((each) => {
      const target = theBody(each, 'ResTarget')
      return { ResTarget: { ...target, name: target.name ?? nameIn(target.val), val: replaced(target.val) } }
    }),
    ...(outside.length > 0 && { whereClause: everyOf(replaced(outside)) }),
    ...(stmt.groupClause && { groupClause: stmt.groupClause.map((node) => (isField(node) ? replaced(node) : node)) }),
    ...(having.length > 0 && { havingClause: replaced(everyOf(having)) }),
    ...(stmt.sortClause && { sortClause: stmt.sortClause.map(sorted) }),
  }
  const quals = replaced(join.quals)
  const own: SelectStmt = {
    ...withConditions({ ...(where.length > 0 && { whereClause: everyOf(where) }) }, named),
    targetList: fields.targets,
    fromClause: [model],
    op: 'SETOP_NONE',
  }
  const larg: Node = { RangeSubselect: { subquery: { SelectStmt: own }, alias: { aliasname: called } } }
  return { ...shown, fromClause: [{ JoinExpr: { jointype: type ?? 'JOIN_INNER', larg, rarg: subquery, quals } }] }
}

/** True for a SELECT of groups. Without GROUP BY, and with dimensions, each row of the join is a row of the answer. */
function isAggregated({ groupClause, targetList = [] }: SelectStmt, relation: ModelRelation): boolean {
  const isOfGroup = (node: Node): boolean => {
    const call = bodyOf(node, 'FuncCall')
    return call !== undefined && !call.over && (UNWRAPPING.has(functionName(call.funcname)) || isAggregate(call, relation))
  }
  return (
    groupClause !== undefined || targetList.every((each) => nodesIn(theBody(each, 'ResTarget').val, notASubquery).some(isOfGroup))
  )
}

/** The fields that the query selects from the model. */
class Fields {
  readonly #known = new Map<string, Node>()

  constructor(
    private readonly relation: ModelRelation,
    private readonly called: string,
    private readonly subColumn: (node: Node) => string | undefined,
  ) {}

  get targets(): Node[] {
    return [...this.#known.values()].map((val, i) => ({ ResTarget: { name: `f${i + 1}`, val } }))
  }

  dimension(node: Node): Node {
    return this.#column(JSON.stringify(withoutPlaces(node)), node)
  }

  /** An aggregate in terms of smaller groups; `undefined` for other expressions. */
  measure(node: Node, replaced: (node: Node) => Node): Node | undefined {
    const call = bodyOf(node, 'FuncCall')
    const column = bodyOf(node, 'ColumnRef')
    const isOfSubquery = nodesIn(call?.args).some((each) => 'ColumnRef' in each && this.subColumn(each) !== undefined)
    const leaf = call ? (isOfSubquery ? undefined : this.relation.measure(call)) : column && this.#bare(column)
    if (leaf) return this.#together(leaf.text) ?? this.#refuse(leaf.text, node)
    if (!call || call.over || !isAggregate(call, this.relation)) return undefined
    const [argument, ...more] = call.args ?? []
    const name = functionName(call.funcname)
    const reads = nodesIn(call.args).filter((each) => 'ColumnRef' in each && this.subColumn(each) === undefined)
    const ofDimensions = reads.flatMap((each) => readsOf(each, this.relation)).every(({ role }) => role === 'dimension')
    if (!argument || more.length > 0 || call.agg_filter || call.agg_order || !ofDimensions)
      return this.#refuse(readsOf(node, this.relation)[0]?.text ?? '*', node)
    if (OF_VALUES.has(name) || (name === 'count' && call.agg_distinct)) return undefined
    // A dimension of the model has no rows to add up; a column of the subquery has those of the model that it is joined to.
    const weighted = reads.length === 0 ? this.#weighted(name, replaced(argument)) : undefined
    return weighted ?? this.#refuse(readsOf(reads[0], this.relation)[0]?.text ?? name, node)
  }

  /** A measure of several groups together, from its values; `undefined` if those do not determine it. */
  #together(name: string): Node | undefined {
    const { model } = this.relation.named
    const expression = togetherOf(name, model)
    return expression && this.#written(expression)
  }

  #written(expression: Together): Node {
    switch (expression.kind) {
      case 'group':
        return called(expression.aggregate, this.#measureColumn(expression.measure))
      case 'number':
        return {
          TypeCast: { arg: { A_Const: { fval: { fval: String(expression.value) } } }, typeName: { names: wordNodes('float8') } },
        }
      case 'operation': {
        const [lexpr, rexpr] = expression.operands.map((each) => this.#written(each))
        return {
          A_Expr: {
            kind: 'AEXPR_OP',
            name: wordNodes(expression.operator),
            ...(lexpr && rexpr && { lexpr }),
            rexpr: rexpr ?? lexpr!,
          },
        }
      }
    }
  }

  #weighted(name: string, value: Node): Node | undefined {
    const count = rowCountOf(this.relation.named.model, factOf(this.relation.named, undefined))
    if (!count) return undefined
    const rows = this.#measureColumn(count.name)
    const there: Node = { NullTest: { arg: value, nulltesttype: 'IS_NOT_NULL' } }
    const rowsOfValues = called('sum', { CaseExpr: { args: [{ CaseWhen: { expr: there, result: rows } }] } })
    const sum = called('sum', { A_Expr: { kind: 'AEXPR_OP', name: wordNodes('*'), lexpr: value, rexpr: rows } })
    if (name === 'sum') return sum
    if (name === 'avg') return { A_Expr: { kind: 'AEXPR_OP', name: wordNodes('/'), lexpr: sum, rexpr: rowsOfValues } }
    const zero: Node = { A_Const: { ival: { ival: 0 } } }
    return name === 'count' ? { CoalesceExpr: { args: [rowsOfValues, zero] } } : undefined
  }

  #measureColumn(name: string): Node {
    return this.#column(name, called('measure', columnNode(name)))
  }

  #refuse(name: string, node: Node): never {
    return unsupported('JOIN', `'${name}' does not add up here, so groups that a join puts together have no value of it`, {
      at: placeIn(this.relation, node),
      rewrite:
        'the compared field into SELECT and GROUP BY, JOIN for LEFT JOIN (a chart without a group of all the others), or a measure that adds up',
    })
  }

  #bare(column: ColumnRef) {
    const leaf = this.relation.has(column) ? this.relation.name(column) : undefined
    return leaf?.role === 'measure' ? leaf : undefined
  }

  #column(key: string, node: Node): Node {
    if (!this.#known.has(key)) this.#known.set(key, node)
    return columnNode(this.called, `f${[...this.#known.keys()].indexOf(key) + 1}`)
  }
}

const called = (name: string, argument: Node): Node => ({ FuncCall: { funcname: wordNodes(name), args: [argument] } })
