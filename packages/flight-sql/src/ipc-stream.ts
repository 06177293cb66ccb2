import type { FlightData } from './flight-messages.js'

const CONTINUATION = 0xffffffff
const padded = (length: number): number => (length + 7) & ~7

/** A header as Arrow's IPC format encapsulates it: marker, length, header, to a multiple of eight bytes. */
export function encapsulated(header: Uint8Array): Buffer {
  const message = Buffer.alloc(8 + padded(header.length))
  message.writeUInt32LE(CONTINUATION, 0)
  message.writeInt32LE(padded(header.length), 4)
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
