/** The rows of a pivot by the numbers of one of its columns. */
import type { Column } from '../api/read-arrow.js'
import { byOrder, orderOf } from '../results/sort-rows.js'
import type { Line, Pivot } from './pivot.js'

export interface PivotSort {
  /** The key of the column. */
  readonly column: string
  /** The name of the number in it. */
  readonly number: string
  readonly direction: 'asc' | 'desc'
}

/** A click on a heading: the largest first, then the smallest, then the order of the names again. */
export function nextSort(sort: PivotSort | undefined, column: string, number: string): PivotSort | undefined {
  if (sort?.column !== column || sort.number !== number) return { column, number, direction: 'desc' }
  return sort.direction === 'desc' ? { ...sort, direction: 'asc' } : undefined
}

/** Rows without the number come after the others, then the group of the others, then the total. */
export function sortedRows({ rows, columns, numbers, cell }: Pivot, sort: PivotSort | undefined): readonly Line[] {
  const at = columns.findIndex(({ key }) => key === sort?.column)
  const number = numbers.find(({ name }) => name === sort?.number)
  if (sort === undefined || at < 0 || number === undefined) return rows
  const sign = sort.direction === 'asc' ? 1 : -1
  const found = rows.map((line, row) => ({ line, value: valueAt(number, cell(row, at)), last: lastness(line) }))
  return found
    .toSorted((a, b) => {
      if (a.last !== b.last) return a.last - b.last
      if (a.value === null || b.value === null) return Number(a.value === null) - Number(b.value === null)
      return sign * byOrder(a.value, b.value)
    })
    .map(({ line }) => line)
}

const lastness = ({ isTotal, headings }: Line): number => (isTotal ? 2 : Number(headings.some(({ isOthers }) => isOthers)))
const valueAt = (number: Column, row: number | undefined): unknown => (row === undefined ? null : (orderOf(number, row) ?? null))
