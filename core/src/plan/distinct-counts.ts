import type { BoundAggregate, BoundBlock, NamedExpr } from '../bind/bound-block.js'
import type { BlockWindow } from '../bind/bound-query.js'
import { isRunning, isTrailing } from '../bind/running-windows.js'
import { type DataType, INT } from '../model/data-type.js'
import { freeName, relationName } from '../resolve/aliases.js'
import { anyOf, binary, coalesce, integer, isNotNull, isNull, onlyWhere } from '../resolve/expressions.js'
import { periodAfter, truncated } from '../resolve/grain-expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending, type PeriodWindow } from '../resolve/resolved-query.js'
import { planUntaken } from './block.js'
import { type Aggregate, type LogicalPlan, type NamedWindow, type Project, plainAggregate, sameColumn } from './logical-plan.js'
import { type Answered, dimensionsOf } from './over-windows.js'
import { overPeriods, type RunningValue } from './running.js'

/** Whether a distinct count in windows can be computed from the periods of each value. */
export const countsByPeriods = (
  { aggregate, args }: BoundAggregate,
  { semiAdditive, weight }: BoundBlock,
  { window, facts }: BlockWindow,
  { rangeFrames }: Answered,
): boolean =>
  (isRunning(window) || (rangeFrames && isTrailing(window))) &&
  !(semiAdditive || weight || facts) &&
  aggregate === 'count_distinct' &&
  args.every(({ type }) => isKey(type))

/** Equality of doubles has special rules, and JSON texts cannot be compared everywhere. */
export const isKey = ({ kind }: DataType): boolean => kind !== 'float' && kind !== 'json'

/** A distinct count over the window of each row, without the pairs of windows and rows. */
export function planDistinctCount(block: BoundBlock, count: BoundAggregate, window: PeriodWindow, answered: Answered): Project {
  const { base } = block
  const per = (input: LogicalPlan, values: Aggregate['aggregates']): LogicalPlan => {
    const keys = [window.period, ...window.partition].map((d) => sameColumn(d))
    const alias = relationName(base, '_periods')
    const plan: LogicalPlan = { kind: 'aggregate', input, alias, keys, aggregates: values, reason: 'the values of each period' }
    return { kind: 'shared', alias, input: plan, columns: [...keys, ...values].map(({ name, type }) => ({ name, type })) }
  }
  const read = keysOf(block, count, window)
  const { name, type } = count
  if (window.periods === undefined) {
    const right = per(firsts(read, window), [plainAggregate(name, 'count', [], INT)])
    const value: RunningValue = { ...sameColumn({ name, type }), function: 'sum', folded: type }
    return overPeriods({ window, right, values: [value] }, answered)
  }
  const beside = [count, ...dimensionsOf(window), window.period]
  const [begun, ended] = [freeName('begun', beside), freeName('ended', beside)]
  const { plan, begins, ends } = neighbours(read, window, window.periods)
  const ofRows = (name: string, condition: RowExpr) => plainAggregate(name, 'count', [onlyWhere(condition, integer(1))], INT)
  const right = per(plan, [ofRows(begun, begins), ofRows(ended, ends)])
  const column = (name: string): RowExpr => relationColumn('', name, INT)
  const since: RunningValue = {
    name: begun,
    type: INT,
    expression: binary('-', column(begun), column(ended)),
    function: 'sum',
    folded: INT,
    sinceFirst: true,
  }
  const within: RunningValue = { ...sameColumn({ name: ended, type: INT }), function: 'sum', folded: INT }
  const expression = binary('+', column(begun), coalesce(column(ended), integer(0)))
  return overPeriods({ window, right, values: [since, within], results: [{ name, type, expression }] }, answered)
}

/** A block that only reads keys, and the names of the counted values. */
interface Keys {
  readonly block: BoundBlock
  readonly period: NamedExpr
  readonly partition: readonly NamedExpr[]
  readonly values: readonly NamedExpr[]
}

/** The rows that count: those without NULL values. A row without a period comes after all periods, where no window reads it. */
function keysOf(block: BoundBlock, { args, filter }: BoundAggregate, { period: time }: PeriodWindow): Keys {
  const values: NamedExpr[] = []
  for (const { expression, type } of args)
    values.push({ name: freeName('value', [...block.groupBy, ...values]), expression, type })
  const isPeriod = ({ name }: NamedExpr): boolean => name === time.name
  const period = block.groupBy.find(isPeriod)!
  const partition = block.groupBy.filter((key) => !isPeriod(key))
  const conditions = [...(filter ? [filter] : []), ...values.map(({ expression }) => isNotNull(expression))]
  const reason = 'rows with a value that counts'
  return {
    block: { ...block, where: [...block.where, ...conditions.map((expression) => ({ expression, reason }))], onceBy: undefined },
    period,
    partition,
    values,
  }
}

/** Each value at its first period, or at its first within each longer period if windows begin with one. */
function firsts({ block, period, partition, values }: Keys, { toDate }: PeriodWindow): Aggregate {
  const since = toDate && {
    name: freeName('since', [...block.groupBy, ...values]),
    type: period.type,
    expression: truncated(toDate, period.expression),
  }
  const first = { ...plainAggregate(period.name, 'min', [], period.type), args: [period] }
  const read: BoundBlock = {
    ...block,
    groupBy: [...partition, ...(since ? [since] : []), ...values],
    aggregates: [first],
    reason: 'each value at its first period',
  }
  return planUntaken(read, relationName(block.base, '_firsts'))
}

interface Neighbours {
  readonly plan: LogicalPlan
  /** The value was in no earlier period that can be in one window with this one. */
  readonly begins: RowExpr
  /** And it is in none after. */
  readonly ends: RowExpr
}

/** Each value once in each of its periods, with the previous and the next one. */
function neighbours({ block, period, partition, values }: Keys, { grain }: PeriodWindow, periods: number): Neighbours {
  const read: BoundBlock = {
    ...block,
    groupBy: [period, ...partition, ...values],
    aggregates: [],
    reason: 'each value once in each period',
  }
  const { name, type } = period
  const at = relationColumn('', name, type)
  const [before, after] = [freeName('before', read.groupBy), freeName('after', read.groupBy)]
  const neighbour = (column: string, called: 'lag' | 'lead'): NamedWindow => ({
    name: column,
    type,
    function: called,
    args: [at],
    partitionBy: [...partition, ...values].map((key) => sameColumn(key).expression),
    orderBy: [ascending<RowExpr>(at, type)],
  })
  const [previous, next] = [relationColumn('', before, type), relationColumn('', after, type)]
  const start = (of: RowExpr): RowExpr => periodAfter(grain, integer(1 - periods), of)
  return {
    plan: {
      kind: 'window',
      input: planUntaken(read, relationName(block.base, '_keys')),
      alias: relationName(block.base, '_neighbours'),
      columns: [period, ...partition].map((key) => sameColumn(key)),
      calls: [neighbour(before, 'lag'), neighbour(after, 'lead')],
    },
    begins: anyOf([isNull(previous), binary('<', previous, start(at))]),
    ends: anyOf([isNull(next), binary('<', at, start(next))]),
  }
}
