import type { Schema } from '../api/types.js'
import type { IsAdditive } from './chart-kind.js'

/** Sums and counts of rows add up over their groups; averages, rates, distinct counts and metrics do not. */
export function additiveIn({ measures }: Pick<Schema, 'measures'>): IsAdditive {
  const additive = new Set(
    measures.flatMap(({ name, aggregation, distinct }) =>
      ['sum', 'count'].includes(aggregation) && distinct !== true ? [name] : [],
    ),
  )
  return (name) => additive.has(name)
}
