/** The conditions of the rows of a query, as each of its aggregates sees them. */
import type { Modifier } from './modifiers.js'
import type { Conjunct } from './resolved-query.js'

type Conjuncts = readonly Conjunct[]

/** What a modifier does to conditions. */
export type Change = Pick<Modifier, 'conjuncts' | 'shift' | 'window' | 'times' | 'ranged'>

/** Who asks for conditions: those that it sees of a query, and those that take their place under a modifier. */
interface Reader {
  readonly seen: (where: Conjuncts) => Conjuncts
  readonly under: (change: Change, seen: Conjuncts) => Conjuncts
}

/**
 * The conditions of a query for a reader. A modifier outside an inner query is no change of one list: which conditions are on a time, and how its periods are moved,
 * depends on the rows and on the grain of each aggregate.
 */
export type RowConditions = (reader: Reader) => Conjuncts

export const conditionsOf =
  (where: Conjuncts): RowConditions =>
  ({ seen }) =>
    seen(where)

/** The conditions of an inner query that is evaluated under a modifier. */
export const conditionsUnder =
  (outside: RowConditions, change: Change): RowConditions =>
  (reader) =>
    reader.under(change, outside(reader))

export const withConditions =
  (all: RowConditions, more: Conjuncts): RowConditions =>
  (reader) => [...all(reader), ...reader.seen(more)]
