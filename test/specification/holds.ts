import { parts, type RowId } from './rows.js'

const known = new Set(Object.values(parts).flatMap((rows) => Object.keys(rows)))

/** States which rows of the specification a test checks. `part.*` means all rows that begin so. The table in the docs is made from these. */
export function holds(t: { comment(text: string): void }, ...ids: readonly (RowId | 'default.*')[]): void {
  for (const id of ids) {
    if (id !== 'default.*' && !known.has(id)) throw new Error(`the specification has no row '${id}'`)
    t.comment(`holds ${id}`)
  }
}
