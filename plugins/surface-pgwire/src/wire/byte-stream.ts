import type { Duplex } from 'node:stream'

/** The connection has ended. */
export class ConnectionGone extends Error {
  override readonly name = 'ConnectionGone'
}

/** The number of unread bytes from which on the client has to wait. */
const MOST_WAITING = 1024 * 1024

/** Reads the bytes of a client in pieces of known length. There may be one reader at a time. */
export class ByteStream {
  #waiting: Buffer[] = []
  #length = 0
  #wanted = 0
  #wake: (() => void) | undefined
  #gone = false
  #source: Duplex

  constructor(
    source: Duplex,
    readonly onGone: () => void,
  ) {
    this.#source = source
    this.#attach()
  }

  /** The number of unread bytes. */
  get length(): number {
    return this.#length
  }

  /** Whether the client has closed its sending side. */
  get ended(): boolean {
    return this.#gone
  }

  /** Reads exactly `count` bytes. Rejects with `ConnectionGone` if the stream ends before. */
  async read(count: number): Promise<Buffer> {
    while (this.#length < count) await this.#more(count)
    return this.#take(count)
  }

  /** The next byte, which stays unread. */
  async peek(): Promise<number> {
    while (this.#length < 1) await this.#more(1)
    return this.#waiting[0]![0]!
  }

  /** Reads a protocol message: a type, a length that includes itself, and a body. `most` limits the length. */
  async readMessage(most: number, tooLong: (length: number) => Error): Promise<{ readonly code: number; readonly body: Buffer }> {
    const head = await this.read(5)
    const length = head.readInt32BE(1)
    if (length < 4 || length > most) throw tooLong(length)
    return { code: head[0]!, body: length === 4 ? EMPTY : await this.read(length - 4) }
  }

  /** Releases the source with its unread bytes, so that another protocol can take over. */
  detach(): Duplex {
    const source = this.#source
    source.off('data', this.#onData).off('close', this.#onClose).off('end', this.#onClose)
    source.pause()
    if (this.#length > 0) source.unshift(this.#take(this.#length))
    return source
  }

  moveTo(source: Duplex): void {
    this.#source = source
    this.#attach()
  }

  /** Makes all further reads fail. */
  end(): void {
    this.#gone = true
    this.#wakeReader()
  }

  #attach(): void {
    this.#source.on('data', this.#onData).on('close', this.#onClose).on('end', this.#onClose)
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#waiting.push(chunk)
    this.#length += chunk.length
    if (this.#length >= this.#wanted) this.#wakeReader()
    if (this.#length > MOST_WAITING && this.#wake === undefined) this.#source.pause()
  }

  readonly #onClose = (): void => {
    if (this.#gone) return
    this.end()
    this.onGone()
  }

  #more(wanted: number): Promise<void> {
    if (this.#gone) throw new ConnectionGone()
    this.#wanted = wanted
    if (this.#source.isPaused()) this.#source.resume()
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #wakeReader(): void {
    this.#wake?.()
    this.#wake = undefined
  }

  #take(count: number): Buffer {
    const [first] = this.#waiting
    if (count === 0 || first === undefined) return EMPTY
    this.#length -= count
    if (first.length === count) {
      this.#waiting.shift()
      return first
    }
    if (first.length > count) {
      this.#waiting[0] = first.subarray(count)
      return first.subarray(0, count)
    }
    const all = this.#waiting.length === 1 ? first : Buffer.concat(this.#waiting)
    this.#waiting = all.length > count ? [all.subarray(count)] : []
    return all.subarray(0, count)
  }
}

const EMPTY = Buffer.alloc(0)
