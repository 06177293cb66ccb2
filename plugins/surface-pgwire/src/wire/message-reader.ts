import { PgError } from './pg-error.js'

/** Reads the body of a message. A body with another length than its content is a protocol violation. */
export class MessageReader {
  #at = 0

  constructor(readonly body: Buffer) {}

  int8(): number {
    return this.body[this.#take(1)]!
  }

  int16(): number {
    return this.body.readInt16BE(this.#take(2))
  }

  uint16(): number {
    return this.body.readUInt16BE(this.#take(2))
  }

  int32(): number {
    return this.body.readInt32BE(this.#take(4))
  }

  cstring(): string {
    const end = this.body.indexOf(0, this.#at)
    if (end < 0) throw new PgError('08P01', 'invalid string in message')
    const text = this.body.toString('utf8', this.#at, end)
    this.#at = end + 1
    return text
  }

  bytes(length: number): Buffer {
    const start = this.#take(length)
    return this.body.subarray(start, start + length)
  }

  get left(): number {
    return this.body.length - this.#at
  }

  /** Throws unless the whole message was read. */
  finish(): void {
    if (this.left > 0) throw new PgError('08P01', 'invalid message format')
  }

  #take(count: number): number {
    const start = this.#at
    if (count < 0 || start + count > this.body.length) throw new PgError('08P01', 'insufficient data left in message')
    this.#at = start + count
    return start
  }
}
