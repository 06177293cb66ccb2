/** The types that a step in M gives to columns: what values become of it. */

/** Types by the names of columns. */
export type ColumnTypes = ReadonlyMap<string, string>

/** The type that tokens such as `type nullable date` or `Date.Type` say. */
export const typeIn = (words: readonly string[]): string =>
  words
    .filter((word) => word !== 'type' && word !== 'nullable')
    .join(' ')
    .replace(/\.Type$/, '')
    .toLowerCase()

/** The type after a step, which sees the values that the step before it made. */
export function typeAfter(before: string | undefined, given: string): string {
  if (before === undefined || keepsValues(before)) return given
  return before === DAY && (given === DAY || given === 'datetime' || given === 'any') ? DAY : `${before}, then ${given}`
}

/** The day of a time. */
export const DAY = 'date'

/** Whether values of a type of the database stay what they are, or are refused where a question reads them. */
export const keepsValues = (type: string): boolean => KEPT.has(type)

const KEPT = new Set(
  'any text number datetime logical int8 int16 int32 int64 single double decimal currency percentage'.split(' '),
)
