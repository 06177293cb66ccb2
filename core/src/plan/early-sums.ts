import type { BoundAggregate, BoundBlock, BoundJoin, Condition, NamedExpr } from '../bind/bound-block.js'
import { leavesOf, mapLeaves } from '../model/expression/ast.js'
import { freeName, relationName } from '../resolve/aliases.js'
import { isKeyColumn } from '../resolve/key-column.js'
import { type RelationColumn, type RowExpr, readsAny, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { isSame, unlike } from '../same.js'
import { planPartsOf, planUntaken } from './block.js'
import { folded, isFolding } from './folding.js'
import { filtered, planRows } from './from.js'
import type { Aggregate } from './logical-plan.js'
import { isPresence, isPresenceOf } from './null-rejecting.js'
import { isModelJoin, isPlainBlock } from './plain-block.js'

/** A joined object, with the joins that follow from it, of which a block reads only names that it groups by. */
interface Named {
  readonly joins: readonly BoundJoin[]
  readonly tables: ReadonlySet<string>
  readonly names: readonly NamedExpr[]
  /** The other groups, and the columns of the join to the object. */
  readonly keys: readonly NamedExpr[]
  /** The conditions that the only column of a foreign key is not NULL: the join to the object then leaves out the same rows. */
  readonly presences: readonly Condition[]
}

/**
 * The aggregation of a block by the key of an object, and of the result by the names of the object: fewer rows are joined, and grouping by
 * a key is cheaper than by texts. `undefined` if a total of parts is not the total of all rows, or if little is gained.
 */
export function planWithEarlySums(block: BoundBlock, alias: string): Aggregate | undefined {
  const { from, aggregates } = block
  if (!isPlainBlock(block) || aggregates.length === 0 || !aggregates.every(isFolding)) return undefined
  // The last suitable object has the coarsest key.
  const named = from.base.joins.map((join) => namedBy(join, block)).findLast((one) => one !== undefined)
  return named && inTwoSteps(block, named, alias)
}

function inTwoSteps(block: BoundBlock, { joins, tables, names, keys, presences }: Named, alias: string): Aggregate {
  const { from, where, groupBy, reason } = block
  const isOfNamed = (e: RowExpr): boolean => readsAny(e, tables)
  const base = { ...from.base, joins: from.base.joins.filter((join) => !joins.includes(join)) }
  const early = where.filter((condition) => !isOfNamed(condition.expression) && !presences.includes(condition))
  const first = planUntaken(
    { ...block, from: { ...from, base }, where: early, groupBy: keys },
    relationName(block.base, '_by_key'),
  )
  const column = ({ name, type }: NamedExpr): RowExpr => relationColumn(first.alias, name, type)
  const key = (e: RowExpr): RowExpr | undefined =>
    keys
      .filter((one) => isSame(one.expression, e))
      .map(column)
      .at(0)
  const found = joins.map(({ on, type, ...join }, at) => ({
    ...join,
    type: at === 0 && presences.length > 0 ? ('inner' as const) : type,
    on: on && mapLeaves<RelationColumn, RelationColumn>(on, (leaf) => key(leaf) ?? leaf),
  }))
  const rows = planRows({ start: from.base.start, joins: found }, planPartsOf(), () => first)
  return {
    kind: 'aggregate',
    input: filtered(
      rows,
      where.filter((condition) => !early.includes(condition) && !presences.includes(condition)),
    ),
    alias,
    keys: groupBy.map((group) => ({ ...group, expression: names.includes(group) ? group.expression : column(group) })),
    aggregates: first.aggregates.map((call) => folded(call, relationColumn(first.alias, call.name, call.type))),
    reason: `${reason}, of each key`,
  }
}

/** The object of the join, if a block can be aggregated before it and is faster then. */
function namedBy(root: BoundJoin, block: BoundBlock): Named | undefined {
  const joins = withFurther(root, block.from.base.joins)
  const tables = new Set(joins.map((join) => join.right.alias))
  const reads = (e: RowExpr): boolean => readsAny(e, tables)
  const names = block.groupBy.filter(({ expression }) => reads(expression))
  const others = block.groupBy.filter((group) => !names.includes(group))
  const isApart = names.every(({ expression }) => tablesIn(expression).every((table) => tables.has(table)))
  if (!isApart || !joins.every(isModelJoin) || !pays(names, others, block.aggregates) || readBeside(block, joins).some(reads))
    return undefined
  const finding = unlike(
    joins.flatMap(({ on }) => (on ? leavesOf<RelationColumn>(on) : [])).filter((leaf) => !tables.has(leaf.table)),
  )
  const isFound = finding.length > 0 && finding.every(isKeyColumn)
  return isFound
    ? { joins, tables, names, keys: withColumns(others, finding, block.aggregates), presences: presencesIn(block, root, finding) }
    : undefined
}

function presencesIn({ where }: BoundBlock, { matchedBy }: BoundJoin, finding: readonly RelationColumn[]): readonly Condition[] {
  const [column, ...more] = finding
  if (!matchedBy || !column || more.length > 0) return []
  return where.filter(({ expression }) => isPresenceOf(expression, column))
}

/** The join, and those that read the joined object. */
function withFurther(root: BoundJoin, joins: readonly BoundJoin[]): readonly BoundJoin[] {
  const tables = new Set([root.right.alias])
  return joins.slice(joins.indexOf(root)).filter(({ right, on }) => {
    const isFurther = right === root.right || (on !== undefined && readsAny(on, tables))
    if (isFurther) tables.add(right.alias)
    return isFurther
  })
}

/**
 * What a block reads besides its groups and these joins. A condition that a column is not NULL keeps most groups, so it can be applied
 * afterwards; another condition keeps fewer, and is applied first.
 */
const readBeside = ({ where, aggregates, from }: BoundBlock, joins: readonly BoundJoin[]): readonly RowExpr[] => [
  ...where.flatMap(({ expression }) => (isPresence(expression) ? [] : [expression])),
  ...aggregates.flatMap(({ args, filter }) => [...args.map((one) => one.expression), ...(filter ? [filter] : [])]),
  ...from.base.joins.flatMap(({ on, ...join }) => (on && !joins.some((one) => one.right === join.right) ? [on] : [])),
]

/**
 * The numbers of rows are not known. Grouping by the key of an object alone gives at most as many groups as it has rows, and grouping by
 * texts is slower; each aggregate adds work for each of these groups. Grouping by years as well needs more names to be faster, and with
 * other groups there may be almost as many keys as rows. For a single name, the simpler statement is better.
 */
function pays(names: readonly NamedExpr[], others: readonly NamedExpr[], aggregates: readonly BoundAggregate[]): boolean {
  if (names.length < aggregates.length || !names.some(({ type }) => type.kind === 'string')) return false
  return others.every(isYear) && names.length > (others.length === 0 ? 1 : 2)
}

const isYear = ({ expression: e }: NamedExpr): boolean =>
  e.kind === 'call' && e.name === 'date_trunc' && e.args[0]?.kind === 'literal' && e.args[0].value === 'year'

/** Groups by these columns as well. */
function withColumns(
  groups: readonly NamedExpr[],
  columns: readonly RelationColumn[],
  aggregates: readonly BoundAggregate[],
): readonly NamedExpr[] {
  const added = columns.map((column, at): NamedExpr => {
    const name = freeName(`key_${at + 1}`, [...groups, ...aggregates])
    return { name, type: column.type, expression: column }
  })
  return [...groups, ...added]
}
