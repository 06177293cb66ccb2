/** Protocol Buffers as far as Arrow Flight needs them: https://protobuf.dev/programming-guides/encoding/ */

/** A field of a message: its number, and what stands there. */
export interface Field {
  readonly number: number
  readonly kind: 'bytes' | 'text' | 'int' | 'bool' | Message<object>
  readonly repeated?: true
}

/** How the fields of `T` stand in bytes. Fields that are absent or have the default of their kind are not written. */
export interface Message<T extends object> {
  readonly fields: Readonly<Record<keyof T, Field>>
  encode(value: T): Buffer
  /** Unknown fields are passed over. Throws `RangeError` where the bytes are no message. */
  decode(bytes: Uint8Array): T
}

export const message = <T extends object>(fields: Readonly<Record<keyof T & string, Field>>): Message<T> => ({
  fields: fields as Message<T>['fields'],
  encode: (value) => encode(fields, value as Readonly<Record<string, unknown>>),
  decode: (bytes) => decode(fields, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) as T,
})

type Fields = Readonly<Record<string, Field>>

const VARINT = 0
const FIXED64 = 1
const DELIMITED = 2
const FIXED32 = 5

function encode(fields: Fields, value: Readonly<Record<string, unknown>>): Buffer {
  const parts = Object.entries(fields).flatMap(([name, field]) => {
    const given = value[name]
    if (given === undefined) return []
    return (field.repeated ? (given as readonly unknown[]) : [given]).flatMap((one) => encodedField(field, one))
  })
  return Buffer.concat(parts)
}

function encodedField({ number, kind }: Field, value: unknown): readonly Buffer[] {
  if (kind === 'int' || kind === 'bool') {
    const bits = BigInt(value as bigint | number | boolean)
    return bits === 0n ? [] : [varint(BigInt((number << 3) | VARINT)), varint(BigInt.asUintN(64, bits))]
  }
  const bytes =
    kind === 'text'
      ? Buffer.from(value as string)
      : kind === 'bytes'
        ? Buffer.from(value as Uint8Array)
        : kind.encode(value as object)
  return bytes.length === 0 && typeof kind === 'string'
    ? []
    : [varint(BigInt((number << 3) | DELIMITED)), varint(BigInt(bytes.length)), bytes]
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}

function decode(fields: Fields, bytes: Buffer): object {
  const known = new Map(Object.entries(fields).map(([name, field]) => [field.number, [name, field] as const]))
  const value: Record<string, unknown> = {}
  for (let at = 0; at < bytes.length; ) {
    const [tag, afterTag] = readVarint(bytes, at)
    const [content, after] = readContent(bytes, afterTag, Number(tag & 7n))
    at = after
    const [name, field] = known.get(Number(tag >> 3n)) ?? []
    if (name === undefined || field === undefined) continue
    const read = contentOf(content, field)
    value[name] = field.repeated ? [...((value[name] as readonly unknown[] | undefined) ?? []), read] : read
  }
  return value
}

type Content = bigint | Buffer

function readContent(bytes: Buffer, at: number, wireType: number): readonly [Content, number] {
  switch (wireType) {
    case VARINT:
      return readVarint(bytes, at)
    case FIXED64:
      return [bytes.readBigUInt64LE(at), at + 8]
    case FIXED32:
      return [BigInt(bytes.readUInt32LE(at)), at + 4]
    case DELIMITED: {
      const [length, start] = readVarint(bytes, at)
      const end = start + Number(length)
      if (end > bytes.length) throw new RangeError('the message is cut off')
      return [bytes.subarray(start, end), end]
    }
    default:
      throw new RangeError(`the message has a field of the wire type ${wireType}`)
  }
}

function readVarint(bytes: Buffer, start: number): readonly [bigint, number] {
  let value = 0n
  for (let at = start, shift = 0n; shift < 70n; at++, shift += 7n) {
    const byte = bytes.readUInt8(at)
    value |= BigInt(byte & 127) << shift
    if (byte < 128) return [BigInt.asUintN(64, value), at + 1]
  }
  throw new RangeError('the message has a number that does not end')
}

function contentOf(content: Content, { kind }: Field): unknown {
  if (kind === 'int' || kind === 'bool') {
    if (typeof content !== 'bigint') throw new RangeError('the message has bytes where a number belongs')
    return kind === 'bool' ? content !== 0n : BigInt.asIntN(64, content)
  }
  if (typeof content === 'bigint') throw new RangeError('the message has a number where bytes belong')
  if (kind === 'bytes') return content
  return kind === 'text' ? content.toString('utf8') : kind.decode(content)
}
