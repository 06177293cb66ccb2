import { type ColumnVector, grown, ValidityBuilder } from '@grainline/core/vendor'
import { anotherLike } from './fixed-reader.js'

/** Bytes that may be overrun when 12 inline bytes are stored for a shorter text. */
const SLACK = 16
/** Up to this length a loop over words beats the call of a native copy. */
const LOOP_BYTES = 96

/** Memory that is read as bytes and as words. */
interface Source {
  readonly bytes: Uint8Array
  readonly view: DataView
}

/** The growing offsets and bytes of a text column. A writer reserves first, then advances row by row. */
export class TextSink {
  bytes = new Uint8Array(0)
  view = new DataView(this.bytes.buffer)
  #offsets = new Int32Array(1)
  #rows = 0
  /** The memory belongs to the last column; the next one gets its own when it has a row. */
  #isTaken = false
  #validity = new ValidityBuilder()

  get size(): number {
    return this.#offsets[this.#rows]! + this.#rows * 4
  }

  /** Makes room for `rows` more rows with `bytes` more bytes; returns the position of the first byte. */
  reserve(rows: number, bytes: number): number {
    if (this.#isTaken) this.#renew()
    this.#offsets = grown(this.#offsets, this.#rows + rows + 1)
    const start = this.#offsets[this.#rows]!
    if (start + bytes + SLACK > this.bytes.length) this.#grow(start, start + bytes + SLACK)
    return start
  }

  /** Copies bytes to a reserved place; up to 3 bytes after them are overwritten. */
  copy({ bytes, view }: Source, from: number, length: number, at: number): void {
    if (length > LOOP_BYTES || from + length + 3 > bytes.length) {
      this.bytes.set(bytes.subarray(from, from + length), at)
      return
    }
    for (let i = 0; i < length; i += 4) this.view.setUint32(at + i, view.getUint32(from + i, true), true)
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
    this.#rows = 0
    this.#isTaken = true
    return column
  }

  #renew(): void {
    this.#offsets = anotherLike(this.#offsets)
    this.#offsets[0] = 0
    this.#adopt(Buffer.allocUnsafeSlow(this.bytes.length))
    this.#isTaken = false
  }

  #grow(used: number, needed: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.bytes.length * 2, 256))
    larger.set(this.bytes.subarray(0, used))
    this.#adopt(larger)
  }

  #adopt(bytes: Uint8Array<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }
}
