/** The cell of an answer row, in the form of a request for the rows behind a number. */
import type { Answer, Column } from '../api/read-arrow.js'

export type CellValue = string | number | boolean | null
export type Cell = Readonly<Record<string, CellValue>>

/** The values of the dimensions of a row. A dimension that a subtotal sums over has none; the value of the group of others is null. */
export function cellOf({ columns }: Pick<Answer, 'columns'>, row: number): Cell {
  return Object.fromEntries(
    columns.flatMap((column) =>
      column.role === 'dimension' && !isSummed({ columns }, column.name, row)
        ? [[column.name, isOthers({ columns }, column.name, row) ? null : cellValue(column, row)]]
        : [],
    ),
  )
}

/** Whether a row is a subtotal over all values of a dimension. */
export const isSummed = (answer: Pick<Answer, 'columns'>, name: string, row: number): boolean =>
  isFlagged(answer, `${name} is total`, row)

/** Whether a row is the group of all but the top values of a dimension. */
export const isOthers = (answer: Pick<Answer, 'columns'>, name: string, row: number): boolean =>
  isFlagged(answer, `${name} is others`, row)

const isFlagged = ({ columns }: Pick<Answer, 'columns'>, flag: string, row: number): boolean =>
  columns.find((each) => each.role === 'grouping' && each.name === flag)?.at(row) === true

/** A value in the form of queries. */
export function cellValue({ type, at }: Pick<Column, 'type' | 'at'>, row: number): CellValue {
  const value = at(row)
  if (value === null || value === undefined) return null
  if (type.startsWith('date')) return new Date(Number(value)).toISOString().slice(0, 10)
  if (type.startsWith('timestamp')) return `${momentOf(Number(value))}${type.startsWith('timestamp_tz') ? 'Z' : ''}`
  if (typeof value === 'number' || typeof value === 'boolean') return value
  return String(value)
}

/** Milliseconds since 1970, with the fraction that a database stores. */
function momentOf(ms: number): string {
  const whole = Math.floor(ms)
  const micros = Math.round((ms - whole) * 1000)
  const text = new Date(whole).toISOString().slice(0, -1)
  return micros === 0 ? text : `${text}${String(micros).padStart(3, '0')}`
}
