import type { Answer, AnswerColumn, Scalar } from '@grainline/client'
import type { TextColumn } from './text-table.js'

type AnyAnswer = Pick<Answer<Readonly<Record<string, Scalar>>>, 'columns' | 'rows'>

/** The columns of an answer with display texts, and its cells formatted by their fields; NULL is empty. */
export function answerTable({ columns, rows }: AnyAnswer): {
  readonly columns: readonly TextColumn[]
  readonly rows: readonly (readonly string[])[]
} {
  const own = columns.filter(({ role }) => role !== 'display')
  const displays = columns.filter(({ role }) => role === 'display').map(({ name }) => name)
  const shown = own.map(({ name }) => displays.find((display) => display.startsWith(`${name} (formatted`)) ?? name)
  return {
    columns: own.map((column) => ({ name: titleOf(column), numeric: isNumeric(column) })),
    rows: rows.map((row) => shown.map((name) => textOf(row[name]))),
  }
}

/** With the unit, or the name of the column that has the unit of each row. */
const titleOf = ({ name, unit }: AnswerColumn): string =>
  unit === undefined ? name : `${name} (${unit.replace(/\{([^{}]*)\}/g, '$1')})`

const isNumeric = ({ type }: AnswerColumn): boolean => /^(int|float|double|decimal|bigint)/.test(type)

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
