/** Arrow IPC streams. */
import { type ArrowMessage, loadArrowIpc, paddedLength, writeBody } from '../arrow-ipc.js'
import type { Encodable, ResultFormat } from './format.js'

/** The format as the Arrow project publishes it: https://arrow.apache.org/docs/format/Columnar.html#ipc-streaming-format */
export const arrow: ResultFormat = {
  name: 'arrow',
  mediaType: 'application/vnd.apache.arrow.stream',
  alsoKnownAs: ['application/arrow', 'application/vnd.apache.arrow'],
  encode,
}

async function* encode({ schema, batches, timezone, metadata }: Encodable): AsyncGenerator<Uint8Array> {
  const ipc = await loadArrowIpc()
  yield framed(ipc.schemaMessage(ipc.schemaOf(schema, { timezone, metadata })))
  for await (const batch of batches) if (batch.rowCount > 0) yield framed(ipc.batchMessage(batch))
  yield END_OF_STREAM
}

const CONTINUATION = 0xffffffff
const END_OF_STREAM = Buffer.from([255, 255, 255, 255, 0, 0, 0, 0])

/** Continuation, length of the header, header, body; header and every part of the body on a multiple of eight bytes. */
function framed({ header, buffers, bodyLength }: ArrowMessage): Buffer {
  const headerLength = paddedLength(header.byteLength)
  const message = Buffer.alloc(8 + headerLength + bodyLength)
  message.writeUInt32LE(CONTINUATION, 0)
  message.writeInt32LE(headerLength, 4)
  message.set(header, 8)
  writeBody(buffers, message, 8 + headerLength)
  return message
}
