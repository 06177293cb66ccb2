/** A double as a value to compare: a sum depends on the order of the rows in its last digits, so twelve significant ones are kept. */
export const canonicalFloat = (value: unknown): number => Number(Number(value).toPrecision(12))
