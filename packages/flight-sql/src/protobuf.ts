/** Protocol Buffers as far as Arrow Flight needs them: https://protobuf.dev/programming-guides/encoding/ */
import { decodeFields } from './protobuf-decode.js'
import { encodeFields } from './protobuf-encode.js'

export type FieldKind = 'bytes' | 'text' | 'int32' | 'uint32' | 'int64' | 'bool' | 'double' | 'sfixed64'

/** A field of a message whose values are of type `T`. */
export interface Field<T> {
  readonly number: number
  readonly kind: FieldKind | Message<object>
  /** `map` is a list of entries, each a message of a key (1) and a value (2). */
  readonly repeated?: 'list' | 'map'
  /** The field tells "absent" from its default, so that a default is written too. */
  readonly hasPresence?: true
  /** Of type level only. */
  readonly value?: T
}

export type AnyFields = Readonly<Record<string, Field<unknown>>>

/** How the fields of `T` are written as bytes. Fields that are absent are not written; nor are defaults, unless the field has presence. */
export interface Message<T extends object> {
  /** Within its package. */
  readonly name: string
  readonly fields: AnyFields
  encode(value: T): Buffer
  /** Unknown fields are passed over. Throws `RangeError` where the bytes are not this message. */
  decode(bytes: Uint8Array): T
}

/** What a message holds. */
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
/** A field whose absence means something else than its default. */
export const optional = <T>(given: Field<T>): Field<T> => ({ ...given, hasPresence: true })

/** A map from texts. */
export function map<T>(number: number, value: Field<T>): Field<ReadonlyMap<string, T>> {
  return { number, kind: message('Entry', { key: text(1), value: { ...value, number: 2 } }), repeated: 'map' }
}
