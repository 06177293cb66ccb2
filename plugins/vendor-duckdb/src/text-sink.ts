import { type ColumnVector, grown, ValidityBuilder } from '@grainline/core'

/** Bytes that may be overrun when 12 inline bytes are stored for a shorter text. */
const SLACK = 16

/** The growing offsets and bytes of a text column. Whoever writes reserves first, then advances row by row. */
export class TextSink {
  bytes = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  #offsets = new Int32Array(1)
  #rows = 0
  #validity = new ValidityBuilder()

  get size(): number {
    return this.#offsets[this.#rows]! + this.#rows * 4
  }

  /** Makes room for `rows` more rows with `bytes` more bytes; says where the first byte goes. */
  reserve(rows: number, bytes: number): number {
    this.#offsets = grown(this.#offsets, this.#rows + rows + 1)
    const start = this.#offsets[this.#rows]!
    if (start + bytes + SLACK > this.bytes.length) this.#grow(start, start + bytes + SLACK)
    return start
  }

  /** The next row ends at `end`. */
  endRow(end: number): void {
    this.#offsets[++this.#rows] = end
  }

  appendText(text: string): void {
    const start = this.reserve(1, text.length * 3)
    this.endRow(start + Buffer.from(this.bytes.buffer, this.bytes.byteOffset).write(text, start, 'utf8'))
  }

  appendEmpty(): void {
    this.endRow(this.reserve(1, 0))
  }

  appendValidity(bits: Uint8Array | undefined, rows: number): void {
    if (bits === undefined) this.#validity.appendPresent(rows)
    else this.#validity.appendBits(bits, rows)
  }

  take(): ColumnVector {
    const length = this.#rows
    const used = this.#offsets[length]!
    const column = {
      kind: 'utf8' as const,
      length,
      validity: this.#validity.finish(),
      offsets: this.#offsets.subarray(0, length + 1),
      bytes: this.bytes.subarray(0, used),
    }
    this.#validity = new ValidityBuilder()
    this.#offsets = new Int32Array(this.#offsets.length)
    this.#rows = 0
    this.#adopt(Buffer.allocUnsafeSlow(this.bytes.length))
    return column
  }

  #grow(used: number, needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2, 4096))
    larger.set(this.bytes.subarray(0, used))
    this.#adopt(larger)
  }

  #adopt(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}
