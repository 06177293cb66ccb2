import { TextWriter } from './text-writer.js'
import { wholeOf } from './value-at.js'

const QUOTE = 34
const BACKSLASH = 92
const LARGEST_EXACT_HIGH_WORD = 0x200000

/** Writes JSON. */
export class JsonWriter extends TextWriter {
  quotedAscii(text: string): void {
    this.byte(QUOTE)
    this.ascii(text)
    this.byte(QUOTE)
  }

  /** An integer from the two words of its 64 bits; beyond 2^53 as a string, because a double would round it. */
  int64(low: number, high: number): void {
    if (high >= -LARGEST_EXACT_HIGH_WORD && high < LARGEST_EXACT_HIGH_WORD) {
      const value = wholeOf(low, high)
      if (Number.isSafeInteger(value)) {
        this.integer(value)
        return
      }
    }
    this.quotedAscii(((BigInt(high) << 32n) | BigInt(low >>> 0)).toString())
  }

  /** A decimal as a string, which keeps every digit. */
  quotedDecimal(unscaled: number, scale: number, power: number): void {
    this.byte(QUOTE)
    this.decimal(unscaled, scale, power)
    this.byte(QUOTE)
  }

  /** A number that JSON cannot represent is written by name, as a string. */
  number(value: number): void {
    this.float(value, (other) => `"${other}"`)
  }

  /** A JSON string from UTF-8 bytes. */
  text(bytes: Uint8Array, start: number, end: number): void {
    this.room(end - start + 2)
    const { buffer } = this
    let { at } = this
    buffer[at++] = QUOTE
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!
      if (byte < 32 || byte === QUOTE || byte === BACKSLASH) {
        this.escaped(bytes, start, end)
        return
      }
      buffer[at++] = byte
    }
    buffer[at++] = QUOTE
    this.at = at
  }

  private escaped(bytes: Uint8Array, start: number, end: number): void {
    this.raw(JSON.stringify(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8')))
  }
}
