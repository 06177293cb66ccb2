/** Subselects that only return dimensions: rows of the model, over which the outer statement is a SELECT from the model itself. */
import type { SemanticModel } from '@grainline/core'
import type { NamedModel } from '@grainline/core/language'
import { isLinear } from '../additive.js'
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
  wordsOf,
} from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { isAbout, isAggregate, type ModelRelation, modelRelation, readsOf, UNWRAPPING } from '../model-relation.js'
import { refuse } from '../refusal.js'
import { isDistinctOn } from '../select/distinct-on.js'
import { isMost } from '../select/preview.js'
import { nameOf } from '../targets.js'
import { isWindowed } from './counts-rows.js'
import { addsNoGroup } from './pruned.js'
import { soleRelation, withConditions } from './sole-relation.js'
import type { Reads } from './writer.js'

/** The SELECT from a bare projection as one from its model; the same SELECT if it has another form. */
export function merged<M extends NamedModel>(stmt: SelectStmt, reads: Reads<M>, made: ReadonlySet<string>): SelectStmt {
  const before = known.get(stmt)
  if (before?.reads === reads && before.made === made) return before.merged
  const found = mergedOnce(stmt, reads, made)
  known.set(stmt, { reads, made, merged: found })
  return found
}

/** Every enclosing SELECT needs the result for those within it: each is computed once. */
const known = new WeakMap<
  SelectStmt,
  { readonly reads: Reads<NamedModel>; readonly made: ReadonlySet<string>; readonly merged: SelectStmt }
>()

function mergedOnce<M extends NamedModel>(stmt: SelectStmt, reads: Reads<M>, made: ReadonlySet<string>): SelectStmt {
  const subquery = stmt.fromClause?.length === 1 ? bodyOf(stmt.fromClause?.[0], 'RangeSubselect') : undefined
  const written = bodyOf(subquery?.subquery, 'SelectStmt')
  if (!subquery || !written || subquery.lateral || subquery.alias?.colnames || written.withClause) return stmt
  const inner = merged(written, reads, made)
  const projection = projectionOf(inner, reads, made)
  const alias = subquery.alias?.aliasname
  // Window functions read single rows, which groups are not.
  const isMerged = projection && (projection.isWhole || (!isWindowed(stmt) && isOverMeasures(stmt, alias, projection)))
  const found = isMerged ? substituted(stmt, alias, inner, projection) : undefined
  return found ?? (inner === written ? stmt : over(stmt, inner))
}

function over(stmt: SelectStmt, inner: SelectStmt): SelectStmt {
  const subquery = bodyOf(stmt.fromClause?.[0], 'RangeSubselect')
  return { ...stmt, fromClause: [{ RangeSubselect: { ...subquery, subquery: { SelectStmt: inner } } }] }
}

/** The columns of a subselect of a model, as the outer statement names them. */
interface Projection {
  readonly columns: ReadonlyMap<string, Node>
  /** `SELECT *` with further expressions: all fields of the model are columns, too. */
  readonly isOpen: boolean
  /** All columns of the relation, by `*` or by their names: the relation itself. */
  readonly isWhole: boolean
  /** The subselect says by GROUP BY that its rows are groups. */
  readonly isGrouped: boolean
  /** The columns that are measures, by their names. */
  readonly measures: ReadonlyMap<string, string>
  readonly relation: ModelRelation
}

/** The columns of a bare projection, or of one that shows measures by their names; `undefined` for any other SELECT. */
function projectionOf<M extends NamedModel>(
  stmt: SelectStmt,
  reads: Reads<M>,
  made: ReadonlySet<string>,
): Projection | undefined {
  const { groupClause, ...ungrouped } = stmt
  const isGrouped = groupClause !== undefined
  if (!isPlain(ungrouped) || stmt.limitCount || stmt.limitOffset) return undefined
  if (groupClause?.some((key) => 'GroupingSet' in key)) return undefined
  const sole = soleRelation(stmt, reads.models, made, reads)
  const relation = sole && modelRelation(sole.model, sole.alias, reads)
  if (!relation) return undefined
  const { whereClause } = withConditions(stmt, sole)
  if (whereClause && !isOfDimensions(whereClause, relation)) return undefined
  const [stars, items] = parted(stmt.targetList ?? [], (each) => isStar(each, relation))
  const isOpen = stars.length > 0
  const columns = new Map<string, Node>()
  const measures = new Map<string, string>()
  for (const each of items) {
    const { name, val } = theBody(each, 'ResTarget')
    const measure = bareMeasure(val, relation)
    if (!isOfDimensions(val, relation) && (isAbout(val, relation) || !(isOpen || measure !== undefined))) return undefined
    const called = name ?? nameOf(val, relation)
    if (columns.has(called)) return undefined
    columns.set(called, measure === undefined ? val : columnNode(measure))
    if (measure !== undefined) measures.set(called, measure)
  }
  const isWhole = !isGrouped && (isOpen || isOfAll([...columns.values()], relation))
  return { columns, isOpen, isWhole, isGrouped, measures, relation }
}

