import { type AsyncBuffer, parquetMetadataAsync, parquetReadObjects, parquetSchema, type SchemaElement } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { cell, type Table } from './table.js'

/** Rows read at once. */
const PORTION = 50_000

/** A Parquet file as a table. Columns that hold lists or structures are left out, and named in `left`. */
export async function parquetTable(name: string, file: AsyncBuffer): Promise<Table & { readonly left: readonly string[] }> {
  const metadata = await parquetMetadataAsync(file)
  const all = parquetSchema(metadata).children.map(({ element, children }) => ({ element, isFlat: children.length === 0 }))
  const flat = all.filter(({ element, isFlat }) => isFlat && element.repetition_type !== 'REPEATED').map(({ element }) => element)
  const names = flat.map((element) => element.name)
  const total = Number(metadata.num_rows)
  async function* parts(): AsyncGenerator<string> {
    for (let rowStart = 0; rowStart < total; rowStart += PORTION) {
      const rowEnd = Math.min(total, rowStart + PORTION)
      const rows = await parquetReadObjects({ file, metadata, columns: names, rowStart, rowEnd, compressors, parsers: PARSERS })
      yield rows.map((row) => names.map((each) => textOf(row[each])).join(',')).join('\n')
    }
  }
  return {
    name,
    columns: flat.map((element) => ({ name: element.name, type: typeOf(element) })),
    parts: parts(),
    left: all.filter(({ element }) => !names.includes(element.name)).map(({ element }) => element.name),
  }
}

/** Times and decimals stay exact: a `Date` has only milliseconds. */
const PARSERS = {
  timestampFromMilliseconds: (millis: bigint) => isoOf(millis * 1000n),
  timestampFromMicroseconds: (micros: bigint) => isoOf(micros),
  timestampFromNanoseconds: (nanos: bigint) => isoOf(nanos / 1000n),
  dateFromDays: (days: number) => new Date(days * 86_400_000).toISOString().slice(0, 10),
}

function isoOf(micros: bigint): string {
  const past = ((micros % 1_000_000n) + 1_000_000n) % 1_000_000n
  const seconds = new Date(Number((micros - past) / 1000n)).toISOString().slice(0, 19)
  return `${seconds}.${String(past).padStart(6, '0')}`
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Uint8Array) return `\\x${[...value].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
  return cell(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** https://parquet.apache.org/docs/file-format/types/logicaltypes/ */
function typeOf({ type, logical_type: logical, converted_type: converted, precision, scale }: SchemaElement): string {
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? 'timestamptz' : 'timestamp'
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS') return 'timestamptz'
  if (logical?.type === 'DATE' || converted === 'DATE') return 'date'
  if (logical?.type === 'DECIMAL' || converted === 'DECIMAL') return `numeric(${precision}, ${scale ?? 0})`
  if (type === 'INT96') return 'timestamp'
  if (type === 'BOOLEAN') return 'boolean'
  if (type === 'INT32') return converted === 'UINT_32' ? 'bigint' : 'integer'
  if (type === 'INT64') return converted === 'UINT_64' ? 'numeric(20)' : 'bigint'
  if (type === 'FLOAT') return 'real'
  if (type === 'DOUBLE') return 'double precision'
  if (logical?.type === 'UUID') return 'uuid'
  return 'text'
}
