/** Decodes values in PostgreSQL's binary format to the text of the same value (PostgreSQL, `src/backend/utils/adt`: the send functions). */
const EPOCH_MS = Date.UTC(2000, 0, 1)
const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')

function moment(micros: bigint): string {
  const ms = micros / 1000n - (micros % 1000n < 0n ? 1n : 0n)
  const rest = Number(micros - ms * 1000n)
  const iso = new Date(EPOCH_MS + Number(ms)).toISOString()
  const fraction = `${iso.slice(20, 23)}${pad(rest, 3)}`.replace(/0+$/, '')
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)}${fraction === '' ? '' : `.${fraction}`}`
}

/** Digits of base 10,000: their number, the weight of the first, the sign, the scale that is shown. */
function numeric(bytes: Buffer): string {
  const [count, weight, sign, scale] = [0, 2, 4, 6].map((at) => bytes.readInt16BE(at)) as [number, number, number, number]
  const digit = (index: number): string => pad(index >= 0 && index < count ? bytes.readInt16BE(8 + 2 * index) : 0, 4)
  const whole = Array.from({ length: Math.max(weight + 1, 1) }, (_, i) => (weight < 0 ? '0' : digit(i))).join('')
  const behind = Array.from({ length: Math.ceil(scale / 4) }, (_, i) => digit(weight + 1 + i))
    .join('')
    .slice(0, scale)
  return `${sign === 0x4000 ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}${scale > 0 ? `.${behind}` : ''}`
}

const READERS: Readonly<Record<number, (bytes: Buffer) => string>> = {
  16: (bytes) => (bytes[0] === 1 ? 't' : 'f'),
  20: (bytes) => String(bytes.readBigInt64BE()),
  25: (bytes) => bytes.toString('utf8'),
  114: (bytes) => bytes.toString('utf8'),
  701: (bytes) => String(bytes.readDoubleBE()),
  1082: (bytes) => moment(BigInt(bytes.readInt32BE()) * 86_400_000_000n).slice(0, 10),
  1083: (bytes) => moment(bytes.readBigInt64BE()).slice(11),
  1114: (bytes) => moment(bytes.readBigInt64BE()),
  1184: (bytes) => `${moment(bytes.readBigInt64BE())}+00`,
  1700: numeric,
}

/** The text of a value of a type by its object id. */
export function readBinary(bytes: Buffer, type: number): string {
  const read = READERS[type]
  if (read === undefined) throw new Error(`no reader for type ${type}`)
  return read(bytes)
}
