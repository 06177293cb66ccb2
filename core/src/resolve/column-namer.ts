import { Aliases } from './aliases.js'

/** Names for the columns of the row set: each equal to that of its field, with a number if another name differs only in case. */
export function columnNamer(given: Set<string>): (field: string, name: string) => string {
  const aliases = new Aliases()
  const known = new Map<string, string>()
  return (field, name) => {
    const found = known.get(field) ?? aliases.column(name)
    known.set(field, found)
    given.add(found)
    return found
  }
}
