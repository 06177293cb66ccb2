import { GrainlineError } from '../errors.js'
import { bytesOfBatch } from '../result/batch-buffers.js'
import type { RecordBatch } from '../result/record-batch.js'

/** The reader of an answer, to the pool whose connection the answer holds. */
export interface AnswerReader {
  /** To be called at intervals while others wait for a connection. Returns for how many milliseconds it has kept others waiting. */
  keptWaiting(intervalMs: number): number
  /** Frees the connection: reads the rest of the answer, if it is small and arrives in this time, and ends the statement otherwise. */
  giveWay(restMs: number): void
  /** True after `giveWay`. */
  readonly givesWay: boolean
}

/** A reader that takes less in each second delays those who wait for a connection; in bytes. */
const LEAST_PER_SECOND = 256 * 1024
/** The rest of an answer has at most so many bytes; those of all answers of the process together have at most `MOST_OF_ALL`. */
const MOST_OF_REST = 16 * 1024 * 1024
const MOST_OF_ALL = 64 * 1024 * 1024

/** The bytes of all rests. */
const rests = { bytes: 0 }

/** An answer, read by one client. If others wait for its connection while the client does not read, it lets the connection go. */
export class ReadAnswer implements AnswerReader {
  readonly #stream: AsyncGenerator<RecordBatch, void>
  readonly #rest: RecordBatch[] = []
  #restIsRead: Promise<void> | undefined
  #fault: { readonly is: unknown } | undefined
  /** The reader has a batch, and has not asked for the next one. */
  #isIdle = false
  #isOver = false
  #keptWaitingMs = 0

  /** `end` aborts the stream with a reason. */
  constructor(
    open: (reader: AnswerReader) => AsyncGenerator<RecordBatch, void>,
    private readonly end: (reason: GrainlineError) => void,
    private readonly mostOfRest = MOST_OF_REST,
  ) {
    this.#stream = open(this)
  }

  async next(): Promise<IteratorResult<RecordBatch, void>> {
    this.#isIdle = false
    if (this.#restIsRead) await this.#restIsRead
    const next = this.#takeRest() ?? (await this.#stream.next())
    if (next.done === true) return next
    this.#isIdle = true
    if (this.#keptWaitingMs > 0) this.#forgive(bytesOfBatch(next.value))
    return next
  }

  /** Ends the stream, and frees what it has kept. */
  async return(): Promise<void> {
    this.#isOver = true
    this.#forgetRest()
    await this.#stream.return()
  }

  keptWaiting(intervalMs: number): number {
    if (!this.#isIdle || this.givesWay) return 0
    this.#keptWaitingMs += intervalMs
    return this.#keptWaitingMs
  }

  get givesWay(): boolean {
    return this.#restIsRead !== undefined
  }

  giveWay(restMs: number): void {
    this.#restIsRead ??= this.#readRest(restMs)
  }

  #takeRest(): IteratorResult<RecordBatch, void> | undefined {
    const value = this.#rest.shift()
    if (value !== undefined) {
      rests.bytes -= bytesOfBatch(value)
      return { done: false, value }
    }
    if (this.#fault) throw this.#fault.is
    return undefined
  }

  async #readRest(ms: number): Promise<void> {
    const late = setTimeout(() => this.#endEarly(), ms)
    let bytes = 0
    try {
      for (let next = await this.#stream.next(); next.done !== true; next = await this.#stream.next()) {
        if (this.#isOver) return
        const more = bytesOfBatch(next.value)
        bytes += more
        if (bytes > this.mostOfRest || rests.bytes + more > MOST_OF_ALL) return this.#endEarly()
        rests.bytes += more
        this.#rest.push(next.value)
      }
    } catch (is) {
      this.#fault = { is }
    } finally {
      clearTimeout(late)
    }
  }

  #endEarly(): void {
    if (!this.#isOver) this.end(tooSlow())
  }

  #forgive(bytes: number): void {
    this.#keptWaitingMs = Math.max(0, this.#keptWaitingMs - (bytes / LEAST_PER_SECOND) * 1000)
  }

  #forgetRest(): void {
    for (const batch of this.#rest.splice(0)) rests.bytes -= bytesOfBatch(batch)
  }
}

const tooSlow = (): GrainlineError =>
  new GrainlineError('READER_TOO_SLOW', 'The answer was read too slowly while others waited for a connection, and was ended', {
    hint: 'Read faster, or ask for fewer rows or columns; the operator may raise DB_POOL_SIZE.',
  })
