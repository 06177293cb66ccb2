/** Protocol Buffers as far as Arrow Flight needs them: https://protobuf.dev/programming-guides/encoding/ */

import type { AnyFields, Field, FieldKind, Message } from './field.js'
import { decodeFields } from './protobuf-decode.js'
import { encodeFields } from './protobuf-encode.js'

export type { Field, Message } from './field.js'

/** The value of a message type. */
export type ValueOf<M> = M extends Message<infer T> ? T : never

type Inferred<F> = { readonly [K in keyof F]?: F[K] extends Field<infer T> ? T | undefined : never }

export function message<F extends AnyFields>(name: string, fields: F): Message<Inferred<F>> {
  const byNumber = new Map(Object.entries(fields).map(([key, field]) => [field.number, [key, field] as const]))
  return {
    name,
    fields,
    encode: (value) => encodeFields(fields, value),
    decode: (bytes) => decodeFields(byNumber, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)) as Inferred<F>,
  }
}

const field =
  <T>(kind: FieldKind) =>
  (number: number): Field<T> => ({ number, kind })

export const bytes = field<Uint8Array>('bytes')
export const text = field<string>('text')
export const int32 = field<number>('int32')
export const uint32 = field<number>('uint32')
export const int64 = field<bigint>('int64')
export const bool = field<boolean>('bool')
export const double = field<number>('double')
export const sfixed64 = field<bigint>('sfixed64')
export const one = <T extends object>(number: number, kind: Message<T>): Field<T> => ({ number, kind })

export const repeated = <T>({ number, kind }: Field<T>): Field<readonly T[]> => ({ number, kind, repeated: 'list' })
/** A field whose absence has another meaning than its default. */
export const optional = <T>(given: Field<T>): Field<T> => ({ ...given, hasPresence: true })

/** A map with text keys. */
export function map<T>(number: number, value: Field<T>): Field<ReadonlyMap<string, T>> {
  return { number, kind: message('Entry', { key: text(1), value: { ...value, number: 2 } }), repeated: 'map' }
}
