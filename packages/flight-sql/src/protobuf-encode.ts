import type { AnyFields, Field, FieldKind } from './field.js'
import { WIRE } from './protobuf-decode.js'

export function encodeFields(fields: AnyFields, value: object): Buffer {
  const parts: Uint8Array[] = []
  for (const [name, field] of Object.entries(fields)) {
    const given = (value as Readonly<Record<string, unknown>>)[name]
    if (given !== undefined) for (const each of valuesOf(field, given)) encodeField(field, each, parts)
  }
  return Buffer.concat(parts)
}

function valuesOf({ repeated }: Field<unknown>, given: unknown): Iterable<unknown> {
  if (repeated === 'list') return given as readonly unknown[]
  if (repeated === 'map') return [...(given as ReadonlyMap<string, unknown>)].map(([key, value]) => ({ key, value }))
  return [given]
}

function encodeField({ number, kind, repeated, hasPresence }: Field<unknown>, value: unknown, parts: Uint8Array[]): void {
  const [wireType, content] = typeof kind === 'string' ? scalar(kind, value) : delimited(kind.encode(value as object))
  const isDefault = typeof kind === 'string' && content.every((byte) => byte === 0)
  if (isDefault && repeated === undefined && !hasPresence) return
  parts.push(varint(number * 8 + wireType), content)
}

function scalar(kind: FieldKind, value: unknown): readonly [number, Buffer] {
  switch (kind) {
    case 'bytes':
      return delimited(value as Uint8Array)
    case 'text':
      return delimited(Buffer.from(value as string))
    case 'bool':
      return [WIRE.varint, varint(value === true ? 1 : 0)]
    case 'int64':
    case 'int32':
    case 'uint32':
      return [WIRE.varint, varint(value as bigint | number)]
    case 'double':
      return [WIRE.fixed64, Buffer.from(Float64Array.of(value as number).buffer)]
    case 'sfixed64':
      return [WIRE.fixed64, Buffer.from(BigInt64Array.of(value as bigint).buffer)]
  }
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
