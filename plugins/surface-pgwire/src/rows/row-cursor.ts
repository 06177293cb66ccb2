import { Turn } from '../turn.js'
import type { MessageWriter, ValueWriter } from '../wire/message-writer.js'
import type { Format } from '../wire/messages.js'
import type { RowBlock, RowStream } from './row-block.js'
import type { RowLayout } from './row-layout.js'

/** The number of rows after which the time is checked. */
const SLICE = 256

export interface Progress {
  readonly rows: number
  readonly ended: boolean
}

/** Reads a stream in parts. It remembers the current block and row. */
export class RowCursor {
  #block: RowBlock | undefined
  #row = 0
  #ended = false
  #writers: readonly ValueWriter[] = []
  #writersFor: { readonly block: RowBlock; readonly formats: readonly Format[] } | undefined

  constructor(readonly stream: RowStream) {}

  /**
   * Writes up to `limit` rows (0 means all). Resolves to their number and to whether the end was reached. It waits for slow readers, and yields to other
   * clients. As in PostgreSQL, the end is detected only when a row after the last one is requested.
   */
  async send(out: MessageWriter, limit: number, layout: RowLayout, formats: readonly Format[]): Promise<Progress> {
    let rows = 0
    const turn = new Turn()
    while (limit === 0 || rows < limit) {
      const block = await this.#current()
      if (block === undefined) return { rows, ended: true }
      const writers = this.#writersOf(block, formats)
      const room = limit === 0 ? SLICE : Math.min(SLICE, limit - rows)
      const end = Math.min(block.rowCount, this.#row + room)
      for (let row = this.#row; row < end; row++) layout.row(out, writers, row)
      rows += end - this.#row
      this.#row = end
      if (out.worthSending) await out.flush()
      if (turn.isOver) await turn.pass()
    }
    return { rows, ended: false }
  }

  /** Skips up to `limit` rows (0 means all). */
  async skip(limit: number): Promise<Progress> {
    let rows = 0
    while (limit === 0 || rows < limit) {
      const block = await this.#current()
      if (block === undefined) return { rows, ended: true }
      const step = Math.min(block.rowCount - this.#row, limit === 0 ? Number.POSITIVE_INFINITY : limit - rows)
      this.#row += step
      rows += step
    }
    return { rows, ended: false }
  }

  /** Releases the resources of the answer. Never rejects. */
  async close(): Promise<void> {
    this.#ended = true
    this.#block = undefined
    await this.stream.blocks.return?.().catch(() => undefined)
  }

  #writersOf(block: RowBlock, formats: readonly Format[]): readonly ValueWriter[] {
    if (this.#writersFor?.block === block && this.#writersFor.formats === formats) return this.#writers
    this.#writersFor = { block, formats }
    this.#writers = block.writers(formats)
    return this.#writers
  }

  async #current(): Promise<RowBlock | undefined> {
    while (!this.#ended && (this.#block === undefined || this.#row >= this.#block.rowCount)) {
      const next = await this.stream.blocks.next()
      this.#row = 0
      this.#block = next.done === true ? undefined : next.value
      this.#ended ||= next.done === true
    }
    return this.#ended ? undefined : this.#block
  }
}
