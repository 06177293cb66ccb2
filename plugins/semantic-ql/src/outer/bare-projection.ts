/** Subselects that only return dimensions: rows of the model, over which the outer statement is a SELECT from the model itself. */
import type { NamedModel } from '@grainline/core/language'
import {
  bodyOf,
  type ColumnRef,
  everyOf,
  type Node,
  nodesIn,
  notASubquery,
  type SelectStmt,
  theBody,
  wordsOf,
} from '../grammar/node.js'
import { rewritten } from '../grammar/rewrite.js'
import { isAbout, modelRelation, readsOf } from '../model-relation.js'
import { refuse } from '../refusal.js'
import { isDistinctOn } from '../select/distinct-on.js'
import { nameOf } from '../targets.js'
import { isWindowed } from './counts-rows.js'
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
  const columns = columnsOf(inner, reads, made)
  // Window functions read single rows, which groups are not.
  if (!columns || isWindowed(stmt)) return inner === written ? stmt : over(stmt, inner)
  return substituted(stmt, subquery.alias?.aliasname, inner, columns) ?? (inner === written ? stmt : over(stmt, inner))
}

function over(stmt: SelectStmt, inner: SelectStmt): SelectStmt {
  const subquery = bodyOf(stmt.fromClause?.[0], 'RangeSubselect')
  return { ...stmt, fromClause: [{ RangeSubselect: { ...subquery, subquery: { SelectStmt: inner } } }] }
}

/** The names of the expressions of a bare projection; `undefined` for any other SELECT. */
function columnsOf<M extends NamedModel>(
  stmt: SelectStmt,
  reads: Reads<M>,
  made: ReadonlySet<string>,
): ReadonlyMap<string, Node> | undefined {
  if (!isPlain(stmt) || stmt.limitCount || stmt.limitOffset) return undefined
  const sole = soleRelation(stmt, reads.models, made, reads)
  const relation = sole && modelRelation(sole.model, sole.alias, reads)
  if (!relation) return undefined
  const shows = (node: Node): boolean =>
    !nodesIn(node).some((each) => 'A_Star' in each) &&
    !isAbout(node, relation) &&
    readsOf(node, relation).every(({ role }) => role === 'dimension')
  const { whereClause } = withConditions(stmt, sole)
  if (whereClause && !shows(whereClause)) return undefined
  const columns = new Map<string, Node>()
  for (const each of stmt.targetList ?? []) {
    const { name, val } = theBody(each, 'ResTarget')
    if (!shows(val)) return undefined
    const called = name ?? nameOf(val, relation)
    if (columns.has(called)) return undefined
    columns.set(called, val)
  }
  return columns
}

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
  columns: ReadonlyMap<string, Node>,
): SelectStmt | undefined {
  let isKnown = true
  const columnOf = ({ fields = [] }: ColumnRef): Node | undefined => {
    const words = wordsOf(fields)
    return words.length === 1 || (words.length === 2 && words[0] === alias) ? columns.get(words.at(-1) ?? '') : undefined
  }
  const aliases = new Set((stmt.targetList ?? []).map((each) => bodyOf(each, 'ResTarget')?.name))
  const isAlias = (node: Node): boolean => {
    const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
    return words.length === 1 && aliases.has(words[0])
  }
  let nodes = 0
  const change = (node: Node): Node | undefined => {
    const column = bodyOf(node, 'ColumnRef')
    if (!column) return undefined
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
      return [...columns].map(([name, val]) => ({ ResTarget: { name, val } }))
    }
    return [{ ResTarget: { ...target, name: target.name ?? nameOf(target.val), val: replaced(target.val) } }]
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
