import { isNumeric } from '../model/data-type.js'
import { type RecordBatch, type ResultSchema, valueAt, withDisplay, zoneOffset } from '../result/index.js'
import type { Execution } from '../service.js'

/** The answer as aligned text, batch by batch, values as their fields' `format` shows them; the first batch decides the widths. NULL is empty. */
export async function* formatTable(
  answer: Pick<Execution, 'schema' | 'batches' | 'outcome'>,
  locale: string,
): AsyncGenerator<string> {
  const { schema, outcome } = answer
  const offset = zoneOffset(outcome().timezone)
  const displayed = withDisplay(answer, { locale, timezone: outcome().timezone })
  const shown = schema.map(({ name }, i) => {
    const formatted = displayed.schema.findIndex(
      (column) => column.role === 'display' && column.name.startsWith(`${name} (formatted`),
    )
    return formatted < 0 ? i : formatted
  })
  const names = schema.map((column) => column.name)
  let widths: number[] | undefined
  for await (const batch of displayed.batches) {
    const rows = textRows(batch, shown, offset)
    if (!widths) {
      widths = names.map((name, i) => Math.max(name.length, ...rows.slice(0, 1000).map((row) => row[i]!.length)))
      yield heading(names, widths, schema)
    }
    yield rows.map((row) => line(row, widths!, schema)).join('')
  }
  if (!widths)
    yield heading(
      names,
      names.map((name) => name.length),
      schema,
    )
  const { rowCount, truncated } = outcome()
  yield `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}${truncated ? ', more exist' : ''}\n`
}

/** `shown` says which column of the batch is read for each column of the table. */
function textRows(
  { rowCount, columns, schema }: RecordBatch,
  shown: readonly number[],
  offset: ReturnType<typeof zoneOffset>,
): string[][] {
  return Array.from({ length: rowCount }, (_, row) =>
    shown.map((i) => String(valueAt(columns[i]!, row, schema[i]!.type, offset) ?? '').replace(/[\r\n\t]/g, ' ')),
  )
}

function heading(names: readonly string[], widths: readonly number[], schema: ResultSchema): string {
  const rule = widths.map((width) => '-'.repeat(width))
  return line(names, widths, schema) + line(rule, widths, schema)
}

function line(cells: readonly string[], widths: readonly number[], schema: ResultSchema): string {
  const padded = cells.map((cell, i) => (isNumeric(schema[i]!.type) ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!)))
  return `${padded.join('  ').trimEnd()}\n`
}
