import { isAmong } from '../bind/block-names.js'
import type { BoundAggregate, BoundBlock, BoundJoin, NamedExpr, RowColumn, Scan, TypedExpr } from '../bind/bound-block.js'
import type { BoundAggregateQuery } from '../bind/bound-query.js'
import { firstOf, zip } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { leavesOf, mapLeaves } from '../model/expression/ast.js'
import { relationName } from '../resolve/aliases.js'
import { integer, nullOf, onlyWhere } from '../resolve/expressions.js'
import { isKeyColumn } from '../resolve/key-column.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../resolve/relation-column.js'
import { includesSame, isSame, unlike } from '../same.js'
import { planPartsOf, planUntaken } from './block.js'
import { withCertainJoins } from './certain-joins.js'
import { filtered, planRows } from './from.js'
import { type Aggregate, type LogicalPlan, type PlannedLeg, plainAggregate } from './logical-plan.js'
import { isPresence } from './null-rejecting.js'
import { isModelJoin, isPlainBlock } from './plain-block.js'
import { withEarlySums } from './rules/early-sums.js'
import type { PlanFacts } from './rules/rule.js'

/** A fact, of which only columns of its own are aggregated. */
interface Fact {
  readonly start: Scan
  /** The columns by which it is joined, for each join of the first fact. */
  readonly links: readonly (readonly RelationColumn[])[]
  readonly values: readonly (TypedExpr & { readonly of: BoundAggregate })[]
}

const ALIAS = 'united'
/** The aggregates of two facts meet in a join. */
const LEAST_FACTS = 3
/** More values are NULLs in the rows of each other fact, which takes longer than joining apart. */
const MOST_VALUES = 2

/**
 * The rows of several facts, united before they are joined with the objects that all of them have: these are joined once, and all rows are
 * aggregated once. Every aggregate ignores NULL, so the rows of other facts do not count. `undefined` if the facts differ in what they read of
 * the objects, or if no condition on the objects leaves out rows, because then it is not faster.
 */
export function planUnitedFacts(query: BoundAggregateQuery, facts: Pick<PlanFacts, 'typeOf'>): PlannedLeg | undefined {
  const { legs, nested, lookups, cumulative, folds, nestedOverRows, fill, over, dimensions } = query
  const besides = [nested, lookups, cumulative, folds, nestedOverRows].some((parts) => parts.length > 0)
  if (besides || fill || over || dimensions.length === 0 || legs.length < LEAST_FACTS) return undefined
  if (!legs.every((leg) => leg.contributesRows && !leg.over && isPlainBlock(leg.block))) return undefined
  const blocks = legs.map(({ block }) => ({ ...block, from: withCertainJoins(block.from, block.where) }))
  const first = firstOf(blocks)
  if (first.where.every(({ expression }) => isPresence(expression))) return undefined
  const alike = blocks.flatMap((block) => factOf(block, first) ?? [])
  if (alike.length < legs.length || legs.some(({ block }) => withEarlySums(planUntaken(block, ''), facts))) return undefined
  const values = legs.flatMap(({ block }) => block.values)
  return { input: united(alike, first), name: ALIAS, contributesRows: true, values, base: first.base }
}

/** `undefined` if a block is not like the first, but for its fact. */
function factOf({ from, where, groupBy, aggregates }: BoundBlock, first: BoundBlock): Fact | undefined {
  const { start } = from.base
  const names: Names = { from: start.alias, to: first.from.base.start.alias }
  const found = from.base.joins.map((join) => movedJoin(join, names))
  const joins = first.from.base.joins.map((join) => found.find(({ right }) => right.alias === join.right.alias))
  const links = joins.map((join) => linksOf(join, names.to))
  const isJoined = joins.length === found.length && first.from.base.joins.every((join, i) => isSameJoin(join, joins[i], first))
  const conditions = where.map(({ expression }) => moved(expression, names))
  const wanted = first.where.map(({ expression }) => expression)
  const groups = groupBy.map((group) => ({ ...group, expression: moved(group.expression, names) }))
  const isAlike =
    conditions.length === wanted.length && conditions.every((one) => includesSame(wanted, one)) && isSame(groups, first.groupBy)
  const readsFact = [...conditions, ...groups.map(({ expression }) => expression)].some((e) => tablesIn(e).includes(names.to))
  const values = aggregates.flatMap((aggregate) => inputOf(aggregate) ?? [])
  const isOfFact = values.every(({ expression }) => tablesIn(expression).every((table) => table === names.from))
  if (!isJoined || !isAlike || readsFact || !isOfFact || start.elements || !links.flat().every(isKeyColumn)) return undefined
  return values.length === aggregates.length && values.length <= MOST_VALUES ? { start, links, values } : undefined
}

/** The relations of a block have names that begin with that of its fact. */
interface Names {
  readonly from: string
  readonly to: string
}

const movedName = (name: string, { from, to }: Names): string => (isAmong(name, from) ? to + name.slice(from.length) : name)

const moved = (expression: RowExpr, names: Names): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => ({ ...leaf, table: movedName(leaf.table, names) }))

const movedScan = (scan: Scan, names: Names): Scan => ({ ...scan, alias: movedName(scan.alias, names) })

function movedJoin({ right, on, ...join }: BoundJoin, names: Names): BoundJoin {
  return { ...join, right: movedRight(right, names), on: on && moved(on, names) }
}

