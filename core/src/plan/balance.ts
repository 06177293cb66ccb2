import { INT } from '../model/data-type.js'
import { binary, integer } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { Atom, Balance, ResolvedDimension } from '../resolve/resolved-query.js'
import type { BlockRequest } from './block-request.js'
import { type Aggregate, type LogicalPlan, type NamedExpr, plainAggregate, sameColumn } from './logical-plan.js'
import type { RowsContext } from './rows-context.js'

/** What a balance is grouped by beside its own groups, until one value of each entity is taken. */
export const balanceKeys = ({ time, per }: Balance): readonly ResolvedDimension[] => [
  time,
  ...per.filter((d) => d.name !== time.name),
]

/** The atoms of a balance as they are aggregated per time and entity. */
export const perTime = (atoms: readonly Atom[], { perTime: type }: Balance): readonly Atom[] =>
  atoms.map((atom) => ({ ...atom, type, balance: undefined }))

/**
 * From values per group, time and entity (columns by the names of `groups`, of the balance and of the atoms) to those per group: what
 * is taken of each entity, summed over entities.
 */
export function takenAndSummed(
  input: LogicalPlan,
  groups: readonly ResolvedDimension[],
  { atoms, balance }: BlockRequest & { readonly balance: Balance },
  alias: string,
  context: RowsContext,
): Aggregate {
  const taken = balance.take === 'last' || balance.take === 'first' ? atTheEnd : folded
  return {
    kind: 'aggregate',
    input: taken(input, [...groups, ...balance.per], atoms, balance, context),
    alias,
    keys: groups.map((d) => sameColumn(d)),
    aggregates: atoms.map(({ name, type }) =>
      plainAggregate(name, 'sum', [relationColumn('', name, valueType(balance, type))], type),
    ),
    reason: 'the balances of all entities',
  }
}

/** The type of what one entity brings to the sum. */
const valueType = ({ take, perTime }: Balance, summed: Atom['type']): Atom['type'] => (take === 'avg' ? summed : perTime)

/** Each entity at its first or last time. */
function atTheEnd(
  input: LogicalPlan,
  keys: readonly ResolvedDimension[],
  atoms: readonly Atom[],
  { time, take, perTime }: Balance,
  context: RowsContext,
): LogicalPlan {
  return atTakenTime(
    { input, columns: [...keys.map((d) => sameColumn(d)), ...atoms.map(({ name }) => sameColumn({ name, type: perTime }))] },
    { time, take: take === 'last' ? 'last' : 'first', per: keys, by: 'row_number' },
    context,
  )
}

interface TakenTime {
  readonly time: ResolvedDimension
  readonly take: 'first' | 'last'
  readonly per: readonly Pick<NamedExpr, 'name' | 'type'>[]
  /** `rank` keeps every row of the time, `row_number` one. */
  readonly by: 'row_number' | 'rank'
}

/** The rows of each entity at the time that is taken of it. */
export function atTakenTime(
  { input, columns }: { readonly input: LogicalPlan; readonly columns: readonly NamedExpr[] },
  { time, take, per, by }: TakenTime,
  { aliases }: RowsContext,
): LogicalPlan {
  const place = aliases.column('place')
  const orderBy = [
    {
      expression: relationColumn('', time.name, time.type),
      type: time.type,
      descending: take === 'last',
      nullsFirst: false,
    },
  ]
  const partitionBy = per.map((column) => sameColumn(column).expression)
  const numbered: LogicalPlan = {
    kind: 'window',
    input,
    alias: aliases.derived('by_time'),
    columns,
    calls: [{ name: place, function: by, args: [], partitionBy, orderBy, type: INT }],
  }
  const condition = binary('=', relationColumn('', place, INT), integer(1))
  return { kind: 'filter', input: numbered, condition, reason: `each entity at its ${take} time` }
}

/** Each entity folded over its times. */
function folded(
  input: LogicalPlan,
  keys: readonly ResolvedDimension[],
  atoms: readonly Atom[],
  balance: Balance,
  context: RowsContext,
): LogicalPlan {
  return {
    kind: 'aggregate',
    input,
    alias: context.aliases.derived('by_entity'),
    keys: keys.map((d) => sameColumn(d)),
    aggregates: atoms.map(({ name, type }) =>
      plainAggregate(name, balance.take, [relationColumn('', name, balance.perTime)], valueType(balance, type)),
    ),
    reason: 'each entity over its times',
  }
}
