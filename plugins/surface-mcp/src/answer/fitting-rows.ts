export interface Limits {
  readonly rows: number
  readonly characters: number
}

/** The rows as text, as many as the limits allow. */
export function fittingRows(
  head: readonly string[],
  all: readonly (readonly unknown[])[],
  { rows: most, characters }: Limits,
): { readonly text: string; readonly rows: readonly (readonly unknown[])[] } {
  let rows = all.slice(0, most)
  let text = tsv(head, rows)
  while (text.length > characters && rows.length > 1) {
    rows = rows.slice(0, Math.max(1, Math.floor((rows.length * characters) / text.length) - 1))
    text = tsv(head, rows)
  }
  return { text: text.length > characters ? `${text.slice(0, characters)}…` : text, rows }
}

/** A table as tab-separated text, which takes the fewest tokens. Tabs and line breaks within a cell become spaces. NULL is empty. */
export function tsv(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [head, ...rows].map((row) => row.map(cell).join('\t')).join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replaceAll(/[\t\r\n]+/g, ' ')
}
