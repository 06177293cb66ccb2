/** One column of a table of texts. */
export interface TextColumn {
  readonly name: string
  /** Numbers stand below each other at their right. */
  readonly numeric?: boolean
}

/** Rows of texts under their names, aligned. */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const clean = rows.map((row) => row.map(oneLine))
  const widths = columns.map(({ name }, i) => clean.reduce((most, row) => Math.max(most, row[i]!.length), name.length))
  const line = (cells: readonly string[]): string =>
    `${cells
      .map((cell, i) => (columns[i]!.numeric ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
      .join('  ')
      .trimEnd()}\n`
  return [line(columns.map(({ name }) => name)), line(widths.map((width) => '-'.repeat(width))), ...clean.map(line)].join('')
}

/** The same as a table of Markdown. */
export function markdownTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const rule = columns.map(({ numeric }) => (numeric ? '---:' : '---'))
  const safe = (cell: string): string => oneLine(cell).replace(/\\/g, '\\\\').replace(/\|/g, '\\|')
  return [line(columns.map(({ name }) => safe(name))), line(rule), ...rows.map((row) => line(row.map(safe)))].join('')
}

const oneLine = (cell: string): string => cell.replace(/\s*[\r\n]+\s*|\t/g, ' ')
