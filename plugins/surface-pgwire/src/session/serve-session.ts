/** The loop that serves a client: message by message, until it says goodbye. */
import { FRONTEND } from '../wire/codes.js'
import { MessageReader } from '../wire/message-reader.js'
import { errorResponse } from '../wire/messages.js'
import { fatal, PgError } from '../wire/pg-error.js'
import { extendedMessage } from './extended.js'
import type { Session } from './session.js'
import { simpleQuery } from './simple-query.js'
import { toPgError } from './to-pg-error.js'

/** Longest message of a client that is known. */
const MOST_MESSAGE_BYTES = 16 * 1024 * 1024

/** Rejects when the client breaks the protocol, or is gone. */
export async function serveSession(session: Session): Promise<void> {
  const { turn } = session
  const { input } = session.wire
  /** After a failure, all that was sent along with it is passed over. */
  let skipping = false
  for (;;) {
    const waits = input.length === 0
    const { code, body } = await input.readMessage(MOST_MESSAGE_BYTES, () => fatal('08P01', 'invalid message length'))
    // A client that sends many messages at once is answered in several turns.
    if (waits) turn.begin()
    else if (turn.isOver) await turn.pass()
    if (code === FRONTEND.terminate) return
    if (skipping && code !== FRONTEND.sync) continue
    skipping = !(await handle(session, code, new MessageReader(body)))
  }
}

/** False when what follows is to be passed over. */
async function handle(session: Session, code: number, reader: MessageReader): Promise<boolean> {
  switch (code) {
    case FRONTEND.query:
      await succeeds(session, () => simpleQuery(session, reader.cstring()))
      await session.ready()
      return true
    case FRONTEND.sync:
      await session.ready()
      return true
    // Remaining messages of a COPY that failed.
    case FRONTEND.copyData:
    case FRONTEND.copyDone:
    case FRONTEND.copyFail:
      return true
    default: {
      const done = await succeeds(session, () => extendedMessage(session, code, reader))
      if (code === FRONTEND.flush || !done) await session.out.flush()
      return done
    }
  }
}

/** True on success; otherwise the client gets the error, and the transaction fails. */
async function succeeds(session: Session, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof PgError && error.fields.severity === 'FATAL') throw error
    if (session.wire.over) throw error
    session.out.abandon()
    errorResponse(session.out, toPgError(error, session.logger))
    session.transaction.fail()
    return false
  }
}
