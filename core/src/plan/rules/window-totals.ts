import type { RowColumn } from '../../bind/bound-block.js'
import { REFOLD } from '../../bind/refold.js'
import { isTemporal } from '../../model/data-type.js'
import { freeName } from '../../resolve/aliases.js'
import { allOf } from '../../resolve/expressions.js'
import { includesSame, isSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import { planOf } from '../joined-rows.js'
import {
  type Aggregate,
  type Combine,
  type Leg,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedWindow,
  type RowExpr,
  sameColumn,
} from '../logical-plan.js'
import { chainOf, isByOwnKeys, lookedUpFor } from '../lookup-chain.js'
import { conditionsBeside, conditionsOf, isOfSameRows, missingJoins, singleRowsOf } from '../same-rows.js'
import type { Rule } from './rule.js'

/**
 * Values that are looked up at a coarser grain, as windows over the rows: a total of the groups is the total of their rows, because each row is in one group, and the
 * groups of a fact are all groups of its rows. So the rows are read once. It is left alone if values do not add up without rounding, or if the coarser rows are others.
 */
export const windowTotals: Rule = {
  name: 'window-totals',
  drops: true,
  rewrite: (node) => (node.kind === 'lookup' ? withWindows(node) : undefined),
}

/** The rows, as far as looked-up values are windows over them. */
interface Totals {
  readonly rows: LogicalPlan
  readonly lookups: readonly Lookup[]
  readonly calls: readonly NamedWindow[]
  readonly taken: readonly RowColumn[]
}

function withWindows(node: Lookup): LogicalPlan | undefined {
  const { rows: all, lookups } = chainOf(node)
  const window = all.kind === 'window' ? all : undefined
  const rows = window ? window.input : all
  const start: Totals = { rows, lookups: [], calls: [], taken: [...columnsOf(node), ...columnsOf(rows)] }
  const { calls, ...found } = lookups.reduce((before, lookup) => withLookup(before, lookup), start)
  if (calls.length === 0) return undefined
  const columns = window?.columns ?? columnsOf(rows).map((column) => sameColumn(column))
  const withTotals: LogicalPlan = {
    kind: 'window',
    input: found.rows.kind === 'combine' ? withEveryRow(found.rows) : found.rows,
    alias: 'with_totals',
    columns,
    calls: [...calls, ...(window?.calls ?? [])],
  }
  return lookedUpFor(
    withTotals,
    found.lookups.map((lookup) => (lookup.wider ? { ...lookup, wider: [...lookup.wider, ...calls] } : lookup)),
  )
}

function withLookup(before: Totals, lookup: Lookup): Totals {
  const { from } = lookup
  const found = from.kind === 'aggregate' && isByOwnKeys(lookup) ? coarserOf(lookup, from, before.rows) : undefined
  if (!found) return { ...before, lookups: [...before.lookups, lookup] }
  const after = found.totals.reduce((totals, call) => withTotal(totals, call, found), before)
  const rest = found.from.aggregates.filter(({ name }) => !found.totals.some((call) => call.name === name))
  if (rest.length === 0) return after
  const values = lookup.values.filter(({ name }) => rest.some((call) => call.name === name))
  return { ...after, lookups: [...before.lookups, { ...lookup, from: { ...found.from, aggregates: rest }, values }] }
}

/** What is computed of rows of a giver at a coarser grain: those of its values that are totals of groups, with the conditions on their rows. */
function coarserOf(lookup: Lookup, from: Aggregate, rows: LogicalPlan): Coarser | undefined {
  for (const [place, giver] of giversIn(rows).entries()) {
    const conditions = conditionsOfRowsOf(giver, from)
    const isZero = (call: NamedAggregate): boolean =>
      lookup.values.some(({ name, emptyIsZero }) => name === call.name && emptyIsZero)
    // A coarser group without a row has no count, but the total of its groups is 0.
    const isCounted = (call: NamedAggregate): boolean =>
      conditions?.length === 0 || !call.aggregate.startsWith('count') || isZero(call)
    const totals = from.aggregates.filter((call) => (folds(call) || countsApart(call, from, giver)) && isCounted(call))
    if (conditions && totals.length > 0)
      return { lookup, from, giver, place, totals: totals.map((call) => withConditions(call, conditions)) }
  }
  return undefined
}

const withConditions = (call: NamedAggregate, conditions: readonly RowExpr[]): NamedAggregate =>
  conditions.length === 0 ? call : { ...call, filter: allOf([...conditions, ...(call.filter ? [call.filter] : [])]) }

interface Coarser {
  readonly lookup: Lookup
  readonly from: Aggregate
  readonly giver: Aggregate
  /** Its place among the givers, which it keeps: several may have one name and the same keys. */
  readonly place: number
  readonly totals: readonly NamedAggregate[]
}

/** With the window, over a value of the rows that is added unless they have it. */
function withTotal(
  { rows, calls, taken, lookups }: Totals,
  call: NamedAggregate,
  { lookup, from, giver, place }: Coarser,
): Totals {
  const now = giversIn(rows)[place] ?? giver
  const known = now.aggregates.find((own) => isSame({ ...own, name: '' }, { ...call, name: '' }))
  const fine = known ?? { ...call, name: freeName(`${call.name} (detail)`, taken) }
  const emptyIsZero = lookup.values.some(({ name, emptyIsZero }) => name === call.name && emptyIsZero)
  const window: NamedWindow = {
    name: call.name,
    type: call.type,
    function: REFOLD[call.aggregate] ?? 'sum',
    args: [sameColumn(fine).expression],
    partitionBy: from.keys.map((key) => sameColumn(key).expression),
    orderBy: [],
  }
  return {
    rows: known
      ? rows
      : withValue(rows, now, { node: withAggregate(now, fine, from), value: { name: fine.name, type: fine.type, emptyIsZero } }),
    calls: [...calls, window],
    taken: known ? taken : [...taken, fine],
    lookups,
  }
}

/** The aggregations whose groups are all groups of their rows. */
function giversIn(rows: LogicalPlan): readonly Aggregate[] {
  const inputs = rows.kind === 'combine' ? rows.legs.flatMap((leg) => (leg.contributesRows ? [leg.input] : [])) : [rows]
  return inputs.filter((input) => input.kind === 'aggregate')
}

/** The conditions by which a coarser aggregation reads fewer rows than the finer one; `undefined` if it reads others. */
function conditionsOfRowsOf(fine: Aggregate, coarse: Aggregate): readonly RowExpr[] | undefined {
  const [own, theirs] = [singleRowsOf(fine), singleRowsOf(coarse)]
  if (!own || !theirs || !isOfSameRows(own, theirs) || !coarse.keys.every((key) => includesSame(fine.keys, key))) return undefined
  const [where, others] = [own.filters.map(({ condition }) => condition), conditionsOf(coarse, theirs)]
  return conditionsBeside(where, others).length > 0 ? undefined : conditionsBeside(others, where)
}

/** The aggregation with another value, and with the joins that it needs. */
function withAggregate(fine: Aggregate, call: NamedAggregate, coarse: Aggregate): Aggregate {
  const [own, theirs] = [singleRowsOf(fine), singleRowsOf(coarse)]
  const added = own && theirs ? missingJoins(theirs, own) : []
  const input = own && added.length > 0 ? planOf({ ...own, joins: [...own.joins, ...added] }) : fine.input
  return { ...fine, input, aggregates: [...fine.aggregates, call] }
}

interface Added {
  readonly node: Aggregate
  readonly value: Leg['values'][number]
}

function withValue(rows: LogicalPlan, giver: Aggregate, { node, value }: Added): LogicalPlan {
  if (rows.kind !== 'combine') return node
  const legs = rows.legs.map((leg) => (leg.input === giver ? { ...leg, input: node, values: [...leg.values, value] } : leg))
  return { ...rows, legs }
}

/** A total reads rows that are left out afterwards, so that no fact leads because of a condition on the rows. */
function withEveryRow(plan: Combine): Combine {
  if (plan.legs.filter(({ contributesRows }) => contributesRows).length < 2) return plan
  const { leading: _, ...rest } = plan
  return { ...rest, legs: plan.legs.map(({ isWider: _, ...leg }) => leg) }
}

/** Sums of floats depend on the order of addition; texts have their own order. */
function folds({ aggregate, type, distinct, orderBy, onlyWith }: NamedAggregate): boolean {
  const fold = REFOLD[aggregate]
  if (fold === undefined || distinct || onlyWith || orderBy.length > 0) return false
  return type.kind === 'int' || type.kind === 'decimal' || (fold !== 'sum' && (type.kind === 'float' || isTemporal(type)))
}

/**
 * A distinct count of the column that distinguishes the groups of one coarser row: no value of it is in two groups. Approximate counts depend on what they
 * count at once.
 */
function countsApart({ aggregate, distinct, args, onlyWith }: NamedAggregate, coarse: Aggregate, fine: Aggregate): boolean {
  if (onlyWith || !(aggregate === 'count_distinct' || (aggregate === 'count' && distinct))) return false
  const beside = fine.keys.filter((key) => !includesSame(coarse.keys, key))
  return beside.every(({ expression }) => expression.kind === 'column' && includesSame(args, expression))
}
