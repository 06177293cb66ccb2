import type { Named } from '../../point.js'
import type { RecordBatch, ResultSchema } from '../record-batch.js'

/** An answer to be written as bytes. */
export interface Encodable {
  readonly schema: ResultSchema
  readonly batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>
  /** IANA zone in which instants are written. */
  readonly timezone: string
  /** The metadata of a format that describes itself. */
  readonly metadata: Readonly<Record<string, string>>
  /** One of the format's `compressions`; the first by default. */
  readonly compression?: string | undefined
}

/** A way to write an answer as a stream. It reads at the speed of its consumer and never stores the whole answer. */
export interface ResultFormat extends Named {
  readonly mediaType: string
  /** Other names under which clients request it. */
  readonly alsoKnownAs: readonly string[]
  /** Names of codecs that it can use within its bytes, the default first; absent if there is no choice. */
  readonly compressions?: readonly string[]
  /** True if its bytes do not depend on `metadata`. */
  readonly rowsOnly?: boolean
  readonly encode: (answer: Encodable) => AsyncIterable<Uint8Array>
}
