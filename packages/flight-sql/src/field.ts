/** The fields of a message. */

export type FieldKind = 'bytes' | 'text' | 'int32' | 'uint32' | 'int64' | 'bool' | 'double' | 'sfixed64'

/** A field of a message whose values are of type `T`. */
export interface Field<T> {
  readonly number: number
  readonly kind: FieldKind | Message<object>
  /** `map` is a list of entries, each a message of a key (1) and a value (2). */
  readonly repeated?: 'list' | 'map'
  /** The field distinguishes "absent" from its default, so a default is written too. */
  readonly hasPresence?: true
  /** Only used by types. */
  readonly value?: T
}

export type AnyFields = Readonly<Record<string, Field<unknown>>>

/** The encoding of the fields of `T`. Absent fields are not written; nor are defaults, unless the field has presence. */
export interface Message<T extends object> {
  /** Within its package. */
  readonly name: string
  readonly fields: AnyFields
  encode(value: T): Buffer
  /** Unknown fields are skipped. Throws `RangeError` if the bytes are not this message. */
  decode(bytes: Uint8Array): T
}
