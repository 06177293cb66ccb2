import fc from 'fast-check'
import t from 'tap'
import { writeDigits, writePadded } from './digits.js'
import { DOUBLE_BYTES, writeDouble } from './double-digits.js'

const SEED = Number(process.env.FC_SEED ?? Date.now() % 1_000_000)
const runs = { seed: SEED, numRuns: 20_000 }
const AT = 3
const bytes = Buffer.alloc(AT + DOUBLE_BYTES)
const textTo = (end: number) => bytes.toString('latin1', AT, end)

t.test(`whole numbers have all their digits (seed ${SEED})`, async (t) => {
  const value = fc.oneof(
    fc.maxSafeNat(),
    fc.nat(200_000_000),
    fc.nat({ max: 15 }).map((digits) => 10 ** digits - 1),
  )
  fc.assert(
    fc.property(value, fc.nat({ max: 4 }), (value, zeros) => {
      const text = String(value)
      const count = text.length + zeros
      return (
        textTo(writeDigits(bytes, AT, value)) === text &&
        textTo(writePadded(bytes, AT, value, count)) === text.padStart(count, '0')
      )
    }),
    runs,
  )
  t.pass('all equal')
})

/** A double from its bits. */
function fromBits(bits: bigint): number {
  return new Float64Array(BigUint64Array.of(BigInt.asUintN(64, bits)).buffer)[0]!
}
function bitsOf(value: number): bigint {
  return new BigUint64Array(Float64Array.of(value).buffer)[0]!
}

/** The written text; `undefined` if it leaves the number to `String`. */
function written(value: number): string | undefined {
  const end = writeDouble(bytes, AT, value)
  return end < 0 ? undefined : textTo(end)
}

const anyBits = fc.bigInt({ min: bitsOf(1e-6), max: bitsOf(1e16) }).map(fromBits)
const decimals = fc.tuple(fc.nat(2_000_000_000), fc.nat({ max: 12 })).map(([unscaled, scale]) => Number(`${unscaled}e-${scale}`))
const ratios = fc.tuple(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 })).map(([a, b]) => a / b)
const powers = fc.oneof(
  fc.integer({ min: -5, max: 15 }).map((exponent) => Number(`1e${exponent}`)),
  fc.integer({ min: -20, max: 53 }).map((exponent) => 2 ** exponent),
)
/** The doubles on either side of another one. */
const beside = (values: fc.Arbitrary<number>) =>
  fc.tuple(values, fc.integer({ min: -3, max: 3 })).map(([value, steps]) => fromBits(bitsOf(value) + BigInt(steps)))

t.test(`a double has the digits that JavaScript gives it (seed ${SEED})`, async (t) => {
  const value = fc.oneof(anyBits, decimals, ratios, powers, beside(decimals), beside(powers))
  fc.assert(
    fc.property(value, (value) => {
      const text = written(value)
      return text === undefined || text === String(value)
    }),
    runs,
  )
  t.pass('all equal')
})

t.test('it decides for nearly all numbers that people have', async (t) => {
  const roots = Array.from({ length: 10_000 }, (_, i) => Math.sqrt(i + 2))
  const shares = Array.from({ length: 10_000 }, (_, i) => (i + 1) / 10_007)
  t.equal([...roots, ...shares].filter((value) => written(value) === undefined).length, 0)
  t.equal(written(0.1), '0.1')
  t.equal(written(1 / 3), '0.3333333333333333')
  t.equal(written(2 / 3), '0.6666666666666666')
  t.equal(written(123456.78901234567), '123456.78901234567')
})

t.test('it leaves the rest to others', async (t) => {
  for (const value of [0, -1, 9e-6, 1e15, 1e300, 5e-324, NaN, Infinity]) t.equal(written(value), undefined, String(value))
})
