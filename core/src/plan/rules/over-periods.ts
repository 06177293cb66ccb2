import type { RowColumn } from '../../bind/bound-block.js'
import { showsPeriod } from '../../bind/running-windows.js'
import { type DataType, INT } from '../../model/data-type.js'
import { freeName } from '../../resolve/aliases.js'
import { binary, integer, isNotNull, typedNull } from '../../resolve/expressions.js'
import { truncated } from '../../resolve/grain-expressions.js'
import { type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { ascending, type PeriodWindow } from '../../resolve/resolved-query.js'
import {
  type Distinct,
  type LogicalPlan,
  type NamedExpr,
  type NamedWindow,
  type Project,
  type Shared,
  sameColumn,
} from '../logical-plan.js'
import { dimensionsOf } from '../over-windows.js'

/** A value per period and partition, and its aggregate over all periods of a window. */
export interface RunningValue extends NamedExpr {
  readonly function: 'sum' | 'avg' | 'min' | 'max'
  readonly folded: DataType
  /** From the first of all periods on, wherever the window begins. */
  readonly sinceFirst?: boolean
}

interface Running {
  readonly window: PeriodWindow
  /** Has the window's dimensions by name, and the columns that `values` read. */
  readonly right: LogicalPlan
  readonly values: readonly RunningValue[]
  /** Expressions over the aggregated values; absent if the values themselves are the results. */
  readonly results?: readonly NamedExpr[]
}

/**
 * Values up to each row's own period, as window functions: the periods of the answer are added to those that have values, and only they are
 * kept. Rows are sorted once, whereas a join by a range of periods compares every pair. Before its first value a row has NULL.
 */
export function overPeriods(running: Running, rows: Shared): Project {
  const { window, values, results = values.map(({ name, folded }) => sameColumn({ name, type: folded })) } = running
  const dimensions = dimensionsOf(window)
  const own = [...dimensions, ...values]
  const at = showsPeriod(window) ? window.time : { name: freeName('period', own), type: window.period.type }
  const isAsked: RowColumn = { name: freeName('asked', own), type: INT }
  const asked = periodsOf(running, rows, { at, isAsked })
  const columns = [...dimensions, isAsked].map((c) => sameColumn(c))
  const input: LogicalPlan = {
    kind: 'window',
    input: {
      kind: 'union',
      alias: 'periods',
      inputs: [asked, valuesOf(running, { at, isAsked })],
      columns: asked.columns.map(({ name, type }) => ({ name, type })),
      reason: 'the periods of the answer between those that have values',
    },
    alias: 'by_period',
    columns,
    calls: values.map((value) => callOf(value, window, at)),
  }
  const condition = binary('=', column(isAsked), integer(1))
  return {
    kind: 'project',
    input: { kind: 'filter', input, condition, reason: 'the periods of the answer' },
    alias: 'running',
    columns: [...dimensions.map((d) => sameColumn(d)), ...results],
    stage: true,
  }
}

/** The columns that order rows, and distinguish periods of the answer from values. */
interface Marks {
  readonly at: RowColumn
  readonly isAsked: RowColumn
}

/** The times and partitions of the answer, each once; rows without a time are in no window. */
function periodsOf({ window, values }: Running, rows: LogicalPlan, { at, isAsked }: Marks): Distinct {
  const condition = isNotNull(column(window.time))
  return {
    kind: 'distinct',
    input: { kind: 'filter', input: rows, condition, reason: 'a row without a time is in no window' },
    alias: 'asked_periods',
    columns: [
      ...dimensionsOf(window).map((d) => sameColumn(d)),
      ...(showsPeriod(window) ? [] : [{ ...at, expression: window.own }]),
      ...values.map((value) => absent(value)),
      { ...isAsked, expression: integer(1) },
    ],
    reason: 'the times and partitions of the answer',
  }
}

function valuesOf({ window, right, values }: Running, { at, isAsked }: Marks): LogicalPlan {
  const { time, period, partition } = window
  return {
    kind: 'project',
    input: right,
    alias: 'given_periods',
    columns: [
      showsPeriod(window) ? sameColumn(time) : absent(time),
      ...partition.map((d) => sameColumn(d)),
      ...(showsPeriod(window) ? [] : [{ ...at, expression: column(period) }]),
      ...values.map(({ name, type, expression }) => ({ name, type, expression })),
      { ...isAsked, expression: integer(0) },
    ],
  }
}

/** Equal periods are peers, so a row includes the values of its own period. NULL periods come last, and no row reads up to them. */
const callOf = (value: RunningValue, { partition, toDate, periods, grain }: PeriodWindow, at: RowColumn): NamedWindow => ({
  name: value.name,
  type: value.folded,
  function: value.function,
  args: [column(value)],
  partitionBy: [...partition.map(column), ...(toDate === undefined ? [] : [truncated(toDate, column(at))])],
  orderBy: [ascending(column(at), at.type)],
  ...(!value.sinceFirst && periods !== undefined && typeof grain === 'string' && { frame: { unit: grain, back: periods - 1 } }),
})

const column = ({ name, type }: RowColumn): RowExpr => relationColumn('', name, type)
const absent = ({ name, type }: RowColumn): NamedExpr => ({
  name,
  type,
  expression: typedNull(type),
})
