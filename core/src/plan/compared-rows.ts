import type { RowColumn } from '../bind/bound-block.js'
import type { BoundFill } from '../bind/bound-query.js'
import { freeName } from '../resolve/aliases.js'
import { isNotNull } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { hasDimension, isOfTime, type ResolvedDimension, type Shift } from '../resolve/resolved-query.js'
import { equal } from '../resolve/row-terms.js'
import { filled } from './fill.js'
import { type Leg, type LogicalPlan, type Project, type Shared, sameColumn, staged } from './logical-plan.js'

/** Values at another period, whose other dimensions are rows of the answer. */
export interface ComparedRows {
  readonly shift: Shift
  /** The rows of the answer for which they are read; all if absent. */
  readonly isOwn: RowExpr | undefined
  /** The groups have no period: they are those of the only period for which they are read. */
  readonly isOfOnePeriod: boolean
  /** Groups by the period and the other dimensions. */
  readonly from: LogicalPlan
  readonly name: string
}

interface Rows {
  readonly rows: LogicalPlan
  readonly dimensions: readonly ResolvedDimension[]
  readonly values: Leg['values']
}

/**
 * The rows, and for each time that they show, the tuples of the other dimensions that have a row at the time with which it is compared. If gaps are
 * filled, the periods between the rows are shown, too.
 */
export function withComparedRows(
  { rows, dimensions, values }: Rows,
  compared: readonly ComparedRows[],
  fill: BoundFill | undefined,
): LogicalPlan {
  if (compared.length === 0) return rows
  const columns = [...dimensions, ...values].map(({ name, type }) => ({ name, type }))
  const found: Shared = { kind: 'shared', alias: 'current_rows', input: rows, columns }
  const own = staged(
    found,
    'own_rows',
    columns.map((c) => sameColumn(c)),
  )
  return {
    kind: 'combine',
    alias: 'compared_rows',
    keys: dimensions.map(({ name, type }) => ({ name, type })),
    legs: [
      { input: own, name: own.alias, contributesRows: true, values },
      ...compared.map((one): Leg => {
        const input = partners(one, timesOf(found, one, dimensions, fill), dimensions)
        return { input, name: input.alias, contributesRows: true, values: [] }
      }),
    ],
    reason: 'a member that has rows only in the compared period is a row, too',
  }
}

/** The times that the rows show, each once, with the period with which each is compared. */
interface Times {
  readonly plan: LogicalPlan
  readonly alias: string
  readonly times: readonly ResolvedDimension[]
  readonly key: RowColumn
}

function timesOf(
  found: Shared,
  { shift, isOwn }: ComparedRows,
  all: readonly ResolvedDimension[],
  fill: BoundFill | undefined,
): Times {
  const { dimension, period, key } = shift
  const times = all.filter((d) => isOfTime(d, shift))
  const at = relationColumn('', dimension.name, dimension.type)
  const shown: LogicalPlan = {
    kind: 'filter',
    input: found,
    condition: isNotNull(at),
    reason: 'a row without a time is compared with nothing',
  }
  const isFilled = fill !== undefined && hasDimension(times, fill.time)
  const every = isFilled
    ? filled({ rows: distinctTimes(shown, times), dimensions: times, values: [] }, { ...fill, perTuple: false })
    : shown
  const reason = 'the part of a period that the query cuts is compared apart'
  const input: LogicalPlan = isOwn ? { kind: 'filter', input: every, condition: isOwn, reason } : every
  const name = { name: freeName('compared', all), type: period.type }
  const alias = 'shown_times'
  return {
    plan: {
      kind: 'distinct',
      input,
      alias,
      columns: [...times.map((d) => sameColumn(d)), { ...name, expression: key }],
      reason: 'the times of the answer, with those that they are compared with',
    },
    alias,
    times,
    key: name,
  }
}

const distinctTimes = (input: LogicalPlan, times: readonly ResolvedDimension[]): LogicalPlan => ({
  kind: 'distinct',
  input,
  alias: 'times',
  columns: times.map((d) => sameColumn(d)),
  reason: 'the times of the answer',
})

/** The tuples of the other dimensions at the periods with which the times are compared. */
function partners(
  { from, name, isOfOnePeriod, shift: { period } }: ComparedRows,
  { plan, alias, times, key }: Times,
  all: readonly ResolvedDimension[],
): Project {
  const there = relationColumn(name, period.name, period.type)
  const input: LogicalPlan = {
    kind: 'join',
    type: isOfOnePeriod ? 'cross' : 'inner',
    left: plan,
    right: from,
    on: isOfOnePeriod ? [] : [equal(relationColumn(alias, key.name, key.type), there)],
    label: { from: '', to: '', columns: [], reason: 'the rows of the compared period' },
  }
  const columns = all.map((d) => sameColumn(d, hasDimension(times, d) ? alias : name))
  return staged(input, 'partners', columns)
}
