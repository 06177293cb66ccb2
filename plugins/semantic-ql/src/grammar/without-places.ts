/** The same value without positions in the text: it is equal for expressions that differ only in these. */
export const withoutPlaces = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, each: unknown) => (key === 'location' ? undefined : each)))