/** Whether the columns are nearly all of the relation, as tools list them. */
function isOfAll(columns: readonly Node[], relation: ModelRelation): boolean {
  const known = relation.relationColumns.get(relation.named)
  const named = columns.flatMap((node) => ('ColumnRef' in node ? [relation.name(theBody(node, 'ColumnRef')).text] : []))
  return known !== undefined && isMost(new Set(named), known)
}

const isOfDimensions = (node: Node, relation: ModelRelation): boolean =>
  !nodesIn(node).some((each) => 'A_Star' in each) &&
  !isAbout(node, relation) &&
  readsOf(node, relation).every(({ role }) => role === 'dimension')

/** The measure that a column is. */
function bareMeasure(node: Node, relation: ModelRelation): string | undefined {
  if (!('ColumnRef' in node) && !('FuncCall' in node)) return undefined
  if (nodesIn(node).some((each) => 'A_Star' in each)) return undefined
  const [leaf, ...others] = readsOf(node, relation)
  return leaf?.role === 'measure' && others.length === 0 && !isAbout(node, relation) ? leaf.text : undefined
}

/** `*`, with the name of the relation or without. */
function isStar(target: Node, relation: ModelRelation): boolean {
  const fields = bodyOf(bodyOf(target, 'ResTarget')?.val, 'ColumnRef')?.fields ?? []
  if (!fields.some((field) => 'A_Star' in field)) return false
  return fields.length === 1 || relation.owns([...wordsOf(fields.slice(0, -1)), '*'])
}

const parted = <T>(items: readonly T[], test: (item: T) => boolean): readonly [readonly T[], readonly T[]] => [
  items.filter(test),
  items.filter((item) => !test(item)),
]

/**
 * Whether the outer SELECT only adds up measures of the subselect, or names them by MEASURE, which are those of the model over its own
 * groups: it then needs no finer groups.
 */
function isOverMeasures(stmt: SelectStmt, alias: string | undefined, { measures, relation, isGrouped }: Projection): boolean {
  if (measures.size === 0) return !isGrouped
  const { model } = relation.named
  const measureOf = (node: Node | undefined): string | undefined => {
    const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
    return words.length === 1 || words[0] === alias ? measures.get(words.at(-1) ?? '') : undefined
  }
  const inside = new Set<Node>()
  const read = new Set<string>()
  let isNamed = false
  for (const node of nodesIn({ ...stmt, fromClause: [] }, notASubquery)) {
    const call = bodyOf(node, 'FuncCall')
    const [argument, ...more] = call?.args ?? []
    const measure = more.length === 0 && !call?.over ? measureOf(argument) : undefined
    const name = functionName(call?.funcname)
    const isMeasure = UNWRAPPING.has(name)
    // A measure that the subselect does not show can only be the model's.
    if (isMeasure && measure === undefined) isNamed = true
    if (measure !== undefined && argument && (isMeasure || (name === 'sum' && !call?.agg_distinct && isSummed(measure, model)))) {
      inside.add(argument)
      read.add(measure)
      isNamed ||= isMeasure
    } else if (call?.over || (call && isAggregate(call, relation))) return false
    if (measureOf(node) !== undefined && !inside.has(node)) return false
  }
  const unread = [...measures.values()].filter((each) => !read.has(each))
  return isNamed || (read.size > 0 && addsNoGroup(unread, [...read], model))
}

/** SUM of a metric would be refused in the SELECT from the model. */
const isSummed = (name: string, model: SemanticModel): boolean => model.measures.has(name) && isLinear(name, model)

/** One SELECT of one relation, whose rows are not grouped. */
export const isPlain = (stmt: SelectStmt): boolean =>
  (stmt.op === undefined || stmt.op === 'SETOP_NONE') &&
  stmt.fromClause?.length === 1 &&
  !stmt.valuesLists &&
  !stmt.withClause &&
  !stmt.distinctClause &&
  !stmt.groupClause &&
  !stmt.havingClause &&
  !stmt.windowClause

