import { type DataType, decimal } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { binary } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import { columnsOf } from './columns.js'
import { type Aggregate, type NamedAggregate, type Project, plainAggregate, sameColumn } from './logical-plan.js'

/** An average as its sum and its count, which can be totals of parts. */
interface Parts {
  readonly of: NamedAggregate
  readonly sum: NamedAggregate
  readonly count: NamedAggregate
}

/** Averages of integers, whose sums are exact, are computed from their parts; other aggregates stay. */
export function partsOfAverages(
  aggregates: readonly NamedAggregate[],
  typesOf: (call: NamedAggregate) => readonly DataType[],
): { readonly calls: readonly NamedAggregate[]; readonly averages: readonly Parts[] } {
  const isAverage = (call: NamedAggregate): boolean =>
    call.aggregate === 'avg' && !call.distinct && !call.onlyWith && typesOf(call).every(({ kind }) => kind === 'int')
  const all = aggregates.filter(isAverage)
  if (all.length === 0) return { calls: aggregates, averages: [] }
  const averages = all.map((of): Parts => {
    const part = (aggregate: 'sum' | 'count', type: DataType): NamedAggregate => ({
      ...plainAggregate(freeName(`${of.name} (${aggregate})`, aggregates), aggregate, of.args, type),
      filter: of.filter,
    })
    return { of, sum: part('sum', decimal(38, 0)), count: part('count', { kind: 'int' }) }
  })
  const calls = aggregates.flatMap((call) => {
    const parts = averages.find(({ of }) => of === call)
    return parts ? [parts.sum, parts.count] : [call]
  })
  return { calls, averages }
}

/** The rows of an aggregation with the averages, as `columns` names them, in place of their parts. */
export function withAverages(node: Aggregate, averages: readonly Parts[], columns: Aggregate): Aggregate | Project {
  if (averages.length === 0) return node
  const read = ({ name, type }: NamedAggregate) => relationColumn('', name, type)
  return {
    kind: 'project',
    input: node,
    alias: node.alias,
    columns: columnsOf(columns).map((column) => {
      const parts = averages.find(({ of }) => of.name === column.name)
      const same = sameColumn(column)
      return parts ? { ...same, expression: binary('/', read(parts.sum), read(parts.count)) } : same
    }),
  }
}
