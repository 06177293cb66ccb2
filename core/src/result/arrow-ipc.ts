/** Arrow's IPC messages. Batches are in Arrow's memory layout already, so only the small headers are created. */
import type { Field, Schema } from 'apache-arrow'
import { type DataType, formatDataType } from '../model/data-type.js'
import type { ColumnVector, RecordBatch, ResultColumn, ResultSchema } from './record-batch.js'

/** A message: its header as a flatbuffer, and the buffers of its body, each of which begins on a multiple of eight bytes. */
export interface ArrowMessage {
  readonly header: Uint8Array
  readonly buffers: readonly Uint8Array[]
  /** Bytes of the body, including the padding between the buffers. */
  readonly bodyLength: number
}

/** The contents of an Arrow schema besides names and types. */
export interface ArrowSchemaOptions {
  /** IANA zone of `timestamp_tz` columns. */
  readonly timezone: string
  readonly metadata?: Readonly<Record<string, string>>
  /** Metadata of a field in addition to its type, role and format. */
  readonly fieldMetadata?: (column: ResultColumn) => Readonly<Record<string, string>>
}

/** Schemas and batches as messages of Arrow IPC. */
export interface ArrowIpc {
  /** The schema as Arrow's own library represents it. */
  schemaOf(schema: ResultSchema, options: ArrowSchemaOptions): Schema
  /** The first message of a stream. */
  schemaMessage(schema: Schema): ArrowMessage
  /** The rows of one batch. */
  batchMessage(batch: RecordBatch): ArrowMessage
}

/** Arrow's own library is large, so it is loaded when the first answer needs it. */
export async function loadArrowIpc(): Promise<ArrowIpc> {
  const [arrows, message] = await Promise.all([import('apache-arrow'), import('apache-arrow/ipc/metadata/message')])
  const { Message, RecordBatch: Header, FieldNode, BufferRegion } = message
  return {
    schemaOf: (schema, options) => arrowSchema(arrows, schema, options),
    schemaMessage: (schema) => ({ header: Message.encode(Message.from(schema)), buffers: [], bodyLength: 0 }),
    batchMessage({ rowCount, columns }) {
      const buffers: Uint8Array[] = []
      const regions: InstanceType<typeof BufferRegion>[] = []
      let at = 0
      const nodes = columns.map((column) => {
        for (const buffer of buffersOf(column)) {
          buffers.push(buffer)
          regions.push(new BufferRegion(at, buffer.byteLength))
          at += paddedLength(buffer.byteLength)
        }
        return new FieldNode(column.length, nullsOf(column))
      })
      const header = Message.encode(Message.from(new Header(rowCount, nodes, regions, null), at))
      return { header, buffers, bodyLength: at }
    },
  }
}

/** The next multiple of eight. */
export const paddedLength = (bytes: number): number => (bytes + 7) & ~7

/** Writes the buffers of a body into `target` from `at` on. */
export function writeBody(buffers: readonly Uint8Array[], target: Uint8Array, at: number): void {
  let to = at
  for (const buffer of buffers) {
    target.set(buffer, to)
    const end = to + paddedLength(buffer.byteLength)
    target.fill(0, to + buffer.byteLength, end)
    to = end
  }
}

const NOTHING = new Uint8Array(0)

/** The buffers of a column in Arrow's order; an absent validity buffer means that nothing is NULL. */
function buffersOf(column: ColumnVector): Uint8Array[] {
  const validity = column.validity ?? NOTHING
  if (column.kind !== 'utf8') return [validity, bytesOf(column.values)]
  const { offsets, bytes } = fromZero(column)
  return [validity, bytesOf(offsets), bytes]
}

/** Offsets that start at 0, as readers expect. */
function fromZero({ offsets, bytes, length }: ColumnVector & { readonly kind: 'utf8' }) {
  const first = offsets[0] ?? 0
  const last = offsets[length] ?? 0
  const own = first === 0 ? offsets.subarray(0, length + 1) : offsets.subarray(0, length + 1).map((offset) => offset - first)
  return { offsets: own, bytes: bytes.subarray(first, last) }
}

const bytesOf = (values: Uint8Array | Int32Array | Float64Array | BigInt64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength)

const ONES = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

function nullsOf({ validity, length }: ColumnVector): number {
  if (validity === undefined) return 0
  const whole = length >> 3
  let present = ONES[(validity[whole] ?? 0) & ((1 << (length & 7)) - 1)]!
  for (let i = 0; i < whole; i++) present += ONES[validity[i]!]!
  return length - present
}

type Arrow = typeof import('apache-arrow')

function arrowSchema(
  arrows: Arrow,
  schema: ResultSchema,
  { timezone, metadata = {}, fieldMetadata }: ArrowSchemaOptions,
): Schema {
  const fields = schema.map((column): Field => {
    const own = { ...describedField(column), ...fieldMetadata?.(column) }
    return new arrows.Field(column.name, arrowType(arrows, column.type, timezone), true, new Map(Object.entries(own)))
  })
  return new arrows.Schema(fields, new Map(Object.entries(metadata)))
}

function describedField({ type, role, format, unit }: ResultColumn): Record<string, string> {
  return {
    type: formatDataType(type),
    role,
    ...(format !== undefined && { format }),
    ...(unit !== undefined && { unit }),
  }
}

function arrowType(arrows: Arrow, type: DataType, timezone: string) {
  switch (type.kind) {
    case 'boolean':
      return new arrows.Bool()
    case 'int':
      return new arrows.Int64()
    case 'float':
      return new arrows.Float64()
    case 'decimal':
      return new arrows.Decimal(type.scale, type.precision, 128)
    case 'date':
      return new arrows.DateDay()
    case 'time':
      return new arrows.TimeMicrosecond()
    case 'timestamp':
      return new arrows.TimestampMicrosecond()
    case 'timestamp_tz':
      return new arrows.TimestampMicrosecond(timezone)
    case 'string':
    case 'json':
      return new arrows.Utf8()
  }
}
