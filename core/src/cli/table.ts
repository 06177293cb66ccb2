import { isNumeric } from '../model/data-type.js'
import { type RecordBatch, type ResultSchema, valueAt, zoneOffset } from '../result/index.js'
import type { Execution } from '../service.js'

/** The answer as aligned text, batch by batch; the first batch decides the widths. NULL is empty. */
export async function* formatTable({
  schema,
  batches,
  outcome,
}: Pick<Execution, 'schema' | 'batches' | 'outcome'>): AsyncGenerator<string> {
  const offset = zoneOffset(outcome().timezone)
  const names = schema.map((column) => column.name)
  let widths: number[] | undefined
  for await (const batch of batches) {
    const rows = textRows(batch, offset)
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

function textRows(batch: RecordBatch, offset: ReturnType<typeof zoneOffset>): string[][] {
  return Array.from({ length: batch.rowCount }, (_, row) =>
    batch.columns.map((column, i) => String(valueAt(column, row, batch.schema[i]!.type, offset) ?? '').replace(/[\r\n\t]/g, ' ')),
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
