/** A SELECT from one model → a query of the model, and what of the statement is still to be done with its rows. */

import { GrainlineError } from '../errors.js'
import { attempt } from './attempt.js'
import { conjunctsOf, type FilterJson, filterOf, isAlwaysTrue } from './conditions.js'
import { type GroupBy, groupByOf, shapeOf } from './group-by.js'
import { boundOf } from './limit.js'
import { isAbout, type ModelRelation, modelRelation, placeIn, readsOf } from './model-relation.js'
import type { NamedModel } from './model-scope.js'
import { bodyOf, type Node, nodesIn, notASubquery, type SelectStmt, type SortBy, wordsOf } from './node.js'
import type { OrderJson, QueryJson } from './query-json.js'
import type { ExpressionReader, NameLeaf, StatementContext } from './reader.js'
import { unsupported } from './refusal.js'
import { SelectColumns } from './select-columns.js'
import { type Target, targetsOf } from './targets.js'

/** One item of the SELECT list. */
export interface SelectItem {
  readonly node: Node
  /** What the answer calls it. */
  readonly name: string
  /** The column of the query's answer that it shows; `undefined` where it is made of them. */
  readonly column: string | undefined
}

export interface ModelSelect<M extends NamedModel = NamedModel> {
  readonly relation: ModelRelation<M>
  readonly query: QueryJson
  /** The columns of the query's answer, in order. */
  readonly columns: readonly string[]
  readonly items: readonly SelectItem[]
  /** What the rows still go through; `undefined` where the items are columns and nothing is left. */
  readonly rest: RestOfSelect | undefined
  /** The column that an expression is; `undefined` when it is none. */
  readonly labelOf: (node: Node) => string | undefined
}

/** What is evaluated over the query's rows. */
export interface RestOfSelect {
  readonly distinct: boolean
  readonly conditions: readonly Node[]
  readonly windows: readonly Node[]
  readonly order: readonly RowOrder[]
  readonly limit: number | undefined
  readonly offset: number | undefined
}

export interface RowOrder {
  readonly sort: SortBy
  readonly node: Node
  /** The item that it is of, counted from 1. */
  readonly position: number | undefined
}

/** `trailing`: a WITH ROLLUP or WITH CUBE that belongs to this SELECT. */
export function readModelSelect<M extends NamedModel>(
  stmt: SelectStmt,
  named: M,
  alias: string | undefined,
  context: StatementContext,
  trailing?: 'rollup' | 'cube',
): ModelSelect<M> {
  const relation = modelRelation(named, alias, context)
  const targets = targetsOf(stmt, relation)
  const columns = new SelectColumns(relation)
  const groupBy = readGroupBy(stmt, targets, relation, columns, trailing)
  refuseMixed(targets, relation)
  const items = readItems(targets, groupBy, columns)
  const raw = columns.fields.length > 0
  if (groupBy?.keys.some((key) => columns.roleOf(key) === 'column')) refuseRawGroups(groupBy, relation)
  for (const { node, column } of items) if (column === undefined) addParts(node, columns, relation)
  const { where, having, conditions } = readConditions(stmt, columns, relation)
  const shown = new Set(items.map((item) => item.column))
  const distinct = stmt.distinctClause !== undefined
  const repeats =
    columns.dimensionLabels.some((label) => !shown.has(label)) || (raw && items.some((item) => item.column === undefined))
  const order = readOrder(stmt, targets, items, columns, relation)
  const isWhole =
    items.every((item) => item.column !== undefined) && conditions.length === 0 && order !== undefined && !(distinct && repeats)
  const readsAllRows =
    (distinct && repeats) || conditions.length > 0 || order === undefined || items.some((item) => hasWindow(item.node))
  const page = { limit: boundOf(stmt.limitCount, 'LIMIT', context), offset: boundOf(stmt.limitOffset, 'OFFSET', context) }
  const grouping = groupBy?.levels && groupingOf(groupBy, groupBy.levels, columns, placeIn(relation, stmt.groupClause![0]!))
  const query: QueryJson = {
    select: raw
      ? { fields: columns.fields, ...(distinct && !repeats && { distinct: true }) }
      : {
          ...(columns.dimensions.length > 0 && { dimensions: columns.dimensions }),
          ...(columns.measures.length > 0 && { measures: columns.measures }),
        },
    ...(where.length > 0 && { where }),
    ...(having.length > 0 && { having }),
    ...(order && order.length > 0 && !(readsAllRows && page.limit === undefined) && { order_by: order }),
    ...(!readsAllRows && page.limit !== undefined && { limit: page.limit }),
    ...(!readsAllRows && page.offset !== undefined && { offset: page.offset }),
    ...(grouping && { grouping }),
  }
  return {
    relation,
    query,
    columns: [
      ...(raw ? columns.fields : [...columns.dimensionLabels, ...columns.measures]),
      ...(grouping ? columns.dimensionLabels.map((label) => `${label} is total`) : []),
    ],
    items,
    labelOf: (node) => columns.labelOf(node),
    rest: isWhole
      ? undefined
      : {
          distinct: distinct && repeats,
          conditions,
          windows: stmt.windowClause ?? [],
          order: sortsOf(stmt).map((sort) => {
            const node = meantOrder(sort.node!, targets, relation)
            return { sort, node, position: targets.findIndex((target) => target.node === node) + 1 || undefined }
          }),
          limit: readsAllRows ? page.limit : undefined,
          offset: readsAllRows ? page.offset : undefined,
        },
  }
}

