/** Parquet, one row group after another; the writer's library is read when the first answer asks for it. */
import { setImmediate } from 'node:timers/promises'
import type { DataType } from '@grainline/core'
import {
  type ColumnVector,
  decimalAt,
  type Encodable,
  isPresent,
  type RecordBatch,
  type ResultFormat,
  type ResultSchema,
  textAt,
  valueAt,
} from '@grainline/core/surface'
import type { ColumnSource } from 'hyparquet-writer'

/** The format as the Parquet project publishes it: https://parquet.apache.org/docs/file-format/ */
export const parquet: ResultFormat = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  alsoKnownAs: ['application/parquet', 'application/x-parquet'],
  encode,
}

/** Rows of a group: it is encoded in one go, so that more would hold up others. */
const GROUP_ROWS = 16_384

type SchemaElement = ConstructorParameters<typeof import('hyparquet-writer').ParquetWriter>[0]['schema'][number]

async function* encode({ schema, batches, timezone, metadata }: Encodable): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const writer = new ByteWriter()
  const elements = [{ name: 'root', num_children: schema.length }, ...schema.map(({ name, type }) => elementOf(name, type))]
  const kvMetadata = Object.entries({ ...metadata, timezone }).map(([key, value]) => ({ key, value }))
  const file = new ParquetWriter({ writer, schema: elements, kvMetadata, createdBy: 'grainline' })
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const group of groups(batches, schema)) {
    file.write({ columnData: group, rowGroupSize: GROUP_ROWS })
    yield take()
    await setImmediate()
  }
  file.finish()
  yield take()
}

/** The values of up to `GROUP_ROWS` rows, column by column. */
async function* groups(batches: Encodable['batches'], schema: ResultSchema): AsyncGenerator<ColumnSource[]> {
  let columns = emptyColumns(schema)
  let rows = 0
  for await (const batch of batches) {
    for (let from = 0; from < batch.rowCount; ) {
      const to = Math.min(batch.rowCount, from + GROUP_ROWS - rows)
      append(columns, batch, from, to)
      rows += to - from
      from = to
      if (rows < GROUP_ROWS) continue
      yield columns
      columns = emptyColumns(schema)
      rows = 0
    }
  }
  if (rows > 0) yield columns
}

type Values = (bigint | number | string | boolean | null)[]
const emptyColumns = (schema: ResultSchema) => schema.map(({ name }) => ({ name, data: [] as Values }))

function append(columns: readonly { readonly data: Values }[], batch: RecordBatch, from: number, to: number): void {
  for (const [index, { data }] of columns.entries()) {
    const column = batch.columns[index]!
    const read = reader(column, batch.schema[index]!.type)
    for (let row = from; row < to; row++) data.push(isPresent(column.validity, row) ? read(row) : null)
  }
}

/** Values as the writer takes them: unscaled decimals, microseconds and days as numbers, text as text. */
function reader(column: ColumnVector, type: DataType): (row: number) => Values[number] {
  switch (column.kind) {
    case 'boolean':
      return (row) => valueAt(column, row, type)
    case 'utf8':
      return (row) => textAt(column, row)
    case 'decimal128':
      return (row) => decimalAt(column.values, row)
    default:
      return (row) => column.values[row]!
  }
}

function elementOf(name: string, type: DataType): SchemaElement {
  const base = { name, repetition_type: 'OPTIONAL' } as const
  switch (type.kind) {
    case 'boolean':
      return { ...base, type: 'BOOLEAN' }
    case 'int':
      return { ...base, type: 'INT64' }
    case 'float':
      return { ...base, type: 'DOUBLE' }
    case 'decimal':
      return { ...base, ...decimalStorage(type), converted_type: 'DECIMAL', scale: type.scale, precision: type.precision }
    case 'date':
      return { ...base, type: 'INT32', converted_type: 'DATE' }
    case 'time':
      return { ...base, type: 'INT64', logical_type: { type: 'TIME', isAdjustedToUTC: false, unit: 'MICROS' } }
    case 'timestamp':
      return { ...base, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MICROS' } }
    case 'timestamp_tz':
      return { ...base, type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } }
    case 'string':
    case 'json':
      return { ...base, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  }
}

const decimalStorage = ({ precision }: { readonly precision: number }) =>
  precision <= 18 ? ({ type: 'INT64' } as const) : ({ type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 } as const)
