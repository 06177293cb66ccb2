import { firstOf, zip } from '../../invariant.js'
import { INT } from '../../model/data-type.js'
import { leavesOf, mapLeaves } from '../../model/expression/ast.js'
import { equalityOf } from '../../model/join-term.js'
import { madeOf, movedTo } from '../../relation/relation.js'
import { integer, onlyWhere, typedNull } from '../../resolve/expressions.js'
import { isKeyColumn } from '../../resolve/key-column.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../../resolve/relation-column.js'
import { expressionsOn, mapTerms } from '../../resolve/row-terms.js'
import { includesSame, isSame, unlike } from '../../same.js'
import { mapPlans } from '../inputs.js'
import { planOf, relationOf } from '../joined-rows.js'
import { isModelJoin } from '../known-join.js'
import {
  type Aggregate,
  type Combine,
  type Join,
  type LogicalPlan,
  type NamedAggregate,
  type NamedExpr,
  plainAggregate,
  type Scan,
} from '../logical-plan.js'
import { mapExpressions } from '../map-expressions.js'
import { isPresence } from '../null-rejecting.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { withEarlySums } from './early-sums.js'
import type { PlanFacts, Rule } from './rule.js'

/**
 * The rows of several facts, united before they are joined with the objects that all of them have: these are joined once, and all rows are aggregated once. Every
 * aggregate ignores NULL, so the rows of other facts do not count. It is left alone if the facts differ in what they read of the objects, or if no condition
 * on the objects leaves out rows, because then it is not faster.
 */
export const unitedFacts: Rule = {
  name: 'united-facts',
  needs: ['hashJoins'],
  rephrases: true,
  rewrite: (node, facts) => (node.kind === 'combine' ? withUnitedFacts(node, facts) : undefined),
}

/** The aggregates of two facts meet in a join. */
const LEAST_FACTS = 3
/** More values are NULLs in the rows of each other fact, which takes longer than joining apart. */
const MOST_VALUES = 2
const ALIAS = 'united'

/** The aggregation of a fact. */
interface Leg {
  readonly node: Aggregate
  readonly rows: PlainRows
}

/** A fact whose aggregates read only its own columns. */
interface Fact {
  readonly start: Scan
  /** The columns by which it is joined, for each join of the first fact. */
  readonly links: readonly (readonly RelationColumn[])[]
  readonly values: readonly (NamedExpr & { readonly of: NamedAggregate })[]
}

function withUnitedFacts({ legs, keys }: Combine, facts: PlanFacts): Aggregate | undefined {
  if (keys.length === 0 || legs.length < LEAST_FACTS || !legs.every((leg) => leg.contributesRows)) return undefined
  const known = legs.flatMap(({ input }): Leg[] => {
    const rows = input.kind === 'aggregate' ? plainRowsOf(input) : undefined
    return input.kind === 'aggregate' && rows ? [{ node: input, rows }] : []
  })
  if (known.length < legs.length) return undefined
  const first = firstOf(known)
  if (first.rows.filters.every(({ condition }) => isPresence(condition))) return undefined
  const alike = known.flatMap((leg) => factOf(leg, first, facts) ?? [])
  return alike.length < known.length || known.some(({ node }) => withEarlySums(node, facts)) ? undefined : united(alike, first)
}

/** `undefined` if an aggregation is not like the first, but for its fact. */
function factOf({ node, rows }: Leg, first: Leg, facts: PlanFacts): Fact | undefined {
  const { start } = rows
  const names: Names = { from: start.alias, to: first.rows.start.alias }
  const found = rows.joins.map((join) => movedJoin(join, names))
  const joins = first.rows.joins.map((join) => found.find((other) => relationOf(other) === relationOf(join)))
  const links = joins.map((join) => linksOf(join, names.to))
  const isJoined = joins.length === found.length && first.rows.joins.every((join, i) => isSameJoin(join, joins[i], first))
  const conditions = rows.filters.map(({ condition }) => moved(condition, names))
  const wanted = first.rows.filters.map(({ condition }) => condition)
  const groups = node.keys.map((group) => ({ ...group, expression: moved(group.expression, names) }))
  const isAlike =
    conditions.length === wanted.length && conditions.every((one) => includesSame(wanted, one)) && isSame(groups, first.node.keys)
  const readsFact = [...conditions, ...groups.map(({ expression }) => expression)].some((e) => tablesIn(e).includes(names.to))
  const values = node.aggregates.flatMap((aggregate) => inputOf(aggregate, facts) ?? [])
  const isOfFact = values.every(({ expression }) => tablesIn(expression).every((table) => table === names.from))
  if (!isJoined || !isAlike || readsFact || !isOfFact || start.elements || !links.flat().every(isKeyColumn)) return undefined
  return values.length === node.aggregates.length && values.length <= MOST_VALUES ? { start, links, values } : undefined
}

/** The relations of a fact are on paths that begin with that of the fact. */
interface Names {
  readonly from: string
  readonly to: string
}

const moved = (expression: RowExpr, names: Names): RowExpr =>
  mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => ({ ...leaf, table: movedTo(leaf.table, names) }))

