import type { MessageWriter } from '../wire/message-writer.js'

/** Writes one value, without its length; false when it is NULL and nothing was written. */
export type ValueWriter = (out: MessageWriter, row: number) => boolean
