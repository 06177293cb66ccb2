import { UNBOUND } from '../answers/answer.js'
import { parseStatements } from '../statements/parse-statements.js'
import { BACKEND } from '../wire/codes.js'
import { bare } from '../wire/messages.js'
import { newPortal } from './portal.js'
import { refuseWhenFailed, runPortal } from './run-portal.js'
import type { Session } from './session.js'

/** Runs a text with any number of statements. The first error ends it. */
export async function simpleQuery(session: Session, text: string): Promise<void> {
  session.dropPortal('')
  session.prepared.delete('')
  const statements = await parseStatements(text)
  if (statements.length === 0) bare(session.out, BACKEND.emptyQueryResponse)
  for (const statement of statements) {
    refuseWhenFailed(session, statement)
    if (session.turn.isOver) await session.turn.pass()
    const portal = newPortal(statement, UNBOUND, [])
    try {
      await runPortal(session, portal, 0, true)
    } finally {
      void portal.cursor?.close()
    }
  }
}
