import type { Answer, Column } from '../api/read-arrow.js'
import { isOthers } from '../results/cell-of.js'
import { NO_TEXT, NO_VALUE } from '../results/format-value.js'

/** The labels of the values of a dimension in a chart, by row. The label of the group of others differs from all values. */
export function categoryNames(
  { columns, rowCount }: Pick<Answer, 'columns' | 'rowCount'>,
  { name }: Pick<Column, 'name'>,
  textAt: (row: number) => string | null,
): readonly string[] {
  const texts = Array.from({ length: rowCount }, (_, row) => textAt(row))
  const isGroup = texts.map((_, row) => isOthers({ columns }, name, row))
  const values = new Set(texts.filter((_, row) => !isGroup[row]))
  return texts.map((text, row) => {
    if (!isGroup[row]) return (text ?? NO_VALUE) || NO_TEXT
    const label = text ?? 'Others'
    return values.has(label) ? `${label} (the rest)` : label
  })
}