/** A joined relation under the names of another fact. */
function movedPlan(plan: LogicalPlan, names: Names): LogicalPlan {
  const inside = mapPlans(plan, (input) => movedPlan(input, names))
  const read = mapExpressions(inside, (expression) => moved(expression, names))
  return 'alias' in read ? { ...read, alias: movedTo(read.alias, names) } : read
}

const movedJoin = ({ right, on, ...join }: Join, names: Names): Join => ({
  ...join,
  right: movedPlan(right, names),
  on: mapTerms(on, (one) => moved(one, names)),
})

/** The columns of the fact by which it is joined. */
const linksOf = (join: Join | undefined, fact: string): readonly RelationColumn[] =>
  unlike(
    expressionsOn(join?.on ?? [])
      .flatMap((one) => leavesOf<RelationColumn>(one))
      .filter(({ table }) => table === fact),
  )

/** Whether two facts are joined to the same rows in the same way. Their own columns may have other names. */
function isSameJoin(a: Join, b: Join | undefined, first: Leg): boolean {
  if (!b || !equalityOf(a.on) || !(isModelJoin(a) || a.right.kind === 'distinct')) return false
  const fact = first.rows.start.alias
  const isSameRight = isSame(withoutReasons(a.right), withoutReasons(b.right))
  return a.type === b.type && isSameRight && isSame(numbered(a.on, linksOf(a, fact)), numbered(b.on, linksOf(b, fact)))
}

/** How the rows are explained does not matter. */
function withoutReasons(plan: LogicalPlan): LogicalPlan {
  const inside = mapPlans(plan, withoutReasons)
  if (inside.kind === 'join') return { ...inside, label: { from: '', to: '', columns: [], reason: '' } }
  return 'reason' in inside ? { ...inside, reason: '' } : inside
}

/** The condition with a number in place of each of these columns. */
const numbered = (on: Join['on'], links: readonly RelationColumn[]): Join['on'] =>
  onLeaves(on, (leaf) => {
    const at = links.findIndex((link) => isSame(link, leaf))
    return at < 0 ? leaf : relationColumn('', `${at}`, leaf.type)
  })

const onLeaves = (on: Join['on'], change: (leaf: RelationColumn) => RelationColumn): Join['on'] =>
  mapTerms(on, (one) => mapLeaves<RelationColumn, RelationColumn>(one, change))

/** What an aggregate reads of each row, which is NULL if the row does not count; `undefined` if it does not ignore NULLs. */
function inputOf(aggregate: NamedAggregate, { typeOf }: PlanFacts): Fact['values'][number] | undefined {
  const { aggregate: called, args, orderBy, filter, onlyWith, name } = aggregate
  if (!IGNORES_NULL.has(called) || args.length > 1 || orderBy.length > 0 || onlyWith) return undefined
  const [arg = called === 'count' ? integer(1) : undefined] = args
  const type = arg && (args.length > 0 ? typeOf(arg) : INT)
  if (!arg || !type || !EXACT.has(type.kind)) return undefined
  return { name, expression: onlyWhere(filter, arg), type, of: aggregate }
}

/** A NULL of these types beside a column changes nothing of its values, however the column is stored. */
const EXACT: ReadonlySet<string> = new Set(['int', 'decimal', 'date'])

const IGNORES_NULL: ReadonlySet<string> = new Set(['sum', 'count', 'count_distinct', 'min', 'max', 'avg'])

function united(facts: readonly Fact[], { node, rows }: Leg): Aggregate {
  const { start, joins, filters } = rows
  const links = joins.map((join) => linksOf(join, start.alias))
  const keys = links.flat().map(({ type }, at) => ({ name: `key_${at + 1}`, type }))
  const values = facts
    .flatMap((fact) => fact.values.map((value) => ({ ...value, fact })))
    .map((value, at) => ({ ...value, name: `value_${at + 1}` }))
  const all: LogicalPlan = {
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
        const absent: RowExpr = typedNull(type)
        return { name, type, expression: of === fact ? expression : absent }
      })
      return {
        kind: 'project',
        input: fact.start,
        alias: madeOf(fact.start.object, '_rows'),
        columns: [...linking, ...own],
      }
    }),
    columns: [...keys, ...values].map(({ name, type }) => ({ name, type })),
    reason: 'the rows of all facts, before they are joined with the same objects',
  }
  // The keys of the other facts are not declared to find a row.
  const joined = joins.map(({ on, matchedBy: _, ...join }, at): Join => {
    const before = links.slice(0, at).flat().length
    return { ...join, on: keyed(on, links[at] ?? [], keys.slice(before)) }
  })
  return {
    ...node,
    input: planOf({ start: all, joins: joined, filters }),
    alias: madeOf(start.object, '_facts'),
    aggregates: values.map(({ of, name, type }) => ({
      ...plainAggregate(of.name, of.aggregate, [relationColumn(ALIAS, name, type)], of.type),
      distinct: of.distinct,
    })),
    reason: `${node.reason}, and those of the other facts`,
  }
}

/** The condition over the united rows. */
const keyed = (on: Join['on'], links: readonly RelationColumn[], keys: readonly Pick<NamedExpr, 'name' | 'type'>[]): Join['on'] =>
  onLeaves(on, (leaf) => {
    const key = keys[links.findIndex((link) => isSame(link, leaf))]
    return key ? relationColumn(ALIAS, key.name, key.type) : leaf
  })
