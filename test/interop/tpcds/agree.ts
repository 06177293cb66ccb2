/** Whether an answer equals that of a reference statement, whose order may have ties and whose limit may cut through them. */
import type { Answer, Cell } from '../../support/answers.js'

/**
 * The first difference as a sentence; `undefined` if `found` equals the first rows of `wanted`: row by row if `keys` (positions of the sort
 * columns) distinguish the rows, as sets if they do not. `wanted` has no limit, so the last tied rows of `found` may be any of its rows.
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

/** Numbers that are not both exact are compared to nine digits. */
function sameCell(a: Cell, b: Cell): boolean {
  if (a === b) return true
  if (a === null || b === null || (typeof a !== 'number' && typeof b !== 'number')) return false
  return Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.max(1, Math.abs(Number(a)), Math.abs(Number(b)))
}
