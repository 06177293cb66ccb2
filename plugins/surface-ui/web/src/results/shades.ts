import type { Column } from '../api/read-arrow.js'

/** How strongly a number of a column is coloured: from 1 for the smallest to 5 for the largest, and from -1 to -5 below zero. `undefined` is not coloured. */
export type Shade = (row: number) => number | undefined

const STEPS = 5

type Shown = Pick<Column, 'name' | 'role' | 'type' | 'at'>

/** A shade for each column of numbers, over the rows of the answer that are no subtotals. Every column has a scale of its own. */
export function shadesOf(columns: readonly Shown[], rowCount: number): readonly (Shade | undefined)[] {
  const totals = columns.filter(({ role, name }) => role === 'grouping' && name.endsWith(' is total'))
  const isTotal = (row: number) => totals.some((total) => Number(total.at(row)) === 1)
  return columns.map((column) => {
    if (column.role !== 'measure' && column.role !== 'metric') return undefined
    const values = Array.from({ length: rowCount }, (_, row) => (isTotal(row) ? Number.NaN : numberAt(column, row)))
    return shadeOf(values)
  })
}

const numberAt = ({ at }: Shown, row: number): number => {
  const value = at(row)
  return value === null || value === undefined || typeof value === 'boolean' ? Number.NaN : Number(value)
}

/** Numbers on both sides of zero are compared with zero, and others with the smallest. One value alone says nothing. */
function shadeOf(values: readonly number[]): Shade | undefined {
  const known = values.filter(Number.isFinite)
  const [least, most] = [known.reduce((a, b) => Math.min(a, b), Infinity), known.reduce((a, b) => Math.max(a, b), -Infinity)]
  if (!(least < most)) return undefined
  const isSplit = least < 0 && most > 0
  return (row) => {
    const value = values[row] ?? Number.NaN
    if (!Number.isFinite(value) || (isSplit && value === 0)) return undefined
    if (!isSplit) return stepOf((value - least) / (most - least))
    return Math.sign(value) * stepOf(Math.abs(value) / Math.max(most, -least))
  }
}

const stepOf = (share: number): number => Math.min(STEPS, 1 + Math.floor(share * STEPS))
