import type { RowExpr } from '../resolve/relation-column.js'
import type { JoinedRows } from './joined-rows.js'
import type { Aggregate } from './logical-plan.js'

/** The expressions that an aggregation reads of joined rows besides its keys and the conditions of the joins. */
export const readBesideKeys = ({ aggregates }: Aggregate, { filters }: Pick<JoinedRows, 'filters'>): readonly RowExpr[] => [
  ...filters.map(({ condition }) => condition),
  ...aggregates.flatMap(({ args, orderBy, filter, onlyWith }) => [
    ...args,
    ...orderBy.map(({ expression }) => expression),
    ...[filter, onlyWith].filter((one) => one !== undefined),
  ]),
]
