/** Parquet, one row group after another; the writer is loaded with the first answer. */
import { setImmediate } from 'node:timers/promises'
import type { DataType } from '@grainline/core'
import {
  type ColumnVector,
  decimalAt,
  type Encodable,
  isPresent,
  type ResultFormat,
  type ResultSchema,
  type Slice,
  slices,
  valueAt,
} from '@grainline/core/format'
import type { ColumnSource } from 'hyparquet-writer'
import { CODECS, NONE } from './codecs.js'
import { textReader } from './texts.js'

/** The format as the Parquet project publishes it: https://parquet.apache.org/docs/file-format/ */
export const parquet: ResultFormat = {
  name: 'parquet',
  mediaType: 'application/vnd.apache.parquet',
  alsoKnownAs: ['application/parquet', 'application/x-parquet'],
  compressions: Object.keys(CODECS),
  encode,
}

/** A group is encoded in one turn, so larger groups would delay others. Its last slice may exceed these limits. */
const GROUP_ROWS = 16_384
const GROUP_TEXT_BYTES = 2 * 1024 * 1024

type SchemaElement = ConstructorParameters<typeof import('hyparquet-writer').ParquetWriter>[0]['schema'][number]

async function* encode({ schema, batches, timezone, metadata, compression = 'none' }: Encodable): AsyncGenerator<Uint8Array> {
  const { ByteWriter, ParquetWriter } = await import('hyparquet-writer')
  const { codec, compress } = CODECS[compression] ?? NONE
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: schema.length }, ...schema.map(({ name, type }) => elementOf(name, type))],
    kvMetadata: Object.entries({ ...metadata, timezone }).map(([key, value]) => ({ key, value })),
    createdBy: 'grainline',
    codec,
    ...(compress && { compressors: { [codec]: compress } }),
  })
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  for await (const group of groups(batches)) {
    file.write({ columnData: schema.map((column, index) => columnOf(column, group, index)), rowGroupSize: group.rows })
    yield take()
    await setImmediate()
  }
  file.finish()
  yield take()
}

interface Group {
  readonly rows: number
  readonly slices: readonly Slice[]
}

async function* groups(batches: Encodable['batches']): AsyncGenerator<Group> {
  let held: Slice[] = []
  let rows = 0
  let textBytes = 0
  for await (const slice of slices(batches)) {
    held.push(slice)
    rows += slice.to - slice.from
    textBytes += slice.textBytes
    if (rows < GROUP_ROWS && textBytes < GROUP_TEXT_BYTES) continue
    yield { rows, slices: held }
    held = []
    rows = 0
    textBytes = 0
  }
  if (rows > 0) yield { rows, slices: held }
}

type Values = (bigint | number | Uint8Array | string | boolean | null)[]

function columnOf({ name, type }: ResultSchema[number], { slices }: Group, index: number): ColumnSource {
  const data: Values = []
  const text = textReader()
  for (const { batch, from, to } of slices) {
    const column = batch.columns[index]!
    const read = reader(column, type, text)
    for (let row = from; row < to; row++) data.push(isPresent(column.validity, row) ? read(row) : null)
  }
  // A dictionary pays for texts, which repeat; looking for one among numbers costs more than it saves.
  return { name, data, ...(type.kind !== 'string' && type.kind !== 'boolean' && { encoding: 'PLAIN' as const }) }
}

/** Values in the form of the writer: unscaled decimals, microseconds and days as numbers, texts as bytes. */
function reader(column: ColumnVector, type: DataType, text: ReturnType<typeof textReader>): (row: number) => Values[number] {
  switch (column.kind) {
    case 'boolean':
      return (row) => valueAt(column, row, type)
    case 'utf8':
      return (row) => text(column, row)
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
