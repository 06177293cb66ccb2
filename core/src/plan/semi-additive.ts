import type { BoundBlock, NamedExpr, RowColumn } from '../bind/bound-block.js'
import { type DataType, INT } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { binary, integer } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { ascending, type ResolvedDimension, type SemiAdditive } from '../resolve/resolved-query.js'
import { type Aggregate, type LogicalPlan, plainAggregate, sameColumn } from './logical-plan.js'

/** The value that is selected per entity and then summed, by these groups. */
interface Taking extends Pick<BoundBlock, 'values'> {
  readonly groups: readonly RowColumn[]
  readonly semiAdditive: SemiAdditive
}

/**
 * From values per group, time and entity (columns by the names of `groups`, of the balance and of the values) to values per group: one
 * value of each entity, summed over entities.
 */
export function takenAndSummed(input: LogicalPlan, taking: Taking, alias: string): Aggregate {
  const { groups, values, semiAdditive } = taking
  const each = { ...taking, groups: [...groups, ...semiAdditive.per] }
  const isAtTheEnd = semiAdditive.take === 'last' || semiAdditive.take === 'first'
  return {
    kind: 'aggregate',
    input: isAtTheEnd ? atTheEnd(input, each) : folded(input, each),
    alias,
    keys: groups.map((d) => sameColumn(d)),
    aggregates: values.map(({ name, type }) =>
      plainAggregate(name, 'sum', [relationColumn('', name, valueType(semiAdditive, type))], type),
    ),
    reason: 'the balances of all entities',
  }
}

/** The type of the contribution of one entity to the sum. */
const valueType = ({ take, perTime }: SemiAdditive, summed: DataType): DataType => (take === 'avg' ? summed : perTime)

/** Each entity at its first or last time. */
function atTheEnd(input: LogicalPlan, { groups, values, semiAdditive: { time, take, perTime } }: Taking): LogicalPlan {
  return atTakenTime(
    { input, columns: [...groups, ...values.map(({ name }) => ({ name, type: perTime }))].map((c) => sameColumn(c)) },
    { time, take: take === 'last' ? 'last' : 'first', per: groups, by: 'row_number' },
  )
}

interface TakenTime {
  readonly time: ResolvedDimension
  readonly take: 'first' | 'last'
  readonly per: readonly RowColumn[]
  /** `rank` keeps every row of the time, `row_number` one. */
  readonly by: 'row_number' | 'rank'
}

/** The rows of each entity at its selected time. */
export function atTakenTime(
  { input, columns }: { readonly input: LogicalPlan; readonly columns: readonly NamedExpr[] },
  { time, take, per, by }: TakenTime,
): LogicalPlan {
  const orderBy = [{ ...ascending<RowExpr>(relationColumn('', time.name, time.type), time.type), descending: take === 'last' }]
  const partitionBy = per.map((column) => sameColumn(column).expression)
  const place = freeName('place', columns)
  const numbered: LogicalPlan = {
    kind: 'window',
    input,
    alias: 'by_time',
    columns,
    calls: [{ name: place, function: by, args: [], partitionBy, orderBy, type: INT }],
  }
  const condition = binary('=', relationColumn('', place, INT), integer(1))
  return { kind: 'filter', input: numbered, condition, reason: `each entity at its ${take} time` }
}

/** Each entity aggregated over its times. */
function folded(input: LogicalPlan, { groups, values, semiAdditive }: Taking): LogicalPlan {
  return {
    kind: 'aggregate',
    input,
    alias: 'by_entity',
    keys: groups.map((d) => sameColumn(d)),
    aggregates: values.map(({ name, type }) =>
      plainAggregate(name, semiAdditive.take, [relationColumn('', name, semiAdditive.perTime)], valueType(semiAdditive, type)),
    ),
    reason: 'each entity over its times',
  }
}
