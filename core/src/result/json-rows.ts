import { type DataType, formatDataType } from '../model/data-type.js'
import { cellWriter } from './json-cells.js'
import { JsonWriter } from './json-writer.js'
import type { RecordBatch, ResultColumn, ResultSchema } from './record-batch.js'
import { slices } from './slices.js'
import type { CellWriter } from './text-writer.js'
import { type ZoneOffset, zoneOffset } from './zone-offset.js'

/**
 * How the values of a column are encoded in JSON if that is not obvious: `string` for decimals (every digit is kept), `number-or-string`
 * for integers (a number as long as a double represents it exactly, a string beyond 2^53).
 */
export type JsonEncoding = 'string' | 'number-or-string'

/** A column of a JSON answer: its name, its type, its role, and how its cells are encoded. */
export interface JsonColumn {
  readonly name: string
  readonly type: string
  readonly role: ResultColumn['role']
  readonly format?: string
  readonly unit?: string
  readonly encoding?: JsonEncoding
}

/** The `columns` of an answer in JSON. */
export function jsonColumns(schema: ResultSchema): JsonColumn[] {
  return schema.map(({ name, type, role, format, unit }) => {
    const encoding = jsonEncoding(type)
    return {
      name,
      type: formatDataType(type),
      role,
      ...(format !== undefined && { format }),
      ...(unit !== undefined && { unit }),
      ...(encoding !== undefined && { encoding }),
    }
  })
}

/** How the cells of a JSON answer are written. */
export interface JsonRowsOptions {
  /** IANA zone in which `timestamp_tz` is shown, with its offset; UTC (`…Z`) by default. */
  readonly timezone?: string
}

/**
 * The `rows` of an answer: the pieces of one JSON array of arrays. Decimals and integers beyond 2^53 are strings, floats numbers (NaN and
 * the infinities their names as strings), dates and times ISO 8601, `infinity` and `-infinity` if the engine has them, json is embedded.
 */
export async function* encodeJsonRows(
  batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>,
  options: JsonRowsOptions = {},
): AsyncIterable<Buffer> {
  const offset = zoneOffset(options.timezone ?? 'UTC')
  const writer = new JsonWriter()
  let separator = OPEN
  for await (const { batch, from, to } of slices(batches)) {
    const cells = jsonCells(batch, writer, offset)
    for (let row = from; row < to; row++) {
      writer.byte(separator)
      writeRow(cells, row, writer)
      separator = COMMA
    }
    yield writer.take()
  }
  if (separator === OPEN) writer.byte(OPEN)
  writer.byte(CLOSE)
  yield writer.take()
}

const OPEN = 91
const CLOSE = 93
const COMMA = 44

function writeRow(cells: readonly CellWriter[], row: number, writer: JsonWriter): void {
  writer.byte(OPEN)
  for (let i = 0; i < cells.length; i++) {
    if (i > 0) writer.byte(COMMA)
    cells[i]!(row)
  }
  writer.byte(CLOSE)
}

const jsonCells = ({ schema, columns }: RecordBatch, writer: JsonWriter, offset: ZoneOffset | undefined): CellWriter[] =>
  columns.map((column, index) => cellWriter(column, schema[index]!.type, writer, offset))

function jsonEncoding(type: DataType): JsonEncoding | undefined {
  if (type.kind === 'decimal') return 'string'
  return type.kind === 'int' ? 'number-or-string' : undefined
}
