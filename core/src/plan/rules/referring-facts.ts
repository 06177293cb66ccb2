import { firstOf, zip } from '../../invariant.js'
import { type DataType, INT } from '../../model/data-type.js'
import { madeOf } from '../../relation/relation.js'
import { freeName } from '../../resolve/aliases.js'
import { allOf, integer, isNotNull, onlyWhere } from '../../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { includesSame, isSame } from '../../same.js'
import { folded, isFolding } from '../folding.js'
import { mapPlans } from '../inputs.js'
import { joinedRowsOf, planOf, relationOf } from '../joined-rows.js'
import {
  type Aggregate,
  type Combine,
  type Distinct,
  type Filter,
  type Join,
  type NamedAggregate,
  type NamedExpr,
  plainAggregate,
  type Scan,
  sameColumn,
} from '../logical-plan.js'
import { neededBy } from '../null-rejecting.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { linksOf, pairsOf } from './pairs-of-rows.js'
import type { PlanFacts, Rule } from './rule.js'

/**
 * Two facts over the rows of one, if the other is limited to rows that it refers to: the conditions and the groups of both are then those of the same pairs of rows.
 * The pairs are aggregated by the groups and the row that is referred to, which thus counts once in each group, and then by the groups: a total of parts is the total
 * of all rows.
 */
export const referringFacts: Rule = {
  name: 'referring-facts',
  rephrases: true,
  shares: true,
  rewrite(node, facts) {
    // What is looked up for the rows may be one aggregation with one of the facts.
    if (node.kind === 'lookup') return undefined
    const together = mapPlans(node, (input) => (input.kind === 'combine' ? (withReferringFacts(input, facts) ?? input) : input))
    return together === node ? undefined : together
  },
}

function withReferringFacts({ keys, legs }: Combine, { typeOf }: PlanFacts): Aggregate | undefined {
  if (keys.length === 0 || legs.length !== 2 || !legs.every(({ contributesRows }) => contributesRows)) return undefined
  const nodes = legs.flatMap(({ input }) => (input.kind === 'aggregate' ? [input] : []))
  const referred = nodes.flatMap((node) => referredIn(node) ?? [])[0]
  const fact = nodes.flatMap((node) => factIn(node, typeOf) ?? [])[0]
  const found = referred && fact && referringTo(referred, fact)
  return found && inTwoSteps(found, madeOf(fact.rows.start.object, '_facts'))
}

/** Rows of which each counts once in each group of the rows that refer to it. */
interface Referred {
  readonly start: Scan
  readonly joins: readonly Join[]
  /** The rows that refer to them, with their joins. */
  readonly bridge: readonly [root: Join, ...Join[]]
  readonly filters: readonly Filter[]
  readonly groups: readonly NamedExpr[]
  readonly keys: readonly NamedExpr[]
  readonly values: readonly Value[]
}

/** An aggregate, and what it reads of each row that counts. */
interface Value {
  readonly of: NamedAggregate
  readonly expression: RowExpr
  readonly type: DataType
}

interface Fact {
  readonly node: Aggregate
  readonly rows: PlainRows
}

function factIn(node: Aggregate, typeOf: PlanFacts['typeOf']): Fact | undefined {
  const rows = plainRowsOf(node)
  return rows && node.aggregates.every((one) => isFolding(one, one.args.map(typeOf))) ? { node, rows } : undefined
}

/** `undefined` unless these are rows to which others refer by their key, each once in each group. */
function referredIn({ input, keys: own, aggregates, sets }: Aggregate): Referred | undefined {
  if (sets || input.kind !== 'distinct') return undefined
  const { start, joins, filters } = joinedRowsOf(input.input)
  const at = joins.findIndex((join) => !join.findsOne)
  const [root, ...more] = joins.slice(at)
  if (start.kind !== 'scan' || at < 0 || root?.right.kind !== 'scan' || !more.every((join) => join.findsOne)) return undefined
  const links = linksOf(
    root.on.filter(({ kind }) => kind !== 'holds'),
    start.alias,
  )
  const keys = (start.key ?? []).flatMap((name) => columnIn(input, start, name) ?? [])
  const isByKey = links?.length === start.key?.length && start.key?.every((name) => links?.some((link) => link.name === name))
  const bridge = [root, ...more] as const
  const isLinked = filters.some(({ condition }) => bridge.some((join) => neededBy(condition).has(relationOf(join))))
  if (!isByKey || keys.length === 0 || keys.length !== start.key?.length || !isLinked) return undefined
  const groups = own.flatMap((key) => readIn(input, key.expression) ?? [])
  const values = aggregates.flatMap((one) => valueIn(input, one) ?? [])
  if (groups.length < own.length || values.length < aggregates.length) return undefined
  return { start, joins: joins.slice(0, at), bridge, filters, groups, keys, values }
}

/** The column of the key among the columns that are distinct, after the groups. */
const columnIn = ({ columns }: Distinct, { alias }: Scan, name: string): NamedExpr | undefined =>
  columns.findLast(({ expression: e }) => e.kind === 'column' && e.table === alias && e.name === name)

