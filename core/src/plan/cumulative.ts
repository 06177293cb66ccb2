import { semiAdditiveKeys } from '../bind/block-request.js'
import type { BoundBlock, RowColumn } from '../bind/bound-block.js'
import type { BlockWindow, BoundFold } from '../bind/bound-query.js'
import { REFOLD } from '../bind/refold.js'
import { isRunning, isTrailing, runs } from '../bind/running-windows.js'
import { type DataType, FLOAT, INT } from '../model/data-type.js'
import { relationName } from '../resolve/aliases.js'
import { integer, isNotNull } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import { type BlockRows, planBlockKeys, planBlockRows, planUntaken } from './block.js'
import { countsByPeriods, isKey, planDistinctCount } from './distinct-counts.js'
import { type Aggregate, type LogicalPlan, type Lookup, type Project, plainAggregate, sameColumn } from './logical-plan.js'
import { planMultiFactWindow } from './multi-fact-window.js'
import { type Answered, dimensionsOf, oncePerWindow, overWindows } from './over-windows.js'
import { overPeriods, type RunningValue } from './running.js'
import { takenAndSummed } from './semi-additive.js'

/** Values over the window of each row, joined to the requesting rows. */
export interface Cumulative {
  readonly window: PeriodWindow
  readonly plan: Aggregate | Project
  readonly values: Lookup['values']
}

/** Per-period values aggregated over the periods of each row's window. `inner` has the window's dimensions and `value`. */
export function planFold(fold: BoundFold, inner: LogicalPlan, answered: Answered): Cumulative {
  const { window, name, type, aggregate } = fold
  const value = fold.query.outputs.at(-1)!
  const values = [{ name, type, emptyIsZero: false }]
  if (isFrame(window, answered) && (aggregate === 'count' || runs(value.type))) {
    const columns = [window.period, ...window.partition, value].map((c) => ({ name: c.name, type: c.type }))
    const right: LogicalPlan = { kind: 'shared', alias: 'per_period', input: inner, columns }
    const plan = overPeriods({ window, right, values: [foldedInOrder(fold, sameColumn(value).expression)] }, answered)
    return { window, plan, values }
  }
  const alias = 'per_period'
  const columns = [window.period, ...window.partition, value].map((c) => sameColumn(c))
  const right: LogicalPlan = { kind: 'project', input: inner, alias, columns, stage: true }
  const call = plainAggregate(name, aggregate, [relationColumn(alias, value.name, value.type)], type)
  const plan = overWindows({ window, right, alias, aggregates: [call] }, answered)
  return { window, plan, values }
}

/** The value of each period for a window function. A period counts if it has a value, and windows without periods have no count. */
function foldedInOrder({ name, type: folded, aggregate, query }: BoundFold, value: RowExpr): RunningValue {
  const { type } = query.outputs.at(-1)!
  if (aggregate === 'avg') return { name, type: FLOAT, expression: asDouble(value, type), function: 'avg', folded }
  if (aggregate !== 'count') return { name, type, expression: value, function: aggregate, folded }
  const branches = [{ when: isNotNull(value), then: integer(1) }]
  return { name, type: INT, expression: { kind: 'case', branches, otherwise: integer(0) }, function: 'sum', folded }
}

const asDouble = (operand: RowExpr, { kind }: DataType): RowExpr =>
  kind === 'float' ? operand : { kind: 'cast', operand, type: FLOAT }

/** Values of a block over the base rows of each row's window, absent or NULL if it has none; each distinct count is separate. */
export function planCumulative(bound: BoundBlock, over: BlockWindow, answered: Answered): readonly Cumulative[] {
  const counts = bound.aggregates.filter((a) => countsByPeriods(a, bound, over, answered))
  const isOther = ({ name }: RowColumn): boolean => !counts.some((count) => count.name === name)
  const aggregates = bound.aggregates.filter(isOther)
  const others = { ...bound, aggregates, values: bound.values.filter(isOther) }
  return [
    ...(aggregates.length > 0 ? [planTogether(others, over, answered)] : []),
    ...counts.map((count) => planCount(bound, count.name, over, answered)),
  ]
}

function planCount(bound: BoundBlock, name: string, { window }: BlockWindow, answered: Answered): Cumulative {
  const count = bound.aggregates.find((a) => a.name === name)!
  const plan = planDistinctCount(bound, count, window, answered)
  return { window, plan, values: [{ name, type: count.type, emptyIsZero: false }] }
}

