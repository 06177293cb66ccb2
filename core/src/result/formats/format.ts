import type { Named } from '../../point.js'
import type { RecordBatch, ResultSchema } from '../record-batch.js'

/** An answer on its way into bytes. */
export interface Encodable {
  readonly schema: ResultSchema
  readonly batches: AsyncIterable<RecordBatch> | Iterable<RecordBatch>
  /** IANA zone in which instants are shown where the format shows any. */
  readonly timezone: string
  /** What a format that describes itself carries beside the rows. */
  readonly metadata: Readonly<Record<string, string>>
  /** One of the format's `compressions`; the first of them where it is not given. */
  readonly compression?: string | undefined
}

/** A way to write an answer as a stream of rows. It reads as fast as its bytes are taken and never holds the answer. */
export interface ResultFormat extends Named {
  readonly mediaType: string
  /** Other names under which clients ask for it. */
  readonly alsoKnownAs: readonly string[]
  /** Names of codecs that it can use within its bytes, the one that it uses by itself first; absent where there is no choice. */
  readonly compressions?: readonly string[]
  readonly encode: (answer: Encodable) => AsyncIterable<Uint8Array>
}
