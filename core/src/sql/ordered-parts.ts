import type { AggregateCall } from './dialect.js'

/**
 * The parts of a tuple whose least value, or greatest if the keys descend, is that of the first row by these keys. NULLs come last in both
 * directions, and no tuple is NULL.
 */
export const orderedParts = (keys: AggregateCall['keys']): readonly string[] =>
  keys.flatMap(({ value, descending }) => [`${value} IS ${descending ? 'NOT ' : ''}NULL`, value])
