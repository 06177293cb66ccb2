import type { flight } from '@grainline/core'
import type { RecordBatch, RecordBatchReader, Schema } from 'apache-arrow'
import type { Driver } from './driver.js'

/** Reads the schema first, then a record batch whenever one is asked for. */
export async function openReader(
  parts: AsyncIterable<flight.FlightData>,
  { arrow }: Driver,
): Promise<{ readonly schema: Schema; readonly batches: AsyncIterable<RecordBatch> }> {
  const reader: RecordBatchReader = await arrow.RecordBatchReader.from(messages(parts))
  const opened = await reader.open()
  return { schema: opened.schema, batches: opened as AsyncIterable<RecordBatch> }
}

/** Flight sends a message of the IPC format in two parts, without what stands around them in a stream of bytes. */
async function* messages(parts: AsyncIterable<flight.FlightData>): AsyncGenerator<Uint8Array, void> {
  for await (const { dataHeader, dataBody } of parts) {
    if (dataHeader === undefined || dataHeader.length === 0) continue
    const padding = (8 - (dataHeader.length & 7)) & 7
    const prefix = Buffer.alloc(8)
    prefix.writeUInt32LE(0xffffffff, 0)
    prefix.writeInt32LE(dataHeader.length + padding, 4)
    yield Buffer.concat([prefix, dataHeader, Buffer.alloc(padding), dataBody ?? Buffer.alloc(0)])
  }
}
