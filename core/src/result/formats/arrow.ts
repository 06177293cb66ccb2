/** Arrow IPC streams. Batches are in Arrow's memory layout already, so that only the small messages around them are made. */
import type { Field, Schema } from 'apache-arrow'
import { type DataType, formatDataType } from '../../model/data-type.js'
import type { ColumnVector, RecordBatch, ResultColumn, ResultSchema } from '../record-batch.js'
import type { Encodable, ResultFormat } from './format.js'

/** The format as the Arrow project publishes it: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format */
export const arrow: ResultFormat = {
  name: 'arrow',
  mediaType: 'application/vnd.apache.arrow.stream',
  alsoKnownAs: ['application/arrow', 'application/vnd.apache.arrow'],
  encode,
}

async function* encode({ schema, batches, timezone, metadata }: Encodable): AsyncGenerator<Uint8Array> {
  const ipc = await loadArrow()
  yield ipc.schemaMessage(schema, timezone, metadata)
  for await (const batch of batches) if (batch.rowCount > 0) yield ipc.batchMessage(batch)
  yield END_OF_STREAM
}

export interface ArrowIpc {
  /** The first message of a stream. */
  schemaMessage(schema: ResultSchema, timezone: string, metadata: Readonly<Record<string, string>>): Buffer
  /** The rows of one batch. */
  batchMessage(batch: RecordBatch): Buffer
}

/** Arrow's own library is large, so it is read when the first answer asks for it. */
export async function loadArrow(): Promise<ArrowIpc> {
  const [arrows, message] = await Promise.all([import('apache-arrow'), import('apache-arrow/ipc/metadata/message')])
  const { Message, RecordBatch: Header, FieldNode, BufferRegion } = message
  return {
    schemaMessage(schema, timezone, metadata) {
      const described = arrowSchema(arrows, schema, timezone, metadata)
      return framed(Message.encode(Message.from(described)), [])
    },
    batchMessage({ rowCount, columns }) {
      const parts: Uint8Array[] = []
      const regions: InstanceType<typeof BufferRegion>[] = []
      let at = 0
      const nodes = columns.map((column) => {
        for (const part of partsOf(column)) {
          parts.push(part)
          regions.push(new BufferRegion(at, part.byteLength))
          at += padded(part.byteLength)
        }
        return new FieldNode(column.length, nullsOf(column))
      })
      return framed(Message.encode(Message.from(new Header(rowCount, nodes, regions, null), at)), parts)
    },
  }
}

const CONTINUATION = 0xffffffff
const END_OF_STREAM = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])
const padded = (bytes: number): number => (bytes + 7) & ~7

/** Continuation, length of the header, header, body; header and every part of the body on a multiple of eight bytes. */
function framed(header: Uint8Array, parts: readonly Uint8Array[]): Buffer {
  const headerBytes = padded(header.byteLength)
  const total = parts.reduce((sum, part) => sum + padded(part.byteLength), 8 + headerBytes)
  const message = Buffer.alloc(total)
  message.writeUInt32LE(CONTINUATION, 0)
  message.writeInt32LE(headerBytes, 4)
  message.set(header, 8)
  let at = 8 + headerBytes
  for (const part of parts) {
    message.set(part, at)
    at += padded(part.byteLength)
  }
  return message
}

const NOTHING = new Uint8Array(0)

/** The buffers of a column in Arrow's order; an absent validity buffer says that nothing is NULL. */
function partsOf(column: ColumnVector): Uint8Array[] {
  const validity = column.validity ?? NOTHING
  if (column.kind !== 'utf8') return [validity, bytesOf(column.values)]
  const { offsets, bytes } = fromZero(column)
  return [validity, bytesOf(offsets), bytes]
}

/** Offsets that start at 0, as readers expect of what was sent. */
function fromZero({ offsets, bytes, length }: ColumnVector & { readonly kind: 'utf8' }) {
  const first = offsets[0] ?? 0
  const last = offsets[length] ?? 0
  const own = first === 0 ? offsets.subarray(0, length + 1) : offsets.subarray(0, length + 1).map((offset) => offset - first)
  return { offsets: own, bytes: bytes.subarray(first, last) }
}

const bytesOf = (values: Uint8Array | Int32Array | Float64Array | BigInt64Array): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength)

function nullsOf({ validity, length }: ColumnVector): number {
  if (validity === undefined) return 0
  let present = 0
  for (let i = 0; i < length; i++) present += (validity[i >> 3]! >> (i & 7)) & 1
  return length - present
}

type Arrow = typeof import('apache-arrow')

function arrowSchema(arrows: Arrow, schema: ResultSchema, timezone: string, metadata: Readonly<Record<string, string>>): Schema {
  const fields = schema.map((column): Field => {
    const { name, type } = column
    return new arrows.Field(name, arrowType(arrows, type, timezone), true, new Map(Object.entries(fieldMetadata(column))))
  })
  return new arrows.Schema(fields, new Map(Object.entries(metadata)))
}

function fieldMetadata({ type, role, format }: ResultColumn): Record<string, string> {
  return { type: formatDataType(type), role, ...(format !== undefined && { format }) }
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