function readGroupBy(
  stmt: SelectStmt,
  targets: readonly Target[],
  relation: ModelRelation,
  columns: SelectColumns,
  trailing: 'rollup' | 'cube' | undefined,
): GroupBy | undefined {
  const meant = (node: Node): Node => {
    const position = positionOf(node, targets, relation)
    if (position) return position.node
    const word = soleWord(node)
    return word !== undefined && !isField(node, relation) ? (targets.find((target) => target.alias === word)?.node ?? node) : node
  }
  const identity = (node: Node): string => {
    const role = columns.roleOf(node)
    if (role === 'dimension') return columns.identityOf(node)
    if (role === 'column') return JSON.stringify(node)
    const isMeasure = role === 'measure' && `'${readsOf(node, relation)[0]!.text}' is a measure, which cannot be grouped by`
    return unsupported('GROUP BY', isMeasure || 'GROUP BY takes dimensions and expressions over them', {
      at: placeIn(relation, node),
    })
  }
  return groupByOf(stmt.groupClause, trailing, { meant, identity, place: (node) => placeIn(relation, node) })
}

/** Where the statement says what to group by, that order counts: it is the order of a rollup. */
function readItems(targets: readonly Target[], groupBy: GroupBy | undefined, columns: SelectColumns): SelectItem[] {
  const grouped =
    groupBy && new Set(groupBy.keys.filter((key) => columns.roleOf(key) === 'dimension').map((key) => columns.identityOf(key)))
  const wanted = (key: Node): string | undefined => targets.find((target) => target.node === key)?.name
  if (groupBy?.levels) for (const key of groupBy.keys) columns.add(key, 'dimension', wanted(key))
  const items = targets.map(({ node, name }) => {
    const role = columns.roleOf(node)
    const isColumn =
      role === 'measure' || role === 'column' || (role === 'dimension' && (!grouped || grouped.has(columns.identityOf(node))))
    return { node, name, column: isColumn ? columns.add(node, role, name) : undefined }
  })
  for (const key of groupBy?.keys ?? []) if (columns.roleOf(key) === 'dimension') columns.add(key, 'dimension')
  return items
}

