import { type Data, type DataType, makeBuilder, makeData, RecordBatch, type Schema, Struct } from 'apache-arrow'

/** Builds a small batch from rows of values. */
export function batchOf(schema: Schema, rows: readonly (readonly unknown[])[]): RecordBatch {
  const children = schema.fields.map(({ type }, column) =>
    arrayOf(
      type,
      rows.map((row) => row[column]),
    ),
  )
  return batchOfColumns(schema, children, rows.length)
}

/** Builds a column from its values. */
export function arrayOf(type: DataType, values: readonly unknown[]): Data {
  const builder = makeBuilder({ type, nullValues: [null, undefined] })
  for (const value of values) builder.append(value)
  return builder.finish().flush()
}

export function batchOfColumns(schema: Schema, children: readonly Data[], length: number): RecordBatch {
  return new RecordBatch(schema, makeData({ type: new Struct(schema.fields), length, nullCount: 0, children: [...children] }))
}
