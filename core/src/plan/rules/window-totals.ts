import type { RowColumn } from '../../bind/bound-block.js'
import { REFOLD } from '../../bind/refold.js'
import { isTemporal } from '../../model/data-type.js'
import { includesSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import {
  type Aggregate,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedWindow,
  sameColumn,
} from '../logical-plan.js'
import { chainOf, isByOwnKeys, lookedUpFor } from '../lookup-chain.js'
import type { Rule } from './rule.js'
import { giversOf, type Total, type Totals, withConditions, withTotal } from './totals-of-groups.js'

/**
 * Values that are looked up at a coarser grain, as windows over the rows: a total of the groups is the total of their rows, because each row is in one group, and the
 * groups of a fact are all groups of its rows. So the rows are read once. It is left alone if values do not add up without rounding, or if the coarser rows are others.
 */
export const windowTotals: Rule = {
  name: 'window-totals',
  drops: true,
  rewrite: (node) => (node.kind === 'lookup' ? withWindows(node) : undefined),
}

/** The totals that are windows over the rows, and what is still looked up. */
interface WindowTotals extends Totals {
  readonly lookups: readonly Lookup[]
}

function withWindows(node: Lookup): LogicalPlan | undefined {
  const { rows: all, lookups } = chainOf(node)
  const window = all.kind === 'window' ? all : undefined
  const rows = window ? window.input : all
  const start: WindowTotals = { rows, lookups: [], calls: [], taken: [...columnsOf(node), ...columnsOf(rows)] }
  const { calls, ...found } = lookups.reduce((before, lookup) => withLookup(before, lookup), start)
  if (calls.length === 0) return undefined
  const columns = window?.columns ?? columnsOf(rows).map((column) => sameColumn(column))
  const withTotals: LogicalPlan = {
    kind: 'window',
    input: found.rows,
    alias: 'with_totals',
    columns,
    calls: [...calls, ...(window?.calls ?? [])],
  }
  return lookedUpFor(withTotals, found.lookups)
}

function withLookup(before: WindowTotals, lookup: Lookup): WindowTotals {
  const { from } = lookup
  const totals = from.kind === 'aggregate' && isByOwnKeys(lookup) ? totalsOf(lookup, from, before.rows) : []
  if (from.kind !== 'aggregate' || totals.length === 0) return { ...before, lookups: [...before.lookups, lookup] }
  const after: WindowTotals = { ...before, ...totals.reduce<Totals>((found, total) => withTotal(found, total), before) }
  const rest = from.aggregates.filter(({ name }) => !totals.some(({ call }) => call.name === name))
  if (rest.length === 0) return after
  const values = lookup.values.filter(({ name }) => rest.some((call) => call.name === name))
  return { ...after, lookups: [...before.lookups, { ...lookup, from: { ...from, aggregates: rest }, values }] }
}

/** The values at a coarser grain that are totals of the groups of a giver, with the conditions on their rows. */
function totalsOf({ values }: Lookup, from: Aggregate, rows: LogicalPlan): readonly Total[] {
  for (const giver of giversOf(from, rows)) {
    const isZero = (call: NamedAggregate): boolean => values.some(({ name, emptyIsZero }) => name === call.name && emptyIsZero)
    // A coarser group without a row has no count, but the total of its groups is 0.
    const isCounted = (call: NamedAggregate): boolean =>
      giver.conditions.length === 0 || !call.aggregate.startsWith('count') || isZero(call)
    const totals = from.aggregates.filter((call) => (folds(call) || countsApart(call, from, giver.groups)) && isCounted(call))
    if (totals.length > 0)
      return totals.map((call) => ({
        call: withConditions(call, giver.conditions),
        from,
        giver,
        emptyIsZero: isZero(call),
        window: (value) => windowOf(call, from, value),
      }))
  }
  return []
}

const windowOf = ({ name, type, aggregate }: NamedAggregate, { keys }: Aggregate, value: RowColumn): NamedWindow => ({
  name,
  type,
  function: REFOLD[aggregate] ?? 'sum',
  args: [sameColumn(value).expression],
  partitionBy: keys.map((key) => sameColumn(key).expression),
  orderBy: [],
})

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
