import { leavesOf } from '../../model/expression/ast.js'
import { allOf, anyOf, TRUE } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { includesSame, isSame } from '../../same.js'
import { planOf } from '../joined-rows.js'
import type { Aggregate, Combine, Filter, Join, Leg, LogicalPlan, NamedAggregate } from '../logical-plan.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { termsOf } from '../spans.js'
import type { Rule } from './rule.js'

/**
 * Aggregations of the same rows that differ in the range of one column, such as a number and that of a year before, as one: over the rows that are in any of the ranges,
 * where each aggregate counts those of its range. An aggregate of rows that meet a condition is the aggregate of all rows, filtered by it. A group exists if a row of any
 * range is in it, as where the groups are combined. An engine that reads a table row by row reads it once. Others read each range faster alone (decision 438).
 */
export const onePass: Rule = {
  name: 'one-pass',
  needs: ['readsByRow'],
  rephrases: true,
  rewrite(node) {
    if (node.kind === 'combine') return withOnePass(node)
    return node.kind === 'join' && node.type === 'cross' ? besideEachOther(node) : undefined
  },
}

/** An aggregation and what it reads, with the conditions one by one. */
interface Ranged {
  readonly node: Aggregate
  readonly rows: PlainRows
  readonly conditions: readonly RowExpr[]
}

/** Numbers without groups stand side by side. */
function besideEachOther(node: Join): LogicalPlan | undefined {
  const plans = sideBySide(node)
  const kept: LogicalPlan[] = []
  for (const plan of plans) {
    const at = kept.findIndex((one) => merged(one, plan) !== undefined)
    const both = at < 0 ? undefined : merged(kept[at]!, plan)
    if (both) kept[at] = both
    else kept.push(plan)
  }
  if (kept.length === plans.length) return undefined
  return kept.slice(1).reduce<LogicalPlan>((left, right) => ({ ...node, left, right }), kept[0]!)
}

const sideBySide = (plan: LogicalPlan): readonly LogicalPlan[] =>
  plan.kind === 'join' && plan.type === 'cross' ? [...sideBySide(plan.left), plan.right] : [plan]

/** Groups are rows of the answer for each of the ranges. */
function withOnePass(node: Combine): LogicalPlan | undefined {
  if (node.making) return undefined
  const kept: Leg[] = []
  for (const leg of node.legs) {
    const at = kept.findIndex((one) => mergedLegs(one, leg) !== undefined)
    const both = at < 0 ? undefined : mergedLegs(kept[at]!, leg)
    if (both) kept[at] = both
    else kept.push(leg)
  }
  if (kept.length === node.legs.length) return undefined
  const [only, ...others] = kept
  return only && others.length === 0 ? only.input : { ...node, legs: kept }
}

function mergedLegs(one: Leg, other: Leg): Leg | undefined {
  if (!one.contributesRows || !other.contributesRows) return undefined
  const input = merged(one.input, other.input)
  const values = [...one.values, ...other.values]
  // What has no row in its own range is then what the aggregate makes of it: zero for counts, and NULL for all others.
  const isCount = (name: string): boolean =>
    input?.aggregates.some((call) => call.name === name && call.aggregate.startsWith('count')) ?? false
  return input && values.every(({ name, emptyIsZero }) => emptyIsZero === isCount(name)) ? { ...one, input, values } : undefined
}

function merged(one: LogicalPlan, other: LogicalPlan): Aggregate | undefined {
  const [a, b] = [rangedOf(one), rangedOf(other)]
  if (!a || !b || !isSame([a.rows.start, a.rows.joins, a.node.keys], [b.rows.start, b.rows.joins, b.node.keys])) return undefined
  const common = a.conditions.filter((condition) => includesSame(b.conditions, condition))
  const isOwn = (condition: RowExpr): boolean => !includesSame(common, condition)
  const [own, theirs] = [a.conditions.filter(isOwn), b.conditions.filter(isOwn)]
  if (!isOfOneColumn([...own, ...theirs])) return undefined
  const names = [...a.node.aggregates, ...b.node.aggregates].map(({ name }) => name)
  if (new Set(names).size < names.length) return undefined
  const either = own.length === 0 || theirs.length === 0 ? [] : [anyOf([allOf(own)!, allOf(theirs)!])]
  const filters = [...common, ...either].map((condition): Filter => ({ ...FILTER, input: a.rows.start, condition }))
  const aggregates = [
    ...a.node.aggregates.map((call) => within(call, own)),
    ...b.node.aggregates.map((call) => within(call, theirs)),
  ]
  return { ...a.node, input: planOf({ ...a.rows, filters }), aggregates, reason: `${a.node.reason}, each range in one pass` }
}

const FILTER = { kind: 'filter', reason: 'the rows of any of the ranges' } as const

function rangedOf(plan: LogicalPlan): Ranged | undefined {
  if (plan.kind !== 'aggregate' || plan.onlyWithRows || !plan.aggregates.every(takesFilter)) return undefined
  const rows = plainRowsOf(plan)
  if (!rows || rows.filters.some(({ isNear }) => isNear)) return undefined
  return { node: plan, rows, conditions: rows.filters.flatMap(({ condition }) => termsOf(condition, 'and')) }
}

/** The conditions are ranges of one time, or of another column. */
function isOfOneColumn(conditions: readonly RowExpr[]): boolean {
  const columns = conditions.flatMap((condition) => leavesOf<RelationColumn>(condition))
  const [first] = columns
  return first !== undefined && columns.every((column) => isSame(column, first))
}

/** They ignore the rows that a filter leaves out, and are NULL or zero without any. */
const FILTERED: ReadonlySet<string> = new Set(['sum', 'count', 'count_distinct', 'count_if', 'min', 'max', 'avg'])

const takesFilter = ({ aggregate, orderBy }: NamedAggregate): boolean => FILTERED.has(aggregate) && orderBy.length === 0

/** The aggregate of the rows that also meet these conditions. */
const within = (call: NamedAggregate, own: readonly RowExpr[]): NamedAggregate => {
  const { filter, onlyWith } = call
  if (own.length === 0) return call
  const both = (condition: RowExpr | undefined) => allOf([...own, ...(condition && !isSame(condition, TRUE) ? [condition] : [])])!
  return { ...call, filter: both(filter), ...(onlyWith && { onlyWith: both(onlyWith) }) }
}