function movedRight(right: BoundJoin['right'], names: Names): BoundJoin['right'] {
  if (right.kind === 'converted') return right
  if (right.kind === 'scan') return movedScan(right, names)
  const { rows, where, links } = right
  return {
    ...right,
    alias: movedName(right.alias, names),
    rows: { start: movedScan(rows.start, names), joins: rows.joins.map((join) => movedJoin(join, names)) },
    where: where.map((condition) => moved(condition, names)),
    links: links.map((link) => ({ ...link, expression: moved(link.expression, names) })),
  }
}

/** The columns of the fact by which it is joined. */
const linksOf = (join: BoundJoin | undefined, fact: string): readonly RelationColumn[] =>
  unlike(join?.on ? leavesOf<RelationColumn>(join.on).filter(({ table }) => table === fact) : [])

/** Whether a fact is joined to the same rows in the same way, but for the names of its own columns. */
function isSameJoin(a: BoundJoin, b: BoundJoin | undefined, first: BoundBlock): boolean {
  if (!b?.on || !a.on || !(isModelJoin(a) || a.right.kind === 'found')) return false
  const fact = first.from.base.start.alias
  const isSameRight = isSame(withoutLabels(a.right), withoutLabels(b.right))
  return a.type === b.type && isSameRight && isSame(numbered(a.on, linksOf(a, fact)), numbered(b.on, linksOf(b, fact)))
}

/** How the rows are explained does not matter. */
function withoutLabels(right: BoundJoin['right']): unknown {
  if (right.kind !== 'found') return right
  const { start, joins } = right.rows
  return { ...right, rows: { start, joins: joins.map(({ label, ...join }) => ({ ...join, right: withoutLabels(join.right) })) } }
}

/** The condition with a number in place of each of these columns. */
const numbered = (on: RowExpr, links: readonly RelationColumn[]): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(on, (leaf) => {
    const at = links.findIndex((link) => isSame(link, leaf))
    return at < 0 ? leaf : relationColumn('', `${at}`, leaf.type)
  })

/** What an aggregate reads of each row, which is NULL if the row does not count; `undefined` if it does not ignore NULLs. */
function inputOf(aggregate: BoundAggregate): Fact['values'][number] | undefined {
  const { aggregate: called, args, orderBy, filter, onlyWith } = aggregate
  if (!IGNORES_NULL.has(called) || args.length > 1 || orderBy.length > 0 || onlyWith) return undefined
  const [arg] = args.length > 0 || called !== 'count' ? args : [{ expression: integer(1), type: INT }]
  if (!arg || !EXACT.has(arg.type.kind)) return undefined
  return { expression: onlyWhere(filter, arg.expression), type: arg.type, of: aggregate }
}

/** A NULL of these types beside a column changes nothing of its values, however the column is stored. */
const EXACT: ReadonlySet<string> = new Set(['int', 'decimal', 'date'])

const IGNORES_NULL: ReadonlySet<string> = new Set(['sum', 'count', 'count_distinct', 'min', 'max', 'avg'])

function united(facts: readonly Fact[], first: BoundBlock): Aggregate {
  const { groupBy, where, from, reason } = first
  const links = from.base.joins.map((join) => linksOf(join, from.base.start.alias))
  const keys = links.flat().map(({ type }, at) => ({ name: `key_${at + 1}`, type }))
  const values = facts
    .flatMap((fact) => fact.values.map((value) => ({ ...value, fact })))
    .map((value, at) => ({ ...value, name: `value_${at + 1}` }))
  const rows: LogicalPlan = {
    kind: 'union',
    alias: ALIAS,
    inputs: facts.map((fact): LogicalPlan => {
      const linking = zip(keys, fact.links.flat()).map(
        ([{ name, type }, { name: column }]): NamedExpr => ({
          name,
          type,
          expression: relationColumn(fact.start.alias, column, type),
        }),
      )
      const own = values.map(({ name, type, fact: of, expression }): NamedExpr => {
        const absent: RowExpr = { kind: 'cast', operand: nullOf(type), type }
        return { name, type, expression: of === fact ? expression : absent }
      })
      return {
        kind: 'project',
        input: fact.start,
        alias: relationName(fact.start.object, '_rows'),
        columns: [...linking, ...own],
      }
    }),
    columns: [...keys, ...values].map(({ name, type }) => ({ name, type })),
    reason: 'the rows of all facts, before they are joined with the same objects',
  }
  const joins = from.base.joins.map(({ on, ...join }, at) => {
    const before = links.slice(0, at).flat().length
    return { ...join, on: on && keyed(on, links[at] ?? [], keys.slice(before)) }
  })
  return {
    kind: 'aggregate',
    input: filtered(
      planRows({ start: from.base.start, joins }, planPartsOf(), () => rows),
      where,
    ),
    alias: relationName(first.base, '_facts'),
    keys: groupBy,
    aggregates: values.map(({ of, name, type }) => ({
      ...plainAggregate(of.name, of.aggregate, [relationColumn(ALIAS, name, type)], of.type),
      distinct: of.distinct,
    })),
    reason: `${reason}, and those of the other facts`,
  }
}

/** The condition over the united rows. */
const keyed = (on: RowExpr, links: readonly RelationColumn[], keys: readonly RowColumn[]): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(on, (leaf) => {
    const key = keys[links.findIndex((link) => isSame(link, leaf))]
    return key ? relationColumn(ALIAS, key.name, key.type) : leaf
  })