const EVERYTHING: Node = { ResTarget: { val: { ColumnRef: { fields: [{ A_Star: {} }] } } } }

/** If an expression reads its subselect twice, its size doubles: a few dozen nested ones would fill any memory. */
const MOST_NODES = 5000

const refuseSize = (): never =>
  refuse('QUERY_TOO_LARGE', 'The expressions of the subselects have too many parts once they are written out', {
    rewrite: 'each column of a subselect fewer times in an expression',
  })

/** The outer SELECT with the expressions in place of their names; `undefined` if a name is not a column of the subselect. */
function substituted(
  stmt: SelectStmt,
  alias: string | undefined,
  inner: SelectStmt,
  { columns, isOpen, relation }: Projection,
): SelectStmt | undefined {
  let isKnown = true
  const columnOf = ({ fields = [] }: ColumnRef): Node | undefined => {
    const words = wordsOf(fields)
    const isOwn = words.length === 1 || (words.length === 2 && words[0] === alias)
    const name = words.at(-1) ?? ''
    return isOwn ? (columns.get(name) ?? (isOpen ? columnNode(name) : undefined)) : undefined
  }
  /** `MEASURE` may name a measure that the subselect does not show. */
  const measureOfModel = (node: Node): Node | undefined => {
    const call = bodyOf(node, 'FuncCall')
    const argument = bodyOf(call?.args?.[0], 'ColumnRef')
    if (!call || !argument || !UNWRAPPING.has(functionName(call.funcname)) || columnOf(argument)) return undefined
    const own: Node = { ColumnRef: { ...argument, fields: (argument.fields ?? []).slice(-1) } }
    return relation.has(theBody(own, 'ColumnRef')) ? { FuncCall: { ...call, args: [own] } } : undefined
  }
  const aliases = new Set((stmt.targetList ?? []).map((each) => bodyOf(each, 'ResTarget')?.name))
  const isAlias = (node: Node): boolean => {
    const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
    return words.length === 1 && aliases.has(words[0])
  }
  let nodes = 0
  const change = (node: Node): Node | undefined => {
    const column = bodyOf(node, 'ColumnRef')
    if (!column) return measureOfModel(node)
    const found = columnOf(column)
    isKnown &&= found !== undefined
    nodes += nodesIn(found).length
    if (nodes > MOST_NODES) refuseSize()
    return found ?? node
  }
  const replaced = <T>(root: T): T => rewritten(root, change, notASubquery)
  /** An alias of the SELECT list has the highest precedence in ORDER BY, and the lowest in GROUP BY. */
  const key = (node: Node): Node => {
    const sort = bodyOf(node, 'SortBy')
    if (sort) return isAlias(sort.node) ? node : { SortBy: { ...sort, node: replaced(sort.node) } }
    return isAlias(node) && !columnOf(theBody(node, 'ColumnRef')) ? node : replaced(node)
  }
  const targetList = (stmt.targetList ?? []).flatMap((each): Node[] => {
    const target = theBody(each, 'ResTarget')
    const fields = bodyOf(target.val, 'ColumnRef')?.fields
    if (fields?.some((field) => 'A_Star' in field)) {
      isKnown &&= fields.length === 1 || wordsOf(fields.slice(0, -1))[0] === alias
      return [...(isOpen ? [EVERYTHING] : []), ...[...columns].map(([name, val]): Node => ({ ResTarget: { name, val } }))]
    }
    // Of all fields, a measure gives its name to an aggregate around it.
    const name = target.name ?? (isOpen && !('ColumnRef' in target.val) ? undefined : nameOf(target.val))
    return [{ ResTarget: { ...target, ...(name !== undefined && { name }), val: replaced(target.val) } }]
  })
  const conditions = [inner.whereClause, stmt.whereClause && replaced(stmt.whereClause)].filter((each) => each !== undefined)
  const merged: SelectStmt = {
    ...stmt,
    targetList,
    ...(inner.fromClause && { fromClause: inner.fromClause }),
    ...(conditions.length > 0 && { whereClause: everyOf(conditions) }),
    ...(stmt.groupClause && { groupClause: stmt.groupClause.map(key) }),
    ...(stmt.havingClause && { havingClause: replaced(stmt.havingClause) }),
    ...(stmt.sortClause && { sortClause: stmt.sortClause.map(key) }),
    ...(isDistinctOn(stmt) && { distinctClause: (stmt.distinctClause ?? []).map(key) }),
  }
  const readsSubqueries = nodesIn(stmt.targetList).some((node) => 'SubLink' in node)
  return isKnown && !readsSubqueries ? merged : undefined
}
