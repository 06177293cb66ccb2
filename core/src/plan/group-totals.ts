import type { WindowTotal } from '../bind/bound-query.js'
import { relationColumn } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { type Lookup, type NamedAggregate, plainAggregate, type Shared, sameColumn } from './logical-plan.js'

/** Totals with the same keys. */
export interface TotalsByKeys {
  readonly keys: WindowTotal['partitionBy']
  readonly totals: readonly WindowTotal[]
}

/**
 * A total of groups that share some keys, without an order. A total of all groups needs no keys, so that a window is as fast, and the
 * simpler statement.
 */
export const isOfGroups = ({ partitionBy, upTo }: WindowTotal): boolean => upTo === undefined && partitionBy.length > 0

/** The totals that one aggregation of the groups computes. */
export function byKeys(totals: readonly WindowTotal[]): readonly TotalsByKeys[] {
  const firsts = totals.filter((total, at) => at === totals.findIndex((other) => hasSameKeys(other, total)))
  return firsts.map((first) => ({ keys: first.partitionBy, totals: totals.filter((total) => hasSameKeys(total, first)) }))
}

const hasSameKeys = (a: WindowTotal, b: WindowTotal): boolean => isSame(a.partitionBy, b.partitionBy)

/** The names of the columns that the totals read. */
export const readByTotals = (totals: readonly WindowTotal[]): readonly string[] =>
  totals.flatMap(({ value, partitionBy }) => [value.name, ...partitionBy.map((key) => key.name)])

export const valuesOfTotals = (totals: readonly WindowTotal[]): Lookup['values'] =>
  totals.map(({ name, type }) => ({ name, type, emptyIsZero: false }))

export const aggregatesOfTotals = (totals: readonly WindowTotal[], alias: string): readonly NamedAggregate[] =>
  totals.map(({ name, type, function: called, value }) =>
    plainAggregate(name, called, [relationColumn(alias, value.name, value.type)], type),
  )

/** The totals, looked up for each group by its keys, of which NULLs are equal. */
export function besideGroups(input: Lookup['input'], { keys, totals }: TotalsByKeys, groups: Shared, alias: string): Lookup {
  return {
    kind: 'lookup',
    alias: 'answer_rows',
    input,
    from: {
      kind: 'aggregate',
      input: groups,
      alias,
      keys: keys.map((key) => sameColumn(key, groups.alias)),
      aggregates: aggregatesOfTotals(totals, groups.alias),
      reason: 'totals of the groups',
    },
    keys: keys.map(({ name, type }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: true })),
    values: valuesOfTotals(totals),
    reason: 'totals of the groups, on every row that shares their keys',
  }
}
