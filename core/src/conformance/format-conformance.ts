/**
 * What every format of answers must do, as a function that its own test calls with itself:
 *
 *     formatConformance(t, { format: myFormat, rowsIn: (bytes) => … })
 */
import { strict as assert } from 'node:assert'
import type { TestRunner } from '../execute/vendor-conformance.js'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { batchFromRows } from '../result/column-builder.js'
import type { ResultFormat } from '../result/formats/format.js'
import type { RecordBatch, ResultSchema } from '../result/record-batch.js'

/** A format, and how a reader of it counts rows. */
export interface FormatUnderTest {
  readonly format: ResultFormat
  /** The number of rows that a reader of the format finds in the bytes. */
  readonly rowsIn: (bytes: Uint8Array) => number | Promise<number>
}

/** A column of every type, with a value and a NULL. */
const VALUES = [
  [STRING, 'quote " comma , tab \t line \n ünï 🦆'],
  [BOOLEAN, true],
  [INT, 9_007_199_254_740_993n],
  [FLOAT, 5e-324],
  [decimal(38, 4), '-1234567890123456789012345678901234.5678'],
  [DATE, '2024-02-29'],
  [TIME, '23:59:59.999999'],
  [TIMESTAMP, '2024-02-29T23:59:59.999999'],
  [TIMESTAMP_TZ, '2024-02-29T23:59:59.999999Z'],
  [JSON_TYPE, '{"a":[1,null]}'],
] as const
const SCHEMA: ResultSchema = VALUES.map(([type], i) => ({ name: `column ${i}`, type, role: 'field' }))
const ROW = VALUES.map(([, value]) => value)
const NULLS = VALUES.map(() => null)

/** Runs the tests that every format passes: names, every type, batches of any size, the same bytes again, and readers that leave. */
export function formatConformance(t: TestRunner, { format, rowsIn }: FormatUnderTest): void {
  const say = (name: string, body: () => Promise<void>) => t.test(`${format.name}: ${name}`, body)
  const encode = (batches: Iterable<RecordBatch> | AsyncIterable<RecordBatch>) =>
    format.encode({ schema: SCHEMA, batches, timezone: 'UTC', metadata: { question: 'why?' } })
  const bytesOf = async (batches: Iterable<RecordBatch> | AsyncIterable<RecordBatch>): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    for await (const piece of encode(batches)) pieces.push(piece)
    return Buffer.concat(pieces)
  }
  const batch = (rows: readonly (readonly unknown[])[]) => batchFromRows(SCHEMA, rows)

  say('clients can request it by a plain name and by media types', async () => {
    assert.match(format.name, /^[a-z][a-z0-9_-]*$/)
    const types = [format.mediaType.split(';')[0]!, ...format.alsoKnownAs]
    for (const type of types) assert.match(type, /^[a-z]+\/[a-z0-9.+-]+$/)
    assert.equal(new Set(types).size, types.length, 'no type is named twice')
    assert.ok(!types.includes('application/json'), 'plain JSON belongs to the surface')
  })

  say('every row of every batch is written, with values and NULLs of every type', async () => {
    assert.equal(await rowsIn(await bytesOf([batch([ROW, NULLS]), batch([]), batch([ROW])])), 3)
  })

  say('an answer without rows is a complete answer', async () => {
    assert.equal(await rowsIn(await bytesOf([])), 0)
    assert.equal(await rowsIn(await bytesOf([batch([])])), 0)
  })

  say('the same answer gives the same bytes', async () => {
    const answer = () => bytesOf([batch([ROW, NULLS])])
    assert.ok((await answer()).equals(await answer()))
  })

  say('a reader that leaves early releases the rows', async () => {
    let released = false
    async function* endless(): AsyncGenerator<RecordBatch> {
      const rows = batch(Array.from({ length: 1000 }, () => ROW))
      try {
        for (;;) yield rows
      } finally {
        released = true
      }
    }
    const pieces = encode(endless())[Symbol.asyncIterator]()
    // A format that begins with a header has read no row before it.
    for (let piece = 0; piece < 3; piece++) assert.equal((await pieces.next()).done, false)
    await pieces.return?.()
    assert.ok(released, 'the rows are still held')
  })

  say('an error in the rows gives no complete answer', async () => {
    async function* failing(): AsyncGenerator<RecordBatch> {
      yield batch([ROW])
      throw new Error('the database has gone')
    }
    await assert.rejects(bytesOf(failing()), /the database has gone/)
  })
}
