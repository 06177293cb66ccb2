import { zip } from '../../invariant.js'
import { printable } from '../../printable.js'

/** One column of a table of texts. */
export interface TextColumn {
  readonly name: string
  /** Numbers are aligned to the right. */
  readonly numeric?: boolean
}

/** Rows of texts under their names, aligned. */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(oneLine))
  const wide = columns.map(({ name, numeric }, i) => {
    const shown = oneLine(name)
    return { shown, numeric, width: clean.reduce((most, row) => Math.max(most, row[i]?.length ?? 0), shown.length) }
  })
  const line = (cells: readonly string[]): string =>
    `${zip(wide, cells)
      .map(([{ numeric, width }, cell]) => (numeric ? cell.padStart(width) : cell.padEnd(width)))
      .join('  ')
      .trimEnd()}\n`
  return [line(wide.map(({ shown }) => shown)), line(wide.map(({ width }) => '-'.repeat(width))), ...clean.map(line)].join('')
}

/** The same as a table of Markdown. */
export function markdownTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const rule = columns.map(({ numeric }) => (numeric ? '---:' : '---'))
  const safe = (cell: string): string => oneLine(cell).replace(/\\/g, '\\\\').replace(/\|/g, '\\|')
  return [line(columns.map(({ name }) => safe(name))), line(rule), ...rows.map((row) => line(row.map(safe)))].join('')
}

function oneLine(cell: string): string {
  const lines = cell.split(/[\r\n]+/)
  const line = lines.length === 1 ? cell : lines.map((each) => each.trim()).join(' ')
  return printable(line.replaceAll('\t', ' '))
}
