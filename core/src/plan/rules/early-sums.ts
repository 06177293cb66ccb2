import type { DataType } from '../../model/data-type.js'
import { leavesOf, mapLeaves } from '../../model/expression/ast.js'
import { madeOf } from '../../relation/relation.js'
import { freeName } from '../../resolve/aliases.js'
import { isKeyColumn } from '../../resolve/key-column.js'
import { type RelationColumn, type RowExpr, readsAny, relationColumn, tablesIn } from '../../resolve/relation-column.js'
import { expressionsOn, mapTerms } from '../../resolve/row-terms.js'
import { isSame, unlike } from '../../same.js'
import { folded, isFolding } from '../folding.js'
import { planOf, relationOf } from '../joined-rows.js'
import { isModelJoin } from '../known-join.js'
import type { Aggregate, Filter, Join, NamedAggregate, NamedExpr, Project } from '../logical-plan.js'
import { isPresence, isPresenceOf } from '../null-rejecting.js'
import { partsOfAverages, withAverages } from '../parts-of-averages.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import type { PlanFacts, Rule } from './rule.js'

/**
 * The aggregation by the key of an object first, and of the result by the names of the object: a total of the totals of all keys is the total of all rows, because
 * each row has one key and each key one name; an average is the total of the sums by that of the counts. Fewer rows are joined, and grouping by a key is cheaper than by texts.
 */
export const earlySums: Rule = {
  name: 'early-sums',
  // No engine can estimate how many groups are left to be joined.
  needs: ['hashJoins'],
  rewrite: (node, facts) => (node.kind === 'aggregate' ? withEarlySums(node, facts) : undefined),
}

/** `undefined` if a total of parts is not the total of all rows, or if little is gained. */
export function withEarlySums(node: Aggregate, { typeOf }: Pick<PlanFacts, 'typeOf'>): Aggregate | Project | undefined {
  const { sets, aggregates, ...groups } = node
  const flags = aggregates.filter(({ aggregate }) => aggregate === 'grouping')
  const typesOf = ({ args }: NamedAggregate): readonly DataType[] => args.map(typeOf)
  const { calls, averages } = partsOfAverages(
    aggregates.filter((call) => !flags.includes(call)),
    typesOf,
  )
  const values = { ...groups, aggregates: calls }
  const rows = plainRowsOf(values)
  if (!rows || calls.length === 0 || !calls.every((one) => isFolding(one, typesOf(one)))) return undefined
  // The last suitable object has the coarsest key.
  const named = rows.joins.map((join) => namedBy(join, values, rows)).findLast((one) => one !== undefined)
  // A flag names its group by the expression, which is another one where the group is no name of the object.
  if (!named || (sets && named.names.length < groups.keys.length)) return undefined
  const totals = inTwoSteps(values, rows, named)
  return withAverages({ ...totals, ...(sets && { sets }), aggregates: [...totals.aggregates, ...flags] }, averages, node)
}

/** A joined object, with the joins that follow from it, of which an aggregation reads only names that it groups by. */
interface NamedObject {
  readonly joins: readonly Join[]
  readonly tables: ReadonlySet<string>
  readonly names: readonly NamedExpr[]
  /** The other groups, and the columns of the join to the object. */
  readonly keys: readonly NamedExpr[]
  /** The conditions that the only column of a foreign key is not NULL: the join to the object then leaves out the same rows. */
  readonly presences: readonly Filter[]
}

function inTwoSteps(node: Aggregate, { start, joins: all, filters }: PlainRows, named: NamedObject): Aggregate {
  const { joins, tables, names, keys, presences } = named
  const isEarly = (filter: Filter): boolean => !readsAny(filter.condition, tables) && !presences.includes(filter)
  const others = all.filter((join) => !joins.includes(join))
  const early = planOf({ start, joins: others, filters: filters.filter(isEarly) })
  const first: Aggregate = { ...node, input: early, alias: madeOf(start.object, '_by_key'), keys }
  const column = ({ name, type }: Pick<NamedExpr, 'name' | 'type'>): RelationColumn => relationColumn(first.alias, name, type)
  const keyOf = (leaf: RelationColumn): RelationColumn => {
    const key = keys.find((one) => isSame(one.expression, leaf))
    return key ? column(key) : leaf
  }
  const found = joins.map(
    (join, at): Join => ({
      ...join,
      type: at === 0 && presences.length > 0 ? 'inner' : join.type,
      on: mapTerms(join.on, (one) => mapLeaves<RelationColumn, RelationColumn>(one, keyOf)),
    }),
  )
  return {
    ...node,
    input: planOf({ start: first, joins: found, filters: filters.filter((one) => !isEarly(one) && !presences.includes(one)) }),
    keys: node.keys.map((group) => ({ ...group, expression: names.includes(group) ? group.expression : column(group) })),
    aggregates: node.aggregates.map((call) => folded(call, column(call))),
    reason: `${node.reason}, of each key`,
  }
}

