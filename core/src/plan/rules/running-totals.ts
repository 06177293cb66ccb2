import type { RowColumn } from '../../bind/bound-block.js'
import { REFOLD } from '../../bind/refold.js'
import { isRunning, runs, showsPeriod } from '../../bind/running-windows.js'
import { isNotNull } from '../../resolve/expressions.js'
import { truncated } from '../../resolve/grain-expressions.js'
import { ascending, type PeriodWindow } from '../../resolve/resolved-query.js'
import { isSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import { mapPlans } from '../inputs.js'
import {
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedWindow,
  type RowExpr,
  type Shared,
  sameColumn,
} from '../logical-plan.js'
import { chainOf, lookedUpFor } from '../lookup-chain.js'
import type { Rule } from './rule.js'
import { giversOf, type Total, type Totals, withConditions, withTotal } from './totals-of-groups.js'
import { windowValuesOf } from './windows-of.js'

/**
 * Values over all periods up to that of a row, as windows over the rows of the answer: where the groups of a fact have all rows of the windows, the value of a window is
 * the total of the groups up to its last period, because each row is in one group. So the rows are read once.
 */
export const runningTotals: Rule = {
  name: 'running-totals',
  needs: ['peerFrames'],
  drops: true,
  rewrite: (node) => (node.kind === 'lookup' ? withRunning(node) : undefined),
}

/** The totals that are windows over the rows, and what is still looked up for these. */
interface RunningTotals extends Totals {
  readonly lookups: readonly Lookup[]
}

function withRunning(node: Lookup): LogicalPlan | undefined {
  const { rows: answer, lookups } = chainOf(node)
  if (answer.kind !== 'shared') return undefined
  const below = chainOf(answer.input)
  const start: RunningTotals = { rows: below.rows, calls: [], taken: columnsOf(node), lookups: [] }
  const found = lookups.reduce((before, lookup) => withLookup(before, lookup), start)
  const { calls } = found
  if (calls.length === 0) return undefined
  const columns = columnsOf(below.rows).map((column) => sameColumn(column))
  const rows = lookedUpFor({ kind: 'window', alias: 'with_totals', input: found.rows, columns, calls }, below.lookups)
  return found.lookups.length === 0 ? rows : aboveRows(answer, { ...found, rows })
}

/** What is looked up for the windows of an answer, for its rows with totals. */
function aboveRows(answer: Shared, { rows, calls, lookups }: RunningTotals): LogicalPlan {
  const added = calls.map(({ name, type }): RowColumn => ({ name, type }))
  const whole: Shared = { ...answer, input: rows, columns: [...answer.columns, ...added] }
  const replaced = (plan: LogicalPlan): LogicalPlan =>
    plan.kind === 'shared' && isSame(plan, answer) ? whole : mapPlans(plan, replaced)
  return lookedUpFor(
    whole,
    lookups.map((lookup) => ({ ...lookup, from: replaced(lookup.from) })),
  )
}

function withLookup(before: RunningTotals, lookup: Lookup): RunningTotals {
  const totals = totalsOf(lookup, before.rows)
  const after: RunningTotals = { ...before, ...totals.reduce<Totals>((found, total) => withTotal(found, total), before) }
  return { ...after, lookups: [...before.lookups, ...withoutTotals(lookup, totals)] }
}

/** A lookup of the other values, if there are any. */
function withoutTotals(lookup: Lookup, totals: readonly Total[]): readonly Lookup[] {
  const isOther = ({ name }: RowColumn): boolean => !totals.some(({ call }) => call.name === name)
  const { from } = lookup
  if (totals.length === 0 || from.kind !== 'aggregate') return [lookup]
  const aggregates = from.aggregates.filter(isOther)
  if (aggregates.length === 0) return []
  return [{ ...lookup, from: { ...from, aggregates }, values: lookup.values.filter(isOther) }]
}

/** The values up to the period of each row that are totals of groups. */
function totalsOf(lookup: Lookup, rows: LogicalPlan): readonly Total[] {
  const { window, right } = windowValuesOf(lookup) ?? {}
  if (!window || right?.kind !== 'aggregate' || !isRunning(window) || !showsPeriod(window)) return []
  const [giver] = giversOf(right, rows)
  if (!giver) return []
  return right.aggregates.filter(foldsInOrder).map((call) => ({
    call: withConditions(call, giver.conditions),
    from: right,
    giver,
    emptyIsZero: call.aggregate.startsWith('count'),
    window: (value) => windowOf(call, window, value),
  }))
}

const foldsInOrder = ({ aggregate, type, distinct, orderBy, onlyWith }: NamedAggregate): boolean =>
  REFOLD[aggregate] !== undefined && !distinct && !onlyWith && orderBy.length === 0 && runs(type)

function windowOf({ name, type, aggregate }: NamedAggregate, window: PeriodWindow, value: RowColumn): NamedWindow {
  const { time, partition, toDate } = window
  const at: RowExpr = sameColumn(time).expression
  return {
    name,
    type,
    function: REFOLD[aggregate] ?? 'sum',
    args: [sameColumn(value).expression],
    partitionBy: [...partition.map((d) => sameColumn(d).expression), ...(toDate === undefined ? [] : [truncated(toDate, at)])],
    orderBy: [ascending(at, time.type)],
    where: isNotNull(at),
  }
}
