/**
 * Reads flatbuffers of untrusted clients: https://flatbuffers.dev/internals/. Reads outside the bytes throw `RangeError`, and the length of a list is
 * checked against the bytes. The readers of libraries trust their input.
 */
export class FlatTable {
  readonly #bytes: Buffer
  readonly #at: number

  private constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  static root(bytes: Uint8Array): FlatTable {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return new FlatTable(buffer, buffer.readUInt32LE(0))
  }

  uint8(slot: number, absent = 0): number {
    const at = this.#field(slot)
    return at === undefined ? absent : this.#bytes.readUInt8(at)
  }

  int16(slot: number, absent = 0): number {
    const at = this.#field(slot)
    return at === undefined ? absent : this.#bytes.readInt16LE(at)
  }

  int32(slot: number, absent = 0): number {
    const at = this.#field(slot)
    return at === undefined ? absent : this.#bytes.readInt32LE(at)
  }

  int64(slot: number): bigint {
    const at = this.#field(slot)
    return at === undefined ? 0n : this.#bytes.readBigInt64LE(at)
  }

  table(slot: number): FlatTable | undefined {
    const at = this.#field(slot)
    return at === undefined ? undefined : this.#referred(at)
  }

  /** Reads a list of tables. */
  tables(slot: number): readonly FlatTable[] {
    return this.#list(slot, 4, (at) => this.#referred(at))
  }

  /** Reads a list of structs of 64-bit integers. */
  structs(slot: number, numbers: number): readonly (readonly bigint[])[] {
    return this.#list(slot, 8 * numbers, (at) =>
      Array.from({ length: numbers }, (_, i) => this.#bytes.readBigInt64LE(at + 8 * i)),
    )
  }

  #list<T>(slot: number, size: number, read: (at: number) => T): T[] {
    const field = this.#field(slot)
    if (field === undefined) return []
    const start = field + this.#bytes.readUInt32LE(field)
    const length = this.#bytes.readUInt32LE(start)
    if (length * size > this.#bytes.length - start) throw new RangeError('a list is longer than its message')
    return Array.from({ length }, (_, i) => read(start + 4 + i * size))
  }

  #referred(at: number): FlatTable {
    return new FlatTable(this.#bytes, at + this.#bytes.readUInt32LE(at))
  }

  /** The position of a field; `undefined` if it has its default. */
  #field(slot: number): number | undefined {
    const vtable = this.#at - this.#bytes.readInt32LE(this.#at)
    const entry = 4 + 2 * slot
    if (entry + 2 > this.#bytes.readUInt16LE(vtable)) return undefined
    const offset = this.#bytes.readUInt16LE(vtable + entry)
    return offset === 0 ? undefined : this.#at + offset
  }
}
