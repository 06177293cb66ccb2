/** A table as tab-separated text, the cheapest for a model to read. Tabs and ends of line within a cell become spaces; NULL is empty. */
export function tsv(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  return [head, ...rows].map((row) => row.map(cell).join('\t')).join('\n')
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replaceAll(/[\t\r\n]+/g, ' ')
}
