import { columnBuilder } from '../result/column-builder.js'
import type { ColumnVector, RecordBatch, ResultSchema } from '../result/record-batch.js'
import { selectRows } from '../result/select-rows.js'
import { type Value, valueAt } from '../result/value-at.js'
import type { Execution } from './asking.js'

/**
 * The rows of a whole relation without those that are known already, which differ from all others in their dimensions. Columns that the
 * query does not have are NULL.
 */
export async function* restOfRelation(
  known: readonly (readonly Value[])[],
  schema: ResultSchema,
  execute: () => Promise<Execution>,
): AsyncGenerator<RecordBatch> {
  const whole = await execute()
  const place = new Map(whole.schema.map(({ name }, i) => [name, i]))
  const isKnown = knownRows(known, schema.filter(({ role }) => role === 'dimension').length, whole.schema)
  for await (const batch of whole.batches) {
    const rows: number[] = []
    for (let row = 0; row < batch.rowCount; row++) if (!isKnown(batch, row)) rows.push(row)
    const others = rows.length === batch.rowCount ? batch : selectRows(batch, rows)
    const columns = schema.map(({ name, type }) => others.columns[place.get(name) ?? -1] ?? nulls(type, rows.length))
    if (rows.length > 0) yield { schema, rowCount: rows.length, columns }
  }
}

/** Most rows differ in their first dimensions already, so these are compared one after the other. */
function knownRows(known: readonly (readonly Value[])[], width: number, schema: ResultSchema) {
  const values = Array.from({ length: width }, (_, i) => new Set(known.map((row) => row[i])))
  const keys = new Set(known.map((row) => keyOf(row.slice(0, width))))
  return ({ columns }: RecordBatch, row: number): boolean => {
    const found: Value[] = []
    for (let i = 0; i < width; i++) {
      const value = valueAt(columns[i]!, row, schema[i]!.type)
      if (!values[i]!.has(value)) return false
      found.push(value)
    }
    return keys.has(keyOf(found))
  }
}

const keyOf = (values: readonly Value[]): string =>
  JSON.stringify(values.map((value) => (typeof value === 'bigint' ? String(value) : value)))

function nulls(type: ResultSchema[number]['type'], length: number): ColumnVector {
  const builder = columnBuilder(type)
  for (let i = 0; i < length; i++) builder.append(null)
  return builder.finish()
}
