/** The entries of a record, one pair at a time: of 100,000 entries, a list of all pairs would hold the event loop by itself. */
export function* entriesOf<T>(record: Readonly<Record<string, T>> | undefined): Generator<readonly [name: string, entry: T]> {
  if (record === undefined) return
  for (const name of Object.keys(record)) yield [name, record[name]!]
}
