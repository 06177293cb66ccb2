import { semiAdditiveKeys } from '../bind/block-request.js'
import type { BoundAggregate, BoundBlock, NamedExpr, RowColumn } from '../bind/bound-block.js'
import type { BlockWindow, BoundFold } from '../bind/bound-query.js'
import { REFOLD } from '../bind/refold.js'
import type { DataType } from '../model/data-type.js'
import { madeOf } from '../relation/relation.js'
import { freeName } from '../resolve/aliases.js'
import { isNotNull } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import { type BlockRows, planBlockKeys, planBlockRows, planPartsOf, planUntaken } from './block.js'
import { filtered, planFrom } from './from.js'
import {
  type Aggregate,
  type Distinct,
  type LogicalPlan,
  type Lookup,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
} from './logical-plan.js'
import { planMultiFactWindow } from './multi-fact-window.js'
import { dimensionsOf, oncePerWindow, overWindows } from './over-windows.js'
import { takenAndSummed } from './semi-additive.js'

/** Values over the window of each row, joined to the requesting rows. */
export interface Cumulative {
  readonly window: PeriodWindow
  readonly plan: Aggregate | Project
  readonly values: Lookup['values']
}

/** Per-period values aggregated over the periods of each row's window. `inner` has the window's dimensions and `value`. */
export function planFold({ window, name, type, aggregate, query }: BoundFold, inner: LogicalPlan, rows: Shared): Cumulative {
  const value = query.outputs.at(-1)!
  const alias = 'per_period'
  const columns = [window.period, ...window.partition, value].map((c) => sameColumn(c))
  const right: LogicalPlan = { kind: 'project', input: inner, alias, columns, stage: true }
  const call = plainAggregate(name, aggregate, [relationColumn(alias, value.name, value.type)], type)
  const plan = overWindows({ window, right, alias, aggregates: [call] }, rows)
  return { window, plan, values: [{ name, type, emptyIsZero: false }] }
}

/** Values of a block over the base rows of each row's window, absent or NULL if it has none; each distinct count is separate. */
export function planCumulative(block: BoundBlock, over: BlockWindow, rows: Shared): readonly Cumulative[] {
  const counts = block.aggregates.filter((aggregate) => countsKeys(aggregate, block, over))
  const isOther = ({ name }: RowColumn): boolean => !counts.some((count) => count.name === name)
  const aggregates = block.aggregates.filter(isOther)
  const others = { ...block, aggregates, values: block.values.filter(isOther) }
  return [
    ...(aggregates.length > 0 ? [planOverRows(others, over, rows)] : []),
    ...counts.map((count) => planDistinctCount(block, count, over, rows)),
  ]
}

/** Whether values that are counted once in a window can be made distinct within each period. */
const countsKeys = ({ aggregate, args }: BoundAggregate, { semiAdditive, weight }: BoundBlock, { facts }: BlockWindow): boolean =>
  !(semiAdditive || weight || facts) && aggregate === 'count_distinct' && args.every(({ type }) => isKey(type))

/** Equality of doubles has special rules, and JSON texts cannot be compared everywhere. */
const isKey = ({ kind }: DataType): boolean => kind !== 'float' && kind !== 'json'

/** The values that count, each once in each of its periods, and their number in each window. */
function planDistinctCount(block: BoundBlock, count: BoundAggregate, { window }: BlockWindow, rows: Shared): Cumulative {
  const { name, type } = count
  const right = countedKeys(block, count)
  const { alias } = right
  const args = right.columns.slice(block.groupBy.length).map((value) => sameColumn(value, alias).expression)
  const aggregates = [{ ...plainAggregate(name, 'count_distinct', args, type), distinct: true }]
  const plan = overWindows({ window, right, alias, groupBy: window.groupBy, aggregates }, rows)
  return { window, plan, values: [{ name, type, emptyIsZero: false }] }
}

/** The groups and the values of the rows that count: those without NULL values. */
function countedKeys({ base, from, where, groupBy }: BoundBlock, { args, filter }: BoundAggregate): Distinct {
  const values: NamedExpr[] = []
  for (const { expression, type } of args) values.push({ name: freeName('value', [...groupBy, ...values]), expression, type })
  const conditions = [...(filter ? [filter] : []), ...values.map(({ expression }) => isNotNull(expression))]
  const counted = conditions.map((expression) => ({ expression, reason: 'rows with a value that counts' }))
  return {
    kind: 'distinct',
    input: filtered(planFrom(from, planPartsOf()), [...where, ...counted]),
    alias: madeOf(base, '_keys'),
    columns: [...groupBy, ...values],
    reason: 'each value once in each period',
  }
}

/** Its values per period can be combined to those over several. */
const isFolded = ({ from, aggregates }: BoundBlock): boolean =>
  from.bridges.length === 0 && aggregates.every((a) => !a.distinct && a.aggregate in REFOLD)

/** A block over the base rows of each row's window: distinct values are counted once in it, even if they occur in several periods. */
export function planOverRows(block: BoundBlock, over: BlockWindow, rows: Shared): Cumulative {
  const { window, facts } = over
  const { semiAdditive } = block
  const values = block.values.map(({ name, type }) => ({ name, type, emptyIsZero: false }))
  if (!semiAdditive) return { window, values, plan: inWindows(block, { window, facts }, rows) }
  const times = { ...window, groupBy: [...window.groupBy, ...semiAdditiveKeys(semiAdditive)] }
  const inTime = inWindows(block, { window: times, facts }, rows)
  const groups = [...dimensionsOf(window), ...window.groupBy]
  const plan = takenAndSummed(inTime, { ...block, groups, semiAdditive }, 'running')
  return { window, values, plan }
}

/** The rows of a block, aggregated per window and by the groups within it. */
function inWindows(block: BoundBlock, { window, facts }: BlockWindow, rows: Shared): Aggregate {
  if (facts) return planMultiFactWindow(block, facts, window, rows)
  if (isFolded(block)) return overFolds(block, window, rows)
  return overRows(isOfKeys(block) ? planBlockKeys(block) : planBlockRows(block), window, rows)
}

/** Duplicates within a period can be removed, whatever base rows they come from. */
const isOfKeys = ({ weight, aggregates }: BoundBlock): boolean =>
  weight === undefined &&
  aggregates.every((a) => (a.distinct || OF_SETS.has(a.aggregate)) && [...a.args, ...a.orderBy].every(({ type }) => isKey(type)))

/** Aggregates that ignore duplicates. */
const OF_SETS: ReadonlySet<string> = new Set(['min', 'max', 'any_value', 'bool_and', 'bool_or', 'approx_count_distinct'])

/** The rows of a block aggregated per window, and by `groupBy` within it. */
function overRows(block: BlockRows, window: PeriodWindow, rows: Shared): Aggregate {
  const { plan: right, alias, aggregates, distinct } = block
  const { groupBy } = window
  return distinct
    ? oncePerWindow(block, { window, groupBy }, rows)
    : overWindows({ window, right, alias, groupBy, aggregates }, rows)
}

/** Each base row belongs to one period, so the rows are aggregated per period first, and the few results are combined. */
function overFolds(block: BoundBlock, window: PeriodWindow, rows: Shared): Aggregate {
  const alias = madeOf(block.base, '_periods')
  const aggregates = block.aggregates.map(({ name, type, aggregate }) =>
    plainAggregate(name, REFOLD[aggregate]!, [relationColumn(alias, name, type)], type),
  )
  const right = planUntaken(block, alias)
  return overWindows({ window, right, alias, groupBy: window.groupBy, aggregates }, rows)
}
