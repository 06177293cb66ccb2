import type { RecordBatch } from './record-batch.js'

/** Representations of an answer, by a name that their author chooses. They are cached as long as the answer, within the same budget. */
export interface Made {
  /** At most so many bytes are stored; 0 if none are. */
  readonly most: number
  get(name: string): Buffer | undefined
  /** Stores it if there is room, instead of another one of this name. */
  keep(name: string, bytes: Buffer): void
}

interface Source {
  readonly batches: readonly RecordBatch[]
  readonly made?: Made | undefined
  /** The same batches one after the other; they can be read once. */
  readonly stream?: () => AsyncIterable<RecordBatch>
  /** Called if the answer is taken as a whole. */
  readonly taken?: () => void
}

/** The batches of a complete answer. It can be read like any other, or taken as a whole, which needs no stream. */
export class WholeBatches implements AsyncIterable<RecordBatch> {
  readonly batches: readonly RecordBatch[]
  readonly made: Made
  readonly #stream: () => AsyncIterable<RecordBatch>
  readonly #taken: () => void

  constructor({ batches, made = NOTHING_MADE, stream = () => inOrder(batches), taken = () => {} }: Source) {
    this.batches = batches
    this.made = made
    this.#stream = stream
    this.#taken = taken
  }

  /** To be called instead of reading it to its end, before its batches or its representations are used. */
  take(): void {
    this.#taken()
  }

  /** The same answer. `taken` is not called when it is read. */
  again(): WholeBatches {
    return new WholeBatches({ batches: this.batches, made: this.made })
  }

  [Symbol.asyncIterator](): AsyncIterator<RecordBatch> {
    return this.#stream()[Symbol.asyncIterator]()
  }
}

/** The batches as a whole if there are any; `undefined` for a stream. */
export const wholeOf = (batches: AsyncIterable<RecordBatch>): WholeBatches | undefined =>
  batches instanceof WholeBatches ? batches : undefined

/** Stores nothing. */
export const NOTHING_MADE: Made = { most: 0, get: () => undefined, keep: () => {} }

async function* inOrder(batches: readonly RecordBatch[]): AsyncGenerator<RecordBatch> {
  yield* batches
}
