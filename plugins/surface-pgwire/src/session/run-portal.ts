/** Runs a portal: sends its rows and the command tag. */

import { fail } from '@grainline/core'
import { dataRows } from '../rows/row-layout.js'
import type { Statement } from '../statements/statement.js'
import { BACKEND } from '../wire/codes.js'
import { bare, commandComplete, rowDescription } from '../wire/messages.js'
import { PgError } from '../wire/pg-error.js'
import { runCommand } from './commands.js'
import { copyOut } from './copy-out.js'
import { closeCursors, declareCursor, fetchRows } from './cursors.js'
import type { Portal } from './portal.js'
import { finish, openPortal, suspend, tell } from './portal-rows.js'
import type { Session } from './session.js'

/** Sends up to `most` rows (0 means all). With `simple`, the columns precede the rows, as in the simple query protocol. */
export async function runPortal(session: Session, portal: Portal, most: number, simple: boolean): Promise<void> {
  const statement = statementOf(portal)
  switch (statement.kind) {
    case 'select':
    case 'show':
    case 'execute':
      return sendRows(session, portal, most, simple)
    case 'fetch':
      return fetchRows(session, statement, portal.formats, simple)
    case 'declare':
      return declareCursor(session, statement, portal.bound)
    case 'close':
      return closeCursors(session, statement.name)
    case 'copy':
      return copyOut(session, statement)
    default:
      return runCommand(session, statement)
  }
}

async function sendRows(session: Session, portal: Portal, most: number, simple: boolean): Promise<void> {
  const cursor = await openPortal(session, portal)
  if (simple) rowDescription(session.out, cursor.stream.fields, portal.formats)
  const tag = tagOf(statementOf(portal))
  if (portal.ended) return commandComplete(session.out, `${tag} 0`)
  clearTimeout(portal.idle)
  const { rows, ended } = await session.watched(portal.stop, () => cursor.send(session.out, most, dataRows, portal.formats))
  if (!ended) {
    suspend(session, portal)
    tell(session, portal, cursor.stream)
    return bare(session.out, BACKEND.portalSuspended)
  }
  finish(session, portal, cursor.stream)
  commandComplete(session.out, tag === 'SELECT' ? `${tag} ${rows}` : tag)
}

/** The statement of a portal; an empty query never runs. */
const statementOf = ({ statement }: Portal): Statement =>
  statement ?? fail('INTERNAL_ERROR', 'A portal without a statement is run')

function tagOf(statement: Statement): 'SELECT' | 'SHOW' | 'EXPLAIN' {
  if (statement.kind === 'show') return 'SHOW'
  return statement.kind === 'select' && statement.tree && 'ExplainStmt' in statement.tree ? 'EXPLAIN' : 'SELECT'
}

/** A failed transaction accepts only statements that end it. */
export function refuseWhenFailed(session: Session, { kind }: Statement): void {
  if (session.transaction.status !== 'E') return
  if (kind === 'commit' || kind === 'rollback' || kind === 'rollback-to') return
  throw new PgError('25P02', 'current transaction is aborted, commands ignored until end of transaction block')
}
