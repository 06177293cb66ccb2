/**
 * A model joined with a subquery that may have no row for it, as tools write it to combine all but the largest groups: the model is queried
 * by the columns that the statement reads, and its measures are summed in the outer statement.
 */
import type { NamedModel } from '@grainline/core/language'
import { isLinear } from '../additive.js'
import {
  bodyOf,
  type ColumnRef,
  columnNode,
  everyOf,
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
import { isAbout, isAggregate, type ModelRelation, modelRelation, placeIn, readsOf } from '../model-relation.js'
import { unsupported } from '../refusal.js'
import { conjunctsOf } from '../select/conditions.js'
import { nameOf } from '../targets.js'
import type { Scope } from './scope.js'
import { keyedJoin } from './semi-join.js'
import { withConditions } from './sole-relation.js'
import type { StatementWriter } from './writer.js'

/** The same SELECT from subqueries; `undefined` for any other. Throws for non-additive measures. */
export function lookupJoin<M extends NamedModel>(
  stmt: SelectStmt,
  writer: StatementWriter<M>,
  scope: Scope,
): SelectStmt | undefined {
  const join = keyedJoin(stmt, writer, scope)
  if (join?.type !== 'JOIN_LEFT' || nodesIn(stmt.targetList).some((node) => 'A_Star' in node || 'SubLink' in node))
    return undefined
  const { model, subquery, named, called, alias, subColumn } = join
  const relation = modelRelation(named.model, called, writer)
  const fields = new Fields(relation, called)
  const isOfModel = (node: Node): boolean => {
    const columns = nodesIn(node).filter((each) => 'ColumnRef' in each)
    return columns.length > 0 && columns.every((each) => subColumn(each) === undefined) && !isAbout(node, relation)
  }
  const change = (node: Node): Node | undefined => {
    const name = subColumn(node)
    if (name !== undefined) return columnNode(alias, name)
    return fields.measure(node) ?? (isOfModel(node) ? fields.dimension(node) : undefined)
  }
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
  const where = conditions.filter(isOfModel)
  const outside = conditions.filter((node) => !isOfModel(node))
  const { whereClause: _where, ...rest } = stmt
  const shown: SelectStmt = {
    ...rest,
    targetList: (stmt.targetList ?? []).map((each) => {
      const target = theBody(each, 'ResTarget')
      return { ResTarget: { ...target, name: target.name ?? nameOf(target.val, relation), val: replaced(target.val) } }
    }),
    ...(outside.length > 0 && { whereClause: everyOf(replaced(outside)) }),
    ...(stmt.groupClause && { groupClause: stmt.groupClause.map((node) => (isField(node) ? replaced(node) : node)) }),
    ...(stmt.havingClause && { havingClause: replaced(stmt.havingClause) }),
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
  return { ...shown, fromClause: [{ JoinExpr: { jointype: 'JOIN_LEFT', larg, rarg: subquery, quals } }] }
}

/** The fields that the query selects from the model. */
class Fields {
  readonly #known = new Map<string, Node>()

  constructor(
    private readonly relation: ModelRelation,
    private readonly called: string,
  ) {}

  get targets(): Node[] {
    return [...this.#known.values()].map((val, i) => ({ ResTarget: { name: `f${i + 1}`, val } }))
  }

  dimension(node: Node): Node {
    return this.#column(JSON.stringify(withoutPlaces(node)), node)
  }

  /** The sum of a measure's groups; `undefined` for other expressions. */
  measure(node: Node): Node | undefined {
    const call = bodyOf(node, 'FuncCall')
    const [column, aggregate] = [bodyOf(node, 'ColumnRef'), call && !call.over && isAggregate(call, this.relation)]
    const name = call ? this.relation.measure(call) : column && this.#bare(column)
    if (name === undefined && !aggregate) return undefined
    const at = placeIn(this.relation, node)
    if (name === undefined || !isLinear(name.text, this.relation.named.model)) {
      const what = name ?? readsOf(node, this.relation)[0]
      return unsupported(
        'JOIN',
        `'${what?.text ?? '*'}' does not add up here, so groups that a join puts together have no value of it`,
        {
          at,
          rewrite: 'JOIN for LEFT JOIN (a chart without a group of all the others), or a measure that adds up',
        },
      )
    }
    const asked: Node = { FuncCall: { funcname: wordNodes('measure'), args: [columnNode(name.text)] } }
    return { FuncCall: { funcname: wordNodes('sum'), args: [this.#column(name.text, asked)] } }
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