/** The object of the join, if rows can be aggregated before it and are faster then. */
function namedBy(root: Join, { keys: groups, aggregates }: Aggregate, rows: PlainRows): NamedObject | undefined {
  const joins = withFurther(root, rows.joins)
  const tables = new Set(joins.map(relationOf))
  const reads = (e: RowExpr): boolean => readsAny(e, tables)
  const names = groups.filter(({ expression }) => reads(expression))
  const others = groups.filter((group) => !names.includes(group))
  const isApart = names.every(({ expression }) => tablesIn(expression).every((table) => tables.has(table)))
  if (!isApart || !joins.every(isModelJoin) || !pays(names, others, aggregates)) return undefined
  if (readBeside(aggregates, rows, joins).some(reads)) return undefined
  const finding = unlike(
    joins
      .flatMap(({ on }) => expressionsOn(on).flatMap((one) => leavesOf<RelationColumn>(one)))
      .filter((leaf) => !tables.has(leaf.table)),
  )
  const isFound = finding.length > 0 && finding.every(isKeyColumn)
  return isFound
    ? { joins, tables, names, keys: withColumns(others, finding, aggregates), presences: presencesIn(rows, root, finding) }
    : undefined
}

function presencesIn({ filters }: PlainRows, { matchedBy }: Join, finding: readonly RelationColumn[]): readonly Filter[] {
  const [column, ...more] = finding
  if (!matchedBy || !column || more.length > 0) return []
  return filters.filter(({ condition }) => isPresenceOf(condition, column))
}

/** The join, and those that read the joined object. */
function withFurther(root: Join, joins: readonly Join[]): readonly Join[] {
  const tables = new Set([relationOf(root)])
  return joins.slice(joins.indexOf(root)).filter((join) => {
    const isFurther = join === root || expressionsOn(join.on).some((one) => readsAny(one, tables))
    if (isFurther) tables.add(relationOf(join))
    return isFurther
  })
}

/**
 * What is read besides the groups and these joins. A condition that a column is not NULL keeps most groups, so it can be applied afterwards; another condition
 * keeps fewer, and is applied first.
 */
const readBeside = (
  aggregates: readonly NamedAggregate[],
  { joins, filters }: PlainRows,
  named: readonly Join[],
): readonly RowExpr[] => [
  ...filters.flatMap(({ condition }) => (isPresence(condition) ? [] : [condition])),
  ...aggregates.flatMap(({ args, filter }) => [...args, ...(filter ? [filter] : [])]),
  ...joins.flatMap((join) => (named.includes(join) ? [] : expressionsOn(join.on))),
]

/**
 * The numbers of rows are not known. Grouping by the key of an object alone gives at most as many groups as it has rows, and grouping by
 * texts is slower; each aggregate adds work for each of these groups. Grouping by years as well needs more names to be faster, and with
 * other groups there may be almost as many keys as rows. For a single name, the simpler statement is better.
 */
function pays(names: readonly NamedExpr[], others: readonly NamedExpr[], aggregates: readonly NamedAggregate[]): boolean {
  if (names.length < aggregates.length || !names.some(({ type }) => type.kind === 'string')) return false
  return others.every(isYear) && names.length > (others.length === 0 ? 1 : 2)
}

const isYear = ({ expression: e }: NamedExpr): boolean =>
  e.kind === 'call' && e.name === 'date_trunc' && e.args[0]?.kind === 'literal' && e.args[0].value === 'year'

/** Groups by these columns as well. */
function withColumns(
  groups: readonly NamedExpr[],
  columns: readonly RelationColumn[],
  aggregates: readonly NamedAggregate[],
): readonly NamedExpr[] {
  const added = columns.map((column, at): NamedExpr => {
    const name = freeName(`key_${at + 1}`, [...groups, ...aggregates])
    return { name, type: column.type, expression: column }
  })
  return [...groups, ...added]
}