/** The columns that an expression over finished rows is made of. A dimension in it must be grouped by. */
function addParts(node: Node, columns: SelectColumns, relation: ModelRelation): void {
  const inside = new Set<Node>()
  for (const each of nodesIn(node, notASubquery)) {
    if (inside.has(each)) continue
    const isPart = 'ColumnRef' in each || 'FuncCall' in each || columns.labelOf(each) !== undefined
    const role = isPart ? columns.roleOf(each) : 'rows'
    const known = role !== 'rows' && columns.labelOf(each) !== undefined
    if (known || role === 'measure' || role === 'column') {
      for (const part of nodesIn(each)) inside.add(part)
      if (role === 'measure' || role === 'column') columns.add(each, role)
    } else if (role === 'dimension' && 'ColumnRef' in each) refuseUngrouped(each, relation)
  }
}

function refuseUngrouped(node: Node, relation: ModelRelation): never {
  const { text } = readsOf(node, relation)[0]!
  return unsupported('SELECT', `'${text}' is neither selected by itself nor in GROUP BY`, {
    at: placeIn(relation, node),
    rewrite: `"${text}" into the SELECT list or into GROUP BY`,
  })
}

interface Conditions {
  readonly where: readonly FilterJson[]
  readonly having: readonly FilterJson[]
  /** Conditions that only finished rows can answer. */
  readonly conditions: readonly Node[]
}

function readConditions(stmt: SelectStmt, columns: SelectColumns, relation: ModelRelation): Conditions {
  const where: FilterJson[] = []
  const having: FilterJson[] = []
  const conditions: Node[] = []
  const answered = ofAnswer(columns, relation)
  for (const node of conjunctsOf(stmt.whereClause)) {
    refuseSubquery(node, relation)
    const roles = new Set(readsOf(node, relation).map((each) => each.role))
    if (isAlwaysTrue(node, relation)) continue
    if (!roles.has('measure')) where.push(filterOf(node, relation))
    else having.push(filterOf(node, answered))
  }
  for (const node of conjunctsOf(stmt.havingClause)) {
    if (isAlwaysTrue(node, relation)) continue
    const filter = isAbout(node, relation) ? undefined : attempt(() => filterOf(node, answered))
    if (filter) having.push(filter)
    else {
      addParts(node, columns, relation)
      conditions.push(node)
    }
  }
  return { where, having, conditions }
}

/** Reads conditions on the rows of the answer: measures, and what they are grouped by. */
function ofAnswer(columns: SelectColumns, relation: ModelRelation): ExpressionReader {
  const grouped = (leaf: NameLeaf): boolean => leaf.role === 'measure' || columns.dimensionLabels.includes(leaf.text)
  return {
    ...relation,
    carries: () => true,
    name: (column) => {
      const leaf = relation.name(column)
      return grouped(leaf) ? leaf : refuseUngrouped({ ColumnRef: column }, relation)
    },
  }
}

function refuseSubquery(node: Node, relation: ModelRelation): void {
  if (!isAbout(node, relation)) return
  unsupported('WHERE', 'WHERE of a model takes conditions on its fields, without subqueries and aggregates', {
    at: placeIn(relation, node),
    rewrite: 'the model as a subquery and this condition around it: SELECT … FROM (SELECT … FROM model) AS t WHERE …',
  })
}

/** The order in terms of the query's answer; `undefined` where it needs more. */
function readOrder(
  stmt: SelectStmt,
  targets: readonly Target[],
  items: readonly SelectItem[],
  columns: SelectColumns,
  relation: ModelRelation,
): readonly OrderJson[] | undefined {
  const order: OrderJson[] = []
  let isWhole = true
  for (const sort of sortsOf(stmt)) {
    if (sort.sortby_dir === 'SORTBY_USING')
      unsupported('ORDER BY', 'ORDER BY … USING is not understood', { rewrite: 'ASC or DESC' })
    const node = meantOrder(sort.node!, targets, relation)
    const item = items.find((each) => each.node === node)
    const role = columns.roleOf(node)
    const field = item?.column ?? columns.labelOf(node) ?? (role === 'measure' ? readsOf(node, relation)[0]!.text : undefined)
    if (field === undefined) {
      if (!item) addParts(node, columns, relation)
      isWhole = false
    } else {
      order.push({
        field,
        ...(sort.sortby_dir === 'SORTBY_DESC' && { direction: 'desc' }),
        ...(sort.sortby_nulls === 'SORTBY_NULLS_FIRST' && { nulls: 'first' }),
      })
    }
  }
  return isWhole ? order : undefined
}

