import { writeDigits, writeHundredths, writePadded, writePair } from './digits.js'
import { DOUBLE_BYTES, writeDouble } from './double-digits.js'
import { formatDate } from './temporal.js'

const MICROS_PER_DAY = 86_400_000_000
const MICROS_PER_SECOND = 1_000_000

/** Writes the value of a row. */
export type CellWriter = (row: number) => void

/** The first buffer is small, because most answers are. */
const FIRST_BYTES = 4096
const NOTHING = Buffer.alloc(0)

/** Bytes that are written often, as words of 32 bits: the last one has zeros at its end. */
export interface Constant {
  readonly words: Int32Array
  readonly length: number
}

export function constantOf(text: string): Constant {
  const bytes = Buffer.from(text)
  const view = new DataView(new ArrayBuffer(4 * Math.ceil(bytes.length / 4)))
  bytes.copy(new Uint8Array(view.buffer))
  return { words: Int32Array.from({ length: view.byteLength / 4 }, (_, i) => view.getInt32(4 * i)), length: bytes.length }
}

/** Grows one buffer of text; `take` returns it and starts again. Numbers are written digit by digit, text is copied as bytes. */
export class TextWriter {
  protected buffer: Buffer = NOTHING
  protected at = 0
  #view: DataView | undefined
  /** A buffer is as large as the previous one was at its end, and created on the first write. */
  #nextBytes = FIRST_BYTES

  get length(): number {
    return this.at
  }

  take(): Buffer {
    const taken = this.buffer.subarray(0, this.at)
    this.#nextBytes = Math.max(FIRST_BYTES, this.buffer.length)
    this.buffer = NOTHING
    this.#view = undefined
    this.at = 0
    return taken
  }

  byte(code: number): void {
    this.room(1)
    this.buffer[this.at++] = code
  }

  /** Text that is known to be ASCII. */
  ascii(text: string): void {
    this.room(text.length)
    const { buffer, at } = this
    for (let i = 0; i < text.length; i++) buffer[at + i] = text.charCodeAt(i)
    this.at = at + text.length
  }

  /** Any text, as it is. */
  raw(text: string): void {
    this.room(text.length * 3)
    this.at += this.buffer.write(text, this.at, 'utf8')
  }

  /** UTF-8 bytes, as they are. */
  bytes(bytes: Uint8Array, start: number, end: number): void {
    this.room(end - start)
    const { buffer, at } = this
    for (let i = start; i < end; i++) buffer[at + i - start] = bytes[i]!
    this.at = at + end - start
  }

  /** Word by word, which takes half the time of byte by byte. The next write overwrites the zeros of the last word. */
  constant({ words, length }: Constant): void {
    this.room(4 * words.length)
    this.#view ??= new DataView(this.buffer.buffer, this.buffer.byteOffset, this.buffer.length)
    for (let i = 0; i < words.length; i++) this.#view.setInt32(this.at + 4 * i, words[i]!)
    this.at += length
  }

  /** A safe integer. */
  integer(value: number): void {
    this.room(17)
    if (value < 0) this.buffer[this.at++] = 45
    this.digits(Math.abs(value))
  }

  /** `-12.30`: a safe unscaled integer with `scale` digits after the point; `power` is 10 to the power of `scale`. */
  decimal(unscaled: number, scale: number, power: number): void {
    this.room(24)
    if (unscaled < 0) this.buffer[this.at++] = 45
    const magnitude = Math.abs(unscaled)
    const whole = Math.floor(magnitude / power)
    this.digits(whole)
    if (scale > 0) this.fraction(magnitude - whole * power, scale)
  }

  /** The shortest number that gives the same double; `others` writes NaN and the infinities. */
  float(value: number, others: (value: number) => string): void {
    const cents = Math.round(value * 100)
    if (Math.abs(cents) < 1e15 && cents / 100 === value) {
      this.room(20)
      this.at = writeHundredths(this.buffer, this.at, cents)
    } else if (!this.longDouble(value)) this.ascii(Number.isFinite(value) ? String(value) : others(value))
  }

  /** `2024-02-29T13:05:00[.ffffff]` for a local time: microseconds since 1970, a safe integer. */
  timestamp(micros: number): void {
    const days = Math.floor(micros / MICROS_PER_DAY)
    this.ascii(formatDate(days))
    this.room(16)
    this.buffer[this.at++] = 84
    this.clock(micros - days * MICROS_PER_DAY)
  }

  protected room(bytes: number): void {
    if (this.at + bytes <= this.buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(this.at + bytes, this.buffer.length * 2, this.#nextBytes))
    this.buffer.copy(larger, 0, 0, this.at)
    this.buffer = larger
    this.#view = undefined
  }

  /** `13:05:00[.ffffff]`, without trailing zeros in the fraction. */
  private clock(micros: number): void {
    const seconds = Math.floor(micros / MICROS_PER_SECOND)
    const minutes = Math.floor(seconds / 60)
    const hours = Math.floor(minutes / 60)
    this.two(hours)
    this.buffer[this.at++] = 58
    this.two(minutes - hours * 60)
    this.buffer[this.at++] = 58
    this.two(seconds - minutes * 60)
    let [rest, digits] = [micros - seconds * MICROS_PER_SECOND, 6]
    if (rest === 0) return
    for (; rest % 10 === 0; rest /= 10) digits--
    this.fraction(rest, digits)
  }

  private two(value: number): void {
    this.at = writePair(this.buffer, this.at, value)
  }

  /** Whether it wrote the double. */
  private longDouble(value: number): boolean {
    this.room(DOUBLE_BYTES)
    const { buffer, at } = this
    if (value < 0) buffer[at] = 45
    const end = writeDouble(buffer, value < 0 ? at + 1 : at, Math.abs(value))
    if (end >= 0) this.at = end
    return end >= 0
  }

  private fraction(value: number, digits: number): void {
    this.buffer[this.at] = 46
    this.at = writePadded(this.buffer, this.at + 1, value, digits)
  }

  private digits(value: number): void {
    this.at = writeDigits(this.buffer, this.at, value)
  }
}
