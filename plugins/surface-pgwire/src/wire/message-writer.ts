import type { Writable } from 'node:stream'

const CHUNK = 64 * 1024
/** The number of bytes from which on a write to the socket pays off. */
const WORTH_SENDING = 32 * 1024
/** Smaller answers are copied, so that the large buffer can be reused. */
const SMALL = 4 * 1024
/** Up to this length a loop writes a text faster than a call. */
const SHORT = 32

/**
 * Writes backend messages into one large buffer. The current message is contiguous and begins at `mark`. Positions in it are relative to `mark`, because
 * it may move when the buffer grows.
 */
export class MessageWriter {
  bytes = Buffer.allocUnsafeSlow(CHUNK)
  view = viewOf(this.bytes)
  pos = 0
  mark = 0
  #full: Buffer[] = []
  #sink: Writable

  constructor(sink: Writable) {
    this.#sink = sink
  }

  /** Continues with another stream: the same connection after encryption has started. */
  moveTo(sink: Writable): void {
    this.#sink = sink
  }

  /** Reserves space for `count` more bytes. */
  ensure(count: number): void {
    if (this.pos + count > this.bytes.length) this.#grow(count)
  }

  begin(code: number): void {
    this.mark = this.pos
    this.ensure(5)
    this.bytes[this.pos] = code
    this.pos += 5
  }

  end(): void {
    this.put32(this.mark + 1, this.pos - this.mark - 1)
    this.mark = this.pos
  }

  /** Discards the current message. */
  abandon(): void {
    this.pos = this.mark
  }

  int8(value: number): void {
    this.ensure(1)
    this.bytes[this.pos++] = value
  }

  int16(value: number): void {
    this.ensure(2)
    this.view.setInt16(this.pos, value)
    this.pos += 2
  }

  int32(value: number): void {
    this.ensure(4)
    this.put32(this.pos, value)
    this.pos += 4
  }

  /** Overwrites four bytes. */
  put32(at: number, value: number): void {
    this.view.setInt32(at, value)
  }

  cstring(text: string): void {
    this.text(text)
    this.int8(0)
  }

  text(text: string): void {
    const length = Buffer.byteLength(text)
    this.ensure(length)
    this.bytes.write(text, this.pos, length, 'utf8')
    this.pos += length
  }

  /** Writes a text that contains only ASCII characters. */
  ascii(text: string): void {
    const { length } = text
    this.ensure(length)
    const { bytes, pos } = this
    if (length <= SHORT) for (let i = 0; i < length; i++) bytes[pos + i] = text.charCodeAt(i)
    else bytes.latin1Write(text, pos, length)
    this.pos = pos + length
  }

  raw(bytes: Uint8Array): void {
    this.ensure(bytes.length)
    this.bytes.set(bytes, this.pos)
    this.pos += bytes.length
  }

  get worthSending(): boolean {
    return this.pos > WORTH_SENDING || this.#full.length > 0
  }

  /** Passes all bytes to the stream. Returns false if the stream asks to wait. */
  send(): boolean {
    const sink = this.#sink
    if (sink.destroyed) {
      this.#full = []
      this.pos = 0
      this.mark = 0
      return true
    }
    if (this.#full.length > 0) this.#sendAll(sink)
    else if (this.pos > 0) this.#sendBuffer(sink)
    return !sink.writableNeedDrain
  }

  /** Sends all bytes, and resolves when the stream accepts more. */
  async flush(): Promise<void> {
    if (this.send()) return
    const sink = this.#sink
    await new Promise<void>((resolve) => {
      const done = () => {
        sink.off('drain', done)
        sink.off('close', done)
        resolve()
      }
      sink.on('drain', done)
      sink.on('close', done)
    })
  }

  #sendAll(sink: Writable): void {
    sink.cork()
    for (const part of this.#full) sink.write(part)
    this.#full = []
    if (this.pos > 0) this.#sendBuffer(sink)
    sink.uncork()
  }

  #sendBuffer(sink: Writable): void {
    if (this.pos <= SMALL) sink.write(Buffer.from(this.bytes.subarray(0, this.pos)))
    else {
      sink.write(this.bytes.subarray(0, this.pos))
      this.#adopt(Buffer.allocUnsafeSlow(CHUNK))
    }
    this.pos = 0
    this.mark = 0
  }

  #grow(count: number): void {
    const open = this.pos - this.mark
    const larger = Buffer.allocUnsafeSlow(Math.max(CHUNK, 2 * (open + count)))
    this.bytes.copy(larger, 0, this.mark, this.pos)
    if (this.mark > 0) this.#full.push(this.bytes.subarray(0, this.mark))
    this.#adopt(larger)
    this.pos = open
    this.mark = 0
  }

  #adopt(bytes: Buffer<ArrayBuffer>): void {
    this.bytes = bytes
    this.view = viewOf(bytes)
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer<ArrayBuffer>): DataView => new DataView(buffer, byteOffset, byteLength)

declare global {
  interface Buffer {
    /** `write(text, at, length, 'latin1')` calls this function; a direct call saves parsing the name of the encoding. */
    latin1Write(text: string, at: number, length: number): number
  }
}

/** Writes a value without its length. Returns false for NULL and writes nothing. */
export type ValueWriter = (out: MessageWriter, row: number) => boolean
