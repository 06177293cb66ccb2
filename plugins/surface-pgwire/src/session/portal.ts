import type { Bound } from '../answers/answer.js'
import type { RowCursor } from '../rows/row-cursor.js'
import type { Statement } from '../statements/statement.js'
import type { Field, Format } from '../wire/messages.js'

/** A statement that a client gave a name, or the unnamed one. */
export interface Prepared {
  /** `undefined` is an empty text. */
  readonly statement: Statement | undefined
  readonly types: readonly number[]
}

/** A statement with its values, ready to run; also a cursor, since both share their names. */
export interface Portal {
  readonly statement: Statement | undefined
  readonly bound: Bound
  readonly formats: readonly Format[]
  /** Survives the end of the transaction. */
  readonly hold: boolean
  /** Aborted when the portal is dropped, cancelled, or left alone for too long. */
  readonly stop: AbortController
  cursor?: RowCursor
  /** Rows given so far. */
  position: number
  ended: boolean
  idle?: NodeJS.Timeout | undefined
  fields?: readonly Field[]
}

export const newPortal = (statement: Statement | undefined, bound: Bound, formats: readonly Format[], hold = false): Portal => ({
  statement,
  bound,
  formats,
  hold,
  stop: new AbortController(),
  position: 0,
  ended: false,
})