function planTogether(bound: BoundBlock, over: BlockWindow, answered: Answered): Cumulative {
  const { facts, window } = over
  const isFunction = !facts && !bound.semiAdditive && isFolded(bound) && bound.aggregates.every(({ type }) => runs(type))
  if (!isFunction || !isFrame(window, answered)) return planOverRows(bound, over, answered)
  const input = planUntaken(bound, relationName(bound.base, '_periods'))
  const columns = [...input.keys, ...input.aggregates].map(({ name, type }) => ({ name, type }))
  const values = bound.aggregates.map(({ name, type, aggregate }): RunningValue => {
    const value = sameColumn({ name, type })
    return { ...value, function: REFOLD[aggregate] as RunningValue['function'], folded: type }
  })
  const right: LogicalPlan = { kind: 'shared', alias: input.alias, input, columns }
  const plan = overPeriods({ window, right, values }, answered)
  return { window, plan, values: values.map(({ name, folded }) => ({ name, type: folded, emptyIsZero: false })) }
}

const isFrame = (window: PeriodWindow, { rangeFrames }: Answered): boolean =>
  isRunning(window) || (rangeFrames && isTrailing(window))

/** Its values per period can be combined to those over several. */
const isFolded = ({ from, aggregates }: BoundBlock): boolean =>
  from.bridges.length === 0 && aggregates.every((a) => !a.distinct && a.aggregate in REFOLD)

/** A block over the base rows of each row's window: distinct values are counted once in it, even if they occur in several periods. */
export function planOverRows(block: BoundBlock, over: BlockWindow, answered: Answered): Cumulative {
  const { window, facts } = over
  const { semiAdditive } = block
  const values = block.values.map(({ name, type }) => ({ name, type, emptyIsZero: false }))
  if (!semiAdditive) return { window, values, plan: inWindows(block, { window, facts }, answered) }
  const times = { ...window, groupBy: [...window.groupBy, ...semiAdditiveKeys(semiAdditive)] }
  const inTime = inWindows(block, { window: times, facts }, answered)
  const groups = [...dimensionsOf(window), ...window.groupBy]
  const plan = takenAndSummed(inTime, { ...block, groups, semiAdditive }, 'running')
  return { window, values, plan }
}

/** The rows of a block, aggregated per window and by the groups within it. */
function inWindows(block: BoundBlock, { window, facts }: BlockWindow, answered: Answered): Aggregate {
  if (facts) return planMultiFactWindow(block, facts, window, answered)
  if (isFolded(block)) return overFolds(block, window, answered)
  const rows = isOfKeys(block) ? planBlockKeys(block) : planBlockRows(block)
  return overRows(rows, window, answered)
}

/** Duplicates within a period can be removed, whatever base rows they come from. */
const isOfKeys = ({ weight, aggregates }: BoundBlock): boolean =>
  weight === undefined &&
  aggregates.every((a) => (a.distinct || OF_SETS.has(a.aggregate)) && [...a.args, ...a.orderBy].every(({ type }) => isKey(type)))

/** Aggregates that ignore duplicates. */
const OF_SETS: ReadonlySet<string> = new Set(['min', 'max', 'any_value', 'bool_and', 'bool_or', 'approx_count_distinct'])

/** The rows of a block aggregated per window, and by `groupBy` within it. */
function overRows(block: BlockRows, window: PeriodWindow, answered: Answered): Aggregate {
  const { plan: right, alias, aggregates, distinct } = block
  const { groupBy } = window
  return distinct
    ? oncePerWindow(block, { window, groupBy }, answered)
    : overWindows({ window, right, alias, groupBy, aggregates }, answered)
}

/** Each base row belongs to one period, so the rows are aggregated per period first, and the few results are combined. */
function overFolds(block: BoundBlock, window: PeriodWindow, answered: Answered): Aggregate {
  const alias = relationName(block.base, '_periods')
  const aggregates = block.aggregates.map(({ name, type, aggregate }) =>
    plainAggregate(name, REFOLD[aggregate]!, [relationColumn(alias, name, type)], type),
  )
  const right = planUntaken(block, alias)
  return overWindows({ window, right, alias, groupBy: window.groupBy, aggregates }, answered)
}
