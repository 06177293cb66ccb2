import { cellWriter } from '../json-cells.js'
import { JsonWriter } from '../json-writer.js'
import { slices } from '../slices.js'
import { constantOf } from '../text-writer.js'
import { zoneOffset } from '../zone-offset.js'
import type { Encodable, ResultFormat } from './format.js'

/** One JSON object per row and line, keyed by the names of the columns; values as in the rows of a JSON answer. */
export const ndjson: ResultFormat = {
  name: 'ndjson',
  mediaType: 'application/x-ndjson',
  alsoKnownAs: ['application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
  rowsOnly: true,
  encode,
}

const CLOSE = 125
const LINE_FEED = 10

async function* encode({ schema, batches, timezone }: Encodable): AsyncGenerator<Uint8Array> {
  const offset = zoneOffset(timezone)
  const writer = new JsonWriter()
  const keys = schema.map(({ name }, index) => constantOf(`${index === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  for await (const { batch, from, to } of slices(batches)) {
    const cells = batch.columns.map((column, index) => cellWriter(column, schema[index]!.type, writer, offset))
    for (let row = from; row < to; row++) {
      for (let column = 0; column < cells.length; column++) {
        writer.constant(keys[column]!)
        cells[column]!(row)
      }
      writer.byte(CLOSE)
      writer.byte(LINE_FEED)
    }
    yield writer.take()
  }
}
