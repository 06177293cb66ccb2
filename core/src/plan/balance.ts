import { INT } from '../model/data-type.js'
import { binary, integer } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { Atom, Balance, ResolvedDimension } from '../resolve/resolved-query.js'
import type { BlockRequest } from './block-request.js'
import { type Aggregate, type LogicalPlan, plainAggregate, sameColumn } from './logical-plan.js'
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
  const place = context.aliases.column('place')
  const numbered: LogicalPlan = {
    kind: 'window',
    input,
    alias: context.aliases.derived('by_time'),
    columns: [...keys.map((d) => sameColumn(d)), ...atoms.map(({ name }) => sameColumn({ name, type: perTime }))],
    calls: [
      {
        name: place,
        function: 'row_number',
        args: [],
        partitionBy: keys.map((k) => sameColumn(k).expression),
        orderBy: [
          {
            expression: relationColumn('', time.name, time.type),
            type: time.type,
            descending: take === 'last',
            nullsFirst: false,
          },
        ],
        type: INT,
      },
    ],
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
