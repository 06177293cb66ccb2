import { INT } from '../model/data-type.js'
import { binary } from '../resolve/expressions.js'
import { periodAfter, periodsBetween, truncated } from '../resolve/grain-expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { Fill, ResolvedDimension } from '../resolve/resolved-query.js'
import {
  type Combine,
  type LogicalPlan,
  type NamedExpr,
  type Numbers,
  plainAggregate,
  type Shared,
  sameColumn,
} from './logical-plan.js'
import type { PlannedLeg } from './planned.js'
import type { RowsContext } from './rows-context.js'

/** Found rows with, beside them, every period from the first to the last: `rows` holds the dimensions and the values of `legs`. */
export function filled(
  rows: LogicalPlan,
  fill: Fill,
  dimensions: readonly ResolvedDimension[],
  legs: readonly PlannedLeg[],
  context: RowsContext,
): Combine {
  const { aliases } = context
  const values = legs.flatMap((leg) => leg.values)
  const columns = [...dimensions, ...values].map(({ name, type }) => ({ name, type }))
  const found: Shared = { kind: 'shared', alias: aliases.derived('found_rows'), input: rows, columns }
  const keys = dimensions.map(({ name, type }) => ({ name, type }))
  const [withValues, withoutGaps] = [aliases.derived('with_values'), aliases.derived('all_periods')]
  const own: LogicalPlan = {
    kind: 'project',
    input: found,
    alias: withValues,
    columns: columns.map((c) => sameColumn(c)),
    stage: true,
  }
  return {
    kind: 'combine',
    alias: aliases.derived('filled'),
    keys,
    legs: [
      { input: own, name: withValues, present: true, values },
      { input: spine(found, fill, dimensions, withoutGaps, context), name: withoutGaps, present: true, values: [] },
    ],
    reason: 'every period between the first and the last, with rows or without',
  }
}

type Column = Pick<NamedExpr, 'name' | 'type'>

/** Every period × the tuples of the other dimensions; where each tuple has ends of its own, between those. */
function spine(
  found: Shared,
  { time, along, perTuple }: Fill,
  dimensions: readonly ResolvedDimension[],
  alias: string,
  { aliases }: RowsContext,
): LogicalPlan {
  const others = dimensions.filter((d) => d !== time && !along.includes(d))
  const numbers: Numbers = { kind: 'numbers', alias: aliases.derived('digits'), name: 'n' }
  const bounds = aliases.derived('ends')
  const at = relationColumn('', time.name, time.type)
  const ends: LogicalPlan = {
    kind: 'aggregate',
    input: found,
    alias: bounds,
    keys: perTuple ? others.map((d) => sameColumn(d)) : [],
    aggregates: [plainAggregate('first', 'min', [at], time.type), plainAggregate('last', 'max', [at], time.type)],
    reason: 'the first and the last period',
  }
  const end = (name: string): RowExpr => relationColumn(bounds, name, time.type)
  const n = relationColumn('', numbers.name, INT)
  const condition = binary('<=', n, periodsBetween(time.grain!, end('first'), end('last')))
  const tuples = aliases.derived('tuples')
  const periods = cross(numbers, ends)
  const all = perTuple || others.length === 0 ? periods : cross(periods, distinctOf(found, others, tuples))
  const input: LogicalPlan = { kind: 'filter', input: all, condition, reason: 'up to the last period' }
  const period = periodAfter(time.grain!, n, end('first'))
  const shown = (d: ResolvedDimension): RowExpr => {
    if (d === time) return period
    return along.includes(d) ? truncated(d.grain!, period) : relationColumn(perTuple ? bounds : tuples, d.name, d.type)
  }
  return { kind: 'project', input, alias, columns: dimensions.map((d) => ({ ...d, expression: shown(d) })), stage: true }
}

function distinctOf(input: LogicalPlan, columns: readonly Column[], alias: string): LogicalPlan {
  return {
    kind: 'distinct',
    input,
    alias,
    columns: columns.map((c) => sameColumn(c)),
    reason: 'the tuples of the other dimensions',
  }
}

function cross(left: LogicalPlan, right: LogicalPlan): LogicalPlan {
  const label = { from: '', to: '', columns: [], reason: 'each with each' }
  return { kind: 'join', type: 'cross', left, right, on: undefined, label }
}
