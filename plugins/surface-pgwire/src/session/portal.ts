import type { Bound, Description } from '../answers/answer.js'
import type { RowCursor } from '../rows/row-cursor.js'
import type { Statement } from '../statements/statement.js'
import type { Field, Format } from '../wire/messages.js'

/** A prepared statement, with or without a name. */
export interface Prepared {
  /** `undefined` for an empty text. */
  readonly statement: Statement | undefined
  readonly types: readonly number[]
  /** Its columns, once they are known. */
  described?: Description | undefined
  /** The principal for which they are known: another one may see other columns. */
  describedFor?: string | undefined
}

/** A statement with its values. Cursors are portals too, because both share their names. */
export interface Portal {
  readonly statement: Statement | undefined
  /** The principal that opened it, if it has a name. */
  readonly owner?: string
  readonly bound: Bound
  readonly formats: readonly Format[]
  /** The columns that the client knows of the statement. */
  readonly known?: readonly Field[] | undefined
  /** Whether it survives the end of the transaction. */
  readonly hold: boolean
  /** Aborted if the portal is dropped, cancelled, or idle for too long. */
  readonly stop: AbortController
  /** The notices that were sent. */
  readonly told: Set<string>
  cursor?: RowCursor
  /** The number of rows returned so far. */
  position: number
  ended: boolean
  idle?: NodeJS.Timeout | undefined
  fields?: readonly Field[]
}

export const newPortal = (
  statement: Statement | undefined,
  bound: Bound,
  formats: readonly Format[],
  { hold = false, known }: Partial<Pick<Portal, 'hold' | 'known'>> = {},
): Portal => ({
  statement,
  bound,
  formats,
  hold,
  known,
  stop: new AbortController(),
  told: new Set(),
  position: 0,
  ended: false,
})
