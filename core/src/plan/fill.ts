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
  type Project,
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
  const other = (d: ResolvedDimension): RowExpr => relationColumn(perTuple ? bounds : tuples, d.name, d.type)
  const number = { name: numbers.name, type: INT, expression: n }
  const first = { name: 'first', type: time.type, expression: end('first') }
  const rest = others.map((d) => ({ ...d, expression: other(d) }))
  if (typeof time.grain !== 'string') return inStages(input, { time, along }, dimensions, { number, first, rest }, alias, aliases)
  const period = periodAfter(time.grain, n, end('first'))
  const shown = (d: ResolvedDimension): RowExpr => {
    if (d === time) return period
    return along.includes(d) ? truncated(d.grain!, period) : other(d)
  }
  return staged(
    input,
    alias,
    dimensions.map((d) => ({ ...d, expression: shown(d) })),
  )
}

/** A period of a calendar is a long expression: what it is made of is computed before it, and it before what is made of it. */
function inStages(
  input: LogicalPlan,
  { time, along }: Pick<Fill, 'time' | 'along'>,
  dimensions: readonly ResolvedDimension[],
  { number, first, rest }: { readonly number: NamedExpr; readonly first: NamedExpr; readonly rest: readonly NamedExpr[] },
  alias: string,
  aliases: RowsContext['aliases'],
): LogicalPlan {
  const parts = [number, first].map((column) => ({ ...column, name: aliases.column(column.name) }))
  const counted = staged(input, aliases.derived('numbered'), [...parts, ...rest])
  const [count, from] = parts.map((column) => relationColumn(counted.alias, column.name, column.type)) as [RowExpr, RowExpr]
  const period = { ...time, expression: periodAfter(time.grain!, count, from) }
  const begun = staged(counted, aliases.derived('begun'), [period, ...rest.map((column) => sameColumn(column, counted.alias))])
  const start = relationColumn(begun.alias, time.name, time.type)
  const shown = (d: ResolvedDimension): NamedExpr =>
    along.includes(d) ? { ...d, expression: truncated(d.grain!, start) } : sameColumn(d, begun.alias)
  return staged(begun, alias, dimensions.map(shown))
}

const staged = (input: LogicalPlan, alias: string, columns: readonly NamedExpr[]): Project => ({
  kind: 'project',
  input,
  alias,
  columns,
  stage: true,
})

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
