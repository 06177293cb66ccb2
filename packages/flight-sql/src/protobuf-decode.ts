import type { Field } from './field.js'

type Known = ReadonlyMap<number, readonly [name: string, field: Field<unknown>]>

/** Maximum number of fields in one message. No message of the protocol has nearly as many, and each costs more memory than its bytes. */
const MOST_FIELDS = 100_000

export function decodeFields(known: Known, bytes: Buffer): object {
  const value: Record<string, unknown> = {}
  const reader = new Reader(bytes)
  for (let count = 0; !reader.isAtEnd; count++) {
    if (count >= MOST_FIELDS) throw new RangeError(`the message has more than ${MOST_FIELDS} fields`)
    const tag = Number(reader.varint())
    const [name, field] = known.get(Math.floor(tag / 8)) ?? []
    if (name === undefined || field === undefined) reader.skip(tag & 7)
    else read(reader, { wireType: tag & 7, name, field }, value)
  }
  return value
}

/** A field of a message, on the wire and in the value. */
interface WireField {
  readonly wireType: number
  readonly name: string
  readonly field: Field<unknown>
}

function read(reader: Reader, { wireType, name, field }: WireField, value: Record<string, unknown>): void {
  if (field.repeated === undefined) {
    value[name] = content(reader, wireType, field)
    return
  }
  if (field.repeated === 'map') {
    const { key = '', value: entry } = content(reader, wireType, field) as { readonly key?: string; readonly value: unknown }
    const known = value[name]
    value[name] = (known instanceof Map ? known : new Map<string, unknown>()).set(key, entry)
    return
  }
  const known = value[name]
  const list: unknown[] = Array.isArray(known) ? known : []
  value[name] = list
  if (isNumber(field) && wireType === WIRE.delimited) {
    const packed = new Reader(reader.delimited())
    while (!packed.isAtEnd && list.length < MOST_FIELDS) list.push(content(packed, WIRE.varint, field))
  } else list.push(content(reader, wireType, field))
}

const isNumber = ({ kind }: Field<unknown>): boolean =>
  kind === 'int32' || kind === 'uint32' || kind === 'int64' || kind === 'bool'

function content(reader: Reader, wireType: number, { kind }: Field<unknown>): unknown {
  if (wireType !== wireTypeOf(kind))
    throw new RangeError(`the message has a field of the wire type ${wireType}, which has another`)
  switch (kind) {
    case 'bytes':
      return reader.delimited()
    case 'text':
      return decodeText(reader.delimited())
    case 'bool':
      return reader.varint() !== 0n
    case 'int64':
      return BigInt.asIntN(64, reader.varint())
    case 'int32':
      return Number(BigInt.asIntN(32, reader.varint()))
    case 'uint32':
      return Number(BigInt.asUintN(32, reader.varint()))
    case 'double':
      return reader.fixed64().readDoubleLE()
    case 'sfixed64':
      return reader.fixed64().readBigInt64LE()
    default:
      return kind.decode(reader.delimited())
  }
}

function wireTypeOf(kind: Field<unknown>['kind']): number {
  if (kind === 'double' || kind === 'sfixed64') return WIRE.fixed64
  return typeof kind === 'object' || kind === 'bytes' || kind === 'text' ? WIRE.delimited : WIRE.varint
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new RangeError('the message has a text that is not UTF-8')
  }
}

class Reader {
  #at = 0
  readonly #bytes: Buffer

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  varint(): bigint {
    const first = this.#bytes.readUInt8(this.#at++)
    if (first < 128) return BigInt(first)
    let value = BigInt(first & 127)
    for (let shift = 7n; shift < 70n; shift += 7n) {
      const byte = this.#bytes.readUInt8(this.#at++)
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw new RangeError('the message has a number that does not end')
  }

  fixed64(): Buffer {
    return this.#take(8)
  }

  delimited(): Buffer {
    const length = this.varint()
    if (length > BigInt(this.#bytes.length)) throw new RangeError('the message is cut off')
    return this.#take(Number(length))
  }

  skip(wireType: number): void {
    if (wireType === WIRE.varint) this.varint()
    else if (wireType === WIRE.fixed64) this.fixed64()
    else if (wireType === WIRE.fixed32) this.#take(4)
    else if (wireType === WIRE.delimited) this.delimited()
    else throw new RangeError(`the message has a field of the wire type ${wireType}`)
  }

  #take(length: number): Buffer {
    const end = this.#at + length
    if (end > this.#bytes.length) throw new RangeError('the message is cut off')
    const taken = this.#bytes.subarray(this.#at, end)
    this.#at = end
    return taken
  }
}

/** The wire type of a field: the lowest three bits of its tag. */
export const WIRE = { varint: 0, fixed64: 1, delimited: 2, fixed32: 5 } as const
