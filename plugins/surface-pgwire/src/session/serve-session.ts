/** Serves the messages of a client in a loop, until it terminates the session. */
import { FRONTEND } from '../wire/codes.js'
import { MessageReader } from '../wire/message-reader.js'
import { errorResponse } from '../wire/messages.js'
import { fatal, PgError } from '../wire/pg-error.js'
import { extendedMessage } from './extended.js'
import type { Session } from './session.js'
import { simpleQuery } from './simple-query.js'
import { toPgError } from './to-pg-error.js'

/** The size limit of messages after authentication. */
const MOST_MESSAGE_BYTES = 16 * 1024 * 1024

/** Rejects if the client violates the protocol or disconnects. */
export async function serveSession(session: Session): Promise<void> {
  const { turn } = session
  const { input } = session.wire
  /** After an error, messages are skipped up to the next Sync. */
  let skipping = false
  for (;;) {
    const waits = input.length === 0
    const { code, body } = await input.readMessage(MOST_MESSAGE_BYTES, () => fatal('08P01', 'invalid message length'))
    // Many messages in one packet, or from many clients, must not block others, so they are handled in several turns.
    if (waits) turn.begin()
    if (turn.isOver) await turn.pass()
    if (code === FRONTEND.terminate) return
    if (skipping && code !== FRONTEND.sync) continue
    skipping = !(await handle(session, code, new MessageReader(body)))
  }
}

/** Whether the next messages are to be handled; otherwise they are skipped. */
async function handle(session: Session, code: number, reader: MessageReader): Promise<boolean> {
  switch (code) {
    case FRONTEND.query:
      await succeeds(session, () => simpleQuery(session, reader.cstring()))
      await session.ready()
      return true
    case FRONTEND.sync:
      await session.ready()
      return true
    // These are the remaining messages of a failed COPY.
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

/** Returns true on success. Otherwise the client gets the error, and the transaction fails. */
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
