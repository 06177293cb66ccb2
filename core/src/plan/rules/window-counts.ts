import { INT } from '../../model/data-type.js'
import { madeOf } from '../../relation/relation.js'
import { freeName } from '../../resolve/aliases.js'
import { anyOf, binary, coalesce, integer, isNull, onlyWhere } from '../../resolve/expressions.js'
import { periodAfter, truncated } from '../../resolve/grain-expressions.js'
import { type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { ascending, type PeriodWindow } from '../../resolve/resolved-query.js'
import { baseOf } from '../base.js'
import {
  type Aggregate,
  type Distinct,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedExpr,
  type NamedWindow,
  type Project,
  plainAggregate,
  type Shared,
  sameColumn,
} from '../logical-plan.js'
import { dimensionsOf } from '../over-windows.js'
import { overPeriods, type RunningValue } from './over-periods.js'
import type { Rule } from './rule.js'
import { framedValuesOf, type WindowValues } from './windows-of.js'

/**
 * Distinct counts in the window of each row, from the periods of each value: up to a period, a value is counted in its first one. In windows of several periods it is
 * counted from each period before which it is in none of the same window, until the last of them. So no pairs of windows and values are compared.
 */
export const windowCounts: Rule = {
  name: 'window-counts',
  rewrite: (node, { hints }) => (node.kind === 'lookup' ? withCount(node, framedValuesOf(node, hints)) : undefined),
}

function withCount(node: Lookup, found: WindowValues | undefined): LogicalPlan | undefined {
  const [count, ...others] = found?.values.aggregates ?? []
  if (!found || !count || others.length > 0 || count.aggregate !== 'count_distinct' || found.right.kind !== 'distinct')
    return undefined
  const keys = keysOf(found.right, found.window)
  const isOfValues = keys && count.args.length === keys.values.length && !count.filter
  return isOfValues ? { ...node, from: counted(keys, count, found.window, found.rows) } : undefined
}

/** The rows with values that are counted, by their groups. */
interface Keys {
  readonly base: string
  readonly input: LogicalPlan
  readonly period: NamedExpr
  readonly partition: readonly NamedExpr[]
  readonly values: readonly NamedExpr[]
}

/** A row without a period comes after all periods, where no window reads it. */
function keysOf({ input, columns }: Distinct, { period: time, partition }: PeriodWindow): Keys | undefined {
  const isPartition = ({ name }: NamedExpr): boolean => partition.some((d) => d.name === name)
  const period = columns.find(({ name }) => name === time.name)
  const values = columns.filter((column) => column !== period && !isPartition(column))
  return period && { base: baseOf(input), input, period, partition: columns.filter(isPartition), values }
}

/** A distinct count over the window of each row, without the pairs of windows and rows. */
function counted(keys: Keys, { name, type }: NamedAggregate, window: PeriodWindow, rows: Shared): Project {
  const per = (input: LogicalPlan, aggregates: Aggregate['aggregates']): LogicalPlan => {
    const own = [window.period, ...window.partition].map((d) => sameColumn(d))
    const alias = madeOf(keys.base, '_periods')
    const reason = 'the values of each period'
    const columns = [...own, ...aggregates].map(({ name, type }) => ({ name, type }))
    return { kind: 'shared', alias, input: { kind: 'aggregate', input, alias, keys: own, aggregates, reason }, columns }
  }
  if (window.periods === undefined) {
    const right = per(firsts(keys, window), [plainAggregate(name, 'count', [], INT)])
    const value: RunningValue = { ...sameColumn({ name, type }), function: 'sum', folded: type }
    return overPeriods({ window, right, values: [value] }, rows)
  }
  const beside = [{ name }, ...dimensionsOf(window), window.period]
  const [begun, ended] = [freeName('begun', beside), freeName('ended', beside)]
  const { plan, begins, ends } = neighbours(keys, window, window.periods)
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
  return overPeriods({ window, right, values: [since, within], results: [{ name, type, expression }] }, rows)
}

/** Each value at its first period, or at its first within each longer period if windows begin with one. */
function firsts({ base, input, period, partition, values }: Keys, { toDate }: PeriodWindow): Aggregate {
  const since = toDate && {
    name: freeName('since', [period, ...partition, ...values]),
    type: period.type,
    expression: truncated(toDate, period.expression),
  }
  return {
    kind: 'aggregate',
    input,
    alias: madeOf(base, '_firsts'),
    keys: [...partition, ...(since ? [since] : []), ...values],
    aggregates: [plainAggregate(period.name, 'min', [period.expression], period.type)],
    reason: 'each value at its first period',
  }
}

interface Neighbours {
  readonly plan: LogicalPlan
  /** The value was in no earlier period that can be in one window with this one. */
  readonly begins: RowExpr
  /** And it is in none after. */
  readonly ends: RowExpr
}

/** Each value once in each of its periods, with the previous and the next one. */
function neighbours({ base, input, period, partition, values }: Keys, { grain }: PeriodWindow, periods: number): Neighbours {
  const keys = [period, ...partition, ...values]
  const { name, type } = period
  const at = relationColumn('', name, type)
  const [before, after] = [freeName('before', keys), freeName('after', keys)]
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
  const each: Aggregate = {
    kind: 'aggregate',
    input,
    alias: madeOf(base, '_keys'),
    keys,
    aggregates: [],
    reason: 'each value once in each period',
  }
  return {
    plan: {
      kind: 'window',
      input: each,
      alias: madeOf(base, '_neighbours'),
      columns: [period, ...partition].map((key) => sameColumn(key)),
      calls: [neighbour(before, 'lag'), neighbour(after, 'lead')],
    },
    begins: anyOf([isNull(previous), binary('<', previous, start(at))]),
    ends: anyOf([isNull(next), binary('<', at, start(next))]),
  }
}
