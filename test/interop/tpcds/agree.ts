/** Whether an answer is the one of a reference statement, whose order may leave ties and whose limit may cut through them. */
import type { Answer, Cell } from '../../support/answers.js'

/**
 * The first difference as a sentence, `undefined` when `found` is `wanted` from its first row on: row for row where `keys` (places of the
 * columns ordered by) tell rows apart, as sets where they do not. `wanted` has no limit, so that the rows of the last tie may be any of
 * its rows.
 */
export function disagreement(found: Answer, wanted: Answer, keys: readonly number[]): string | undefined {
  for (let from = 0; from < found.rows.length; ) {
    const to = endOfTie(found.rows, from, keys)
    const open = wanted.rows.slice(from, Math.max(to, endOfTie(wanted.rows, from, keys)))
    for (const row of found.rows.slice(from, to)) {
      const at = open.findIndex((other) => row.every((cell, i) => sameCell(cell, other[i] ?? null)))
      if (at < 0)
        return `row ${from} of ${found.rows.length}: ${JSON.stringify(row)} is not among ${JSON.stringify(open.slice(0, 3))}`
      open.splice(at, 1)
    }
    from = to
  }
  return undefined
}

function endOfTie(rows: Answer['rows'], from: number, keys: readonly number[]): number {
  const first = rows[from]
  let to = from + 1
  while (first && rows[to] && keys.every((key) => sameCell(first[key] ?? null, rows[to]?.[key] ?? null))) to++
  return to
}

/** Numbers that are not both exact agree to nine digits. */
function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true
  if (a === null || b === null || (typeof a !== 'number' && typeof b !== 'number')) return false
  return Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.max(1, Math.abs(Number(a)), Math.abs(Number(b)))
}
