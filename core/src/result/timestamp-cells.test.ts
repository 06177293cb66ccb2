import fc from 'fast-check'
import t from 'tap'
import { TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { formatInstant, formatTimestamp, INFINITE_MICROS } from './temporal.js'
import { TextWriter } from './text-writer.js'
import { timestampWriter } from './timestamp-cells.js'
import { zoneOffset } from './zone-offset.js'

const SEED = Number(process.env.FC_SEED ?? Date.now() % 1_000_000)
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/** The text of the writer, in UTC or in a zone. */
function written(micros: bigint, type = TIMESTAMP, zone = 'UTC'): string {
  const column = { kind: 'int64', length: 1, validity: undefined, values: BigInt64Array.of(micros) } as const
  const writer = new TextWriter()
  timestampWriter(column, type, writer, zoneOffset(zone))(0)
  return writer.take().toString()
}

t.test('the fast writer of timestamps', async (t) => {
  t.equal(written(0n), '1970-01-01T00:00:00')
  t.equal(written(-1n), '1969-12-31T23:59:59.999999')
  t.equal(written(1_500_000n), '1970-01-01T00:00:01.5')
  t.equal(written(1_000_100n), '1970-01-01T00:00:01.0001')
  t.equal(written(0n, TIMESTAMP_TZ), '1970-01-01T00:00:00Z')
  t.equal(written(0n, TIMESTAMP_TZ, 'Asia/Kathmandu'), '1970-01-01T05:30:00+05:30')
  t.equal(written(INFINITE_MICROS), 'infinity')
  t.equal(written(-INFINITE_MICROS, TIMESTAMP_TZ), '-infinity')
})

t.test(`it equals the writer with big integers, on both sides of the range of doubles (seed ${SEED})`, async (t) => {
  const micros = fc.oneof(
    fc.bigInt({ min: -EXACT, max: EXACT }),
    fc.bigInt({ min: EXACT - 2n, max: EXACT + 2n }),
    fc.bigInt({ min: -EXACT - 2n, max: 2n - EXACT }),
    fc.bigInt({ min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n }),
  )
  fc.assert(
    fc.property(micros, (value) => {
      t.equal(written(value), formatTimestamp(value))
      for (const zone of ['UTC', 'Europe/Berlin', '-03:30'])
        t.equal(written(value, TIMESTAMP_TZ, zone), formatInstant(value, zoneOffset(zone)?.(value)))
    }),
    { seed: SEED, numRuns: 500 },
  )
})