const readIn = ({ columns, alias }: Distinct, e: RowExpr): NamedExpr | undefined =>
  e.kind === 'column' && e.table === alias ? columns.find(({ name }) => name === e.name) : undefined

/** Aggregates that ignore NULL and do not depend on the order of rows. */
const IGNORES_NULL: ReadonlySet<string> = new Set(['sum', 'count', 'count_distinct', 'min', 'max', 'avg'])

function valueIn(rows: Distinct, of: NamedAggregate): Value | undefined {
  const { aggregate, args, orderBy, filter, onlyWith } = of
  const [arg, ...more] = args
  const isCount = aggregate === 'count' && !arg
  if (!IGNORES_NULL.has(aggregate) || more.length > 0 || orderBy.length > 0 || filter || onlyWith) return undefined
  if (isCount) return { of, expression: integer(1), type: INT }
  const read = arg && readIn(rows, arg)
  // What is read is a group of the first step, and not every engine compares documents.
  return read && read.type.kind !== 'json' ? { of, expression: read.expression, type: read.type } : undefined
}

/** The rows that refer, with the row that each refers to. */
interface Referring extends Fact {
  readonly joins: readonly Join[]
  readonly base: string
  /** The key of the row that is referred to, without columns that are groups. */
  readonly keys: readonly NamedExpr[]
  readonly values: readonly Value[]
}

/** The rows of a fact with those of the other that they refer to; `undefined` if the two facts are not over the same pairs. */
function referringTo({ start, joins, bridge, filters, groups, keys, values }: Referred, fact: Fact): Referring | undefined {
  const [root, ...more] = bridge
  const pairs = pairsOf(fact.rows, { start, joins, root, more })
  if (!pairs) return undefined
  const { read, alike } = pairs
  const own = groups.map(({ expression }) => alike(read(expression)))
  const wanted = fact.node.keys.map(({ expression }) => alike(expression))
  const held = root.on.flatMap((term) => (term.kind === 'holds' ? [term.condition] : []))
  const conditions = [...filters.map(({ condition }) => condition), ...held].map((one) => alike(read(one)))
  const others = fact.rows.filters.map(({ condition }) => alike(condition))
  if (!isSame(own, wanted) || !isSameSet(conditions, others)) return undefined
  const key = keys.map((one) => ({ ...one, expression: read(one.expression) }))
  const found = firstOf(key).expression
  return {
    ...fact,
    joins: pairs.joins,
    base: start.object,
    keys: key.filter(({ expression }) => !wanted.some((group) => isSame(group, alike(expression)))),
    values: values.map((value) => ({ ...value, expression: ofFound(read(value.expression), pairs.alias, found) })),
  }
}

/** What an aggregate reads of a row that is referred to: NULL if the row does not count, or if there is none. */
function ofFound(value: RowExpr, alias: string, found: RowExpr): RowExpr {
  const [branch, ...more] = value.kind === 'case' && value.otherwise === undefined ? value.branches : []
  const counted = branch && more.length === 0 ? branch : undefined
  const expression = counted?.then ?? value
  const isAbsentAlone = expression.kind === 'column' && expression.table === alias
  return onlyWhere(allOf([...(isAbsentAlone ? [] : [isNotNull(found)]), ...(counted ? [counted.when] : [])]), expression)
}

function inTwoSteps({ node, rows, joins, base, keys: own, values }: Referring, alias: string): Aggregate {
  const keys: NamedExpr[] = [...node.keys]
  const carry = (name: string, read: Pick<NamedExpr, 'expression' | 'type'>): NamedExpr => {
    const known = keys.find(({ expression }) => isSame(expression, read.expression))
    if (known) return known
    const added = { name: freeName(name, [...keys, ...node.aggregates]), ...read }
    keys.push(added)
    return added
  }
  for (const { name, expression, type } of own) carry(name, { expression, type })
  const inputs = values.map(({ expression, type }, at) => carry(`value_${at + 1}`, { expression, type }))
  const pairs: Aggregate = { ...node, input: planOf({ ...rows, joins }), alias: madeOf(base, '_once'), keys }
  const column = ({ name, type }: Pick<NamedExpr, 'name' | 'type'>): RowExpr => relationColumn(pairs.alias, name, type)
  const ofReferred = zip(values, inputs).map(([{ of }, input]) => ({
    ...plainAggregate(of.name, of.aggregate, [column(input)], of.type),
    distinct: of.distinct,
  }))
  return {
    kind: 'aggregate',
    input: pairs,
    alias,
    keys: node.keys.map((key) => sameColumn(key, pairs.alias)),
    aggregates: [...pairs.aggregates.map((part) => folded(part, column(part))), ...ofReferred],
    reason: `${node.reason}, and each row of '${base}' once in each of its groups`,
  }
}

const isSameSet = (a: readonly RowExpr[], b: readonly RowExpr[]): boolean =>
  a.every((one) => includesSame(b, one)) && b.every((one) => includesSame(a, one))
