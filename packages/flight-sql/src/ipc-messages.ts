import type { RecordBatch, Schema } from 'apache-arrow'
import type { FlightData } from './flight-messages.js'

/** A message of Arrow's IPC format as Flight sends it. */
export interface IpcParts {
  readonly header: Uint8Array
  readonly body: Uint8Array
}

export async function schemaParts(schema: Schema): Promise<IpcParts> {
  const { Message } = await import('apache-arrow/ipc/metadata/message')
  return { header: Message.encode(Message.from(schema)), body: new Uint8Array(0) }
}

/** For small batches: the body is copied together. */
export async function batchParts(batch: RecordBatch): Promise<IpcParts> {
  const [{ Message, RecordBatch: Header }, { VectorAssembler }] = await Promise.all([
    import('apache-arrow/ipc/metadata/message'),
    import('apache-arrow/visitor/vectorassembler'),
  ])
  const { nodes, bufferRegions, buffers, byteLength } = VectorAssembler.assemble(batch)
  const header = Message.encode(Message.from(new Header(batch.numRows, nodes, bufferRegions, null), byteLength))
  return { header, body: Buffer.concat(buffers.flatMap(padded)) }
}

/** A buffer, to a multiple of eight bytes. */
function padded(buffer: ArrayBufferView): Uint8Array[] {
  const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  return [bytes, new Uint8Array(-bytes.length & 7)]
}

const CONTINUATION = 0xffffffff
const paddedLength = (length: number): number => (length + 7) & ~7

/** A header as Arrow's IPC format encapsulates it: marker, length, header, to a multiple of eight bytes. */
export function encapsulated(header: Uint8Array): Buffer {
  const message = Buffer.alloc(8 + paddedLength(header.length))
  message.writeUInt32LE(CONTINUATION, 0)
  message.writeInt32LE(paddedLength(header.length), 4)
  message.set(header, 8)
  return message
}

/** Flight sends each message of an IPC stream in two parts; joined, they are the stream again. */
export async function* ipcStream(parts: AsyncIterable<FlightData>): AsyncGenerator<Uint8Array, void> {
  for await (const { dataHeader, dataBody } of parts) {
    if (dataHeader === undefined || dataHeader.length === 0) continue
    yield Buffer.concat([encapsulated(dataHeader), dataBody ?? new Uint8Array(0)])
  }
}
