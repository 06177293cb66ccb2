/** Runs the statements that return no rows. */
import { ON_BEHALF_OF_OPTION } from '../handshake/startup.js'
import type { Modes, Statement } from '../statements/statement.js'
import { commandComplete } from '../wire/messages.js'
import { PgError, refuse } from '../wire/pg-error.js'
import type { Session } from './session.js'

export async function runCommand(session: Session, statement: Statement): Promise<void> {
  commandComplete(session.out, await run(session, statement))
}

/** Runs the statement. Resolves to the command tag. */
async function run(session: Session, statement: Statement): Promise<string> {
  const { transaction, settings } = session
  switch (statement.kind) {
    case 'begin':
      return begin(session, statement.modes, statement.tag)
    case 'commit':
      return end(session, statement.chain, () => (transaction.commit() ? 'COMMIT' : 'ROLLBACK'))
    case 'rollback':
      return end(session, statement.chain, () => {
        transaction.rollback()
        return 'ROLLBACK'
      })
    case 'savepoint':
      transaction.savepoint(statement.name)
      return 'SAVEPOINT'
    case 'release':
      transaction.release(statement.name)
      return 'RELEASE'
    case 'rollback-to':
      transaction.rollbackTo(statement.name)
      return 'ROLLBACK'
    case 'set':
      settings.set(statement.name, statement.value, statement.local)
      if (statement.local) warnOutside(session, 'SET LOCAL')
      return 'SET'
    case 'set-modes':
      setModes(session, statement.modes, !statement.session)
      return 'SET'
    case 'reset':
      if (statement.name === undefined) settings.resetAll()
      else settings.reset(statement.name)
      return statement.tag
    case 'prepare':
      session.prepare(statement.name, { statement: statement.statement, types: [] })
      return 'PREPARE'
    case 'deallocate':
      return deallocate(session, statement.name)
    case 'discard':
      return discard(session, statement.what)
    case 'temporary':
      return changeTemporary(session, statement)
    case 'nothing':
      return statement.tag
    default:
      return refuse('0A000', `${statement.kind} is not supported here`)
  }
}

function begin(session: Session, modes: Modes, tag: string): string {
  if (session.transaction.status === 'I') session.transaction.begin()
  else session.notice(new PgError('25001', 'there is already a transaction in progress', { severity: 'WARNING' }))
  setModes(session, modes, true)
  return tag
}

function end(session: Session, chain: boolean, finish: () => string): string {
  if (session.transaction.status === 'I')
    session.notice(new PgError('25P01', 'there is no transaction in progress', { severity: 'WARNING' }))
  const tag = finish()
  session.dropTransactionPortals()
  if (chain) session.transaction.begin()
  return tag
}

/** A transaction may be declared writable: the statements that write are refused. */
function setModes({ settings }: Session, modes: Modes, local: boolean): void {
  for (const [name, value] of modes) settings.set(name, value, local)
}

function warnOutside(session: Session, what: string): void {
  if (session.transaction.status !== 'I') return
  session.notice(new PgError('25P01', `${what} can only be used in transaction blocks`, { severity: 'WARNING' }))
  session.settings.commit()
}

function deallocate(session: Session, name: string | undefined): string {
  if (name === undefined) session.prepared.clear()
  else if (!session.prepared.delete(name)) refuse('26000', `prepared statement "${name}" does not exist`)
  return name === undefined ? 'DEALLOCATE ALL' : 'DEALLOCATE'
}

function discard(session: Session, what: 'ALL' | 'PLANS' | 'SEQUENCES' | 'TEMP'): string {
  if (what === 'ALL') {
    if (session.transaction.status !== 'I') refuse('25001', 'DISCARD ALL cannot run inside a transaction block')
    session.discardAll()
  }
  if (what === 'TEMP') session.temporary.clear()
  return `DISCARD ${what}`
}

/** Runs CREATE, INSERT and DROP of a temporary table. The catalogue checks them before they are remembered. Resolves to the command tag. */
async function changeTemporary(
  session: Session,
  { table, text, tag }: Statement & { readonly kind: 'temporary' },
): Promise<string> {
  const { temporary } = session
  if (session.settings.get(ON_BEHALF_OF_OPTION) !== undefined)
    refuse('0A000', 'temporary tables belong to the connection, and this transaction asks for somebody else')
  const creates = tag === 'CREATE TABLE' || tag === 'SELECT'
  if (!creates && !temporary.has(table)) {
    const verb = tag === 'INSERT' ? 'INSERT' : 'DROP TABLE'
    refuse('25006', `cannot execute ${verb} in a read-only transaction`, { hint: 'Models are read-only.' })
  }
  if (tag === 'DROP TABLE') {
    temporary.drop(table)
    return tag
  }
  const stop = new AbortController()
  const done = await session.watched(stop, () => session.services.tryTemporary(text, stop.signal))
  temporary.add(table, text)
  return done
}