const sortsOf = ({ sortClause }: SelectStmt): SortBy[] => (sortClause ?? []).map((node) => bodyOf(node, 'SortBy')!)

/** What an order is of: the item of its position or alias, else itself. */
function meantOrder(node: Node, targets: readonly Target[], relation: ModelRelation): Node {
  const word = soleWord(node)
  const named =
    word === undefined ? undefined : (targets.find((t) => t.name === word) ?? targets.find((t) => t.name.toLowerCase() === word))
  return (positionOf(node, targets, relation) ?? named)?.node ?? node
}

function positionOf(node: Node, targets: readonly Target[], relation: ModelRelation): Target | undefined {
  const constant = bodyOf(node, 'A_Const')
  if (!constant) return undefined
  const index = constant.ival ? (constant.ival.ival ?? 0) : Number.NaN
  return (
    targets[index - 1] ??
    unsupported('position', `A position is a number from 1 to ${targets.length}`, { at: placeIn(relation, node) })
  )
}

const soleWord = (node: Node): string | undefined => {
  const words = wordsOf(bodyOf(node, 'ColumnRef')?.fields)
  return words.length === 1 ? words[0] : undefined
}

/** The levels by the one word that says them, else by their sets. SQL repeats the rows of a set that is written twice; a question does not. */
function groupingOf(
  groupBy: GroupBy,
  levels: NonNullable<GroupBy['levels']>,
  columns: SelectColumns,
  at: ReturnType<typeof placeIn>,
): QueryJson['grouping'] {
  const shape = shapeOf(groupBy)
  if (shape) return shape
  const sets = levels.map((level) => level.map((key) => columns.labelOf(groupBy.keys[key]!)!))
  if (new Set(sets.map((set) => JSON.stringify(set.toSorted()))).size < sets.length) {
    unsupported('GROUPING SETS', 'One of these levels is written twice', { at, rewrite: 'each level once' })
  }
  return { sets }
}

function refuseMixed(targets: readonly Target[], relation: ModelRelation): void {
  const roles = targets.flatMap(({ node }) => readsOf(node, relation).map((leaf) => ({ node, leaf })))
  const column = roles.find(({ leaf }) => leaf.role === 'column')
  const other = roles.find(({ leaf }) => leaf.role !== 'column')
  if (!column || !other) return
  unsupportedMix(column.leaf, other.leaf, placeIn(relation, other.node))
}

function unsupportedMix(column: NameLeaf, other: NameLeaf, at: ReturnType<typeof placeIn>): never {
  throw new GrainlineError(
    'MIXED_RAW_AND_AGGREGATE_MODE',
    `'${column.text}' asks for detail rows and '${other.text}' for grouped ones; ask for one of the two`,
    { path: 'sql', context: { clause: 'SELECT', ...at } },
  )
}

function refuseRawGroups(groupBy: GroupBy, relation: ModelRelation): never {
  return unsupported('GROUP BY', 'Detail rows are not grouped', {
    at: placeIn(relation, groupBy.keys[0]),
    rewrite: 'SELECT … FROM (SELECT … FROM model) AS t GROUP BY …, or dimensions and measures',
  })
}

function hasWindow(node: Node): boolean {
  for (const each of nodesIn(node, notASubquery)) if (bodyOf(each, 'FuncCall')?.over) return true
  return false
}

function isField(node: Node, relation: ModelRelation): boolean {
  return attempt(() => relation.name(bodyOf(node, 'ColumnRef')!)) !== undefined
}
