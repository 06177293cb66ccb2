import type { AnyFields, Field, FieldKind } from './field.js'
import { WIRE } from './protobuf-decode.js'

export function encodeFields(fields: AnyFields, value: object): Buffer {
  const parts: Uint8Array[] = []
  for (const [name, field] of Object.entries(fields)) {
    const given: unknown = Reflect.get(value, name)
    if (given !== undefined) for (const each of valuesOf(field, given)) encodeField(field, each, parts)
  }
  return Buffer.concat(parts)
}

function valuesOf({ repeated }: Field<unknown>, given: unknown): Iterable<unknown> {
  if (repeated === 'list' && Array.isArray(given)) return given
  if (repeated === 'map' && given instanceof Map) return [...given].map(([key, value]) => ({ key, value }))
  return [given]
}

function encodeField({ number, kind, repeated, hasPresence }: Field<unknown>, value: unknown, parts: Uint8Array[]): void {
  const [wireType, content] = typeof kind === 'string' ? scalar(kind, value) : delimited(kind.encode(Object(value)))
  const isDefault = typeof kind === 'string' && content.every((byte) => byte === 0)
  if (isDefault && repeated === undefined && !hasPresence) return
  parts.push(varint(number * 8 + wireType), content)
}

function scalar(kind: FieldKind, value: unknown): readonly [number, Buffer] {
  if (kind === 'bytes' && value instanceof Uint8Array) return delimited(value)
  if (kind === 'text' && typeof value === 'string') return delimited(Buffer.from(value))
  if (kind === 'bool') return [WIRE.varint, varint(value === true ? 1 : 0)]
  if (kind === 'double' && typeof value === 'number') return [WIRE.fixed64, Buffer.from(Float64Array.of(value).buffer)]
  if (kind === 'sfixed64' && typeof value === 'bigint') return [WIRE.fixed64, Buffer.from(BigInt64Array.of(value).buffer)]
  if (typeof value === 'bigint' || typeof value === 'number') return [WIRE.varint, varint(value)]
  throw new TypeError(`a field of ${String(kind)} cannot hold a ${typeof value}`)
}

const delimited = (content: Uint8Array): readonly [number, Buffer] => [
  WIRE.delimited,
  Buffer.concat([varint(content.length), content]),
]

/** Seven bits to a byte, the lowest first; a negative number takes all 64 bits. */
export function varint(value: bigint | number): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  bytes.push(Number(rest))
  return Buffer.from(bytes)
}
