import type { Answer, Cell } from './answer.js'

/** Whether the answer has the expected rows and includes the expected columns; the names of the columns do not matter. */
export function isRight(found: Answer | undefined, truth: Answer, ordered: boolean): boolean {
  if (found === undefined || found.rows.length !== truth.rows.length) return false
  return choices(truth.columns.length, found.columns.length).some((places) => {
    const rows = found.rows.map((row) => places.map((place) => row[place] ?? null))
    return sameRows(ordered ? rows : sorted(rows), ordered ? truth.rows : sorted(truth.rows))
  })
}

/** Every way to choose so many different columns. */
function choices(count: number, from: number): number[][] {
  if (count === 0) return [[]]
  return choices(count - 1, from).flatMap((chosen) =>
    Array.from({ length: from }, (_, at) => at)
      .filter((at) => !chosen.includes(at))
      .map((at) => [...chosen, at]),
  )
}

type Rows = readonly (readonly Cell[])[]

const sameRows = (a: Rows, b: Rows): boolean => a.every((row, i) => row.every((cell, j) => sameCell(cell, b[i]?.[j] ?? null)))

/** Numbers are compared to nine digits, also if they are written as text. */
function sameCell(a: Cell, b: Cell): boolean {
  const [x, y] = [numberOf(yearOf(a, b)), numberOf(yearOf(b, a))]
  if (x === undefined || y === undefined) return a === b
  return Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y))
}

/** The first day of a year is the year, where the other cell is a number. */
const yearOf = (cell: Cell, other: Cell): Cell =>
  typeof other === 'number' && typeof cell === 'string' ? (/^(\d{4})-01-01$/.exec(cell)?.[1] ?? cell) : cell

function numberOf(cell: Cell): number | undefined {
  if (typeof cell === 'number') return cell
  return typeof cell === 'string' && /^-?\d+(\.\d+)?$/.test(cell) ? Number(cell) : undefined
}

/** The sort key of the rows: texts first, because numbers may differ in their last digit. */
function sorted(rows: Rows): Rows {
  const key = (row: readonly Cell[]) => JSON.stringify(row.map((cell) => numberOf(cell)?.toPrecision(7) ?? cell))
  return rows.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}
