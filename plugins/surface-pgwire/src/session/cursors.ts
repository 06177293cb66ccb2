import { type Bound, UNBOUND } from '../answers/answer.js'
import { dataRows } from '../rows/row-layout.js'
import type { DeclareStatement, FetchStatement } from '../statements/statement.js'
import { BINARY_FORMAT, commandComplete, type Format, rowDescription } from '../wire/messages.js'
import { refuse } from '../wire/pg-error.js'
import { newPortal, type Portal } from './portal.js'
import { finish, openPortal, suspend } from './portal-rows.js'
import type { Session } from './session.js'

export async function declareCursor(session: Session, statement: DeclareStatement, bound: Bound): Promise<void> {
  const { name, hold, binary } = statement
  if (session.transaction.status === 'I' && !hold) refuse('25P01', 'DECLARE CURSOR can only be used in transaction blocks')
  if (session.portals.has(name)) refuse('42P03', `cursor "${name}" already exists`)
  session.hold(
    name,
    newPortal(statement.query, statement.query.parameters > 0 ? bound : UNBOUND, binary ? [BINARY_FORMAT] : [], { hold }),
  )
  commandComplete(session.out, 'DECLARE CURSOR')
}

export async function closeCursors(session: Session, name: string | undefined): Promise<void> {
  if (name === undefined) for (const each of [...session.portals.keys()]) session.dropPortal(each)
  else {
    cursorNamed(session, name)
    session.dropPortal(name)
  }
  commandComplete(session.out, name === undefined ? 'CLOSE CURSOR ALL' : 'CLOSE CURSOR')
}

/** Runs FETCH and MOVE. They only go forward, because answers are streamed. */
export async function fetchRows(
  session: Session,
  statement: FetchStatement,
  asked: readonly Format[],
  simple: boolean,
): Promise<void> {
  const portal = cursorNamed(session, statement.name)
  const formats = asked.length === 0 ? portal.formats : asked
  const cursor = await openPortal(session, portal)
  if (simple && !statement.move) rowDescription(session.out, cursor.stream.fields, formats)
  const { skip, take } = steps(statement, portal)
  clearTimeout(portal.idle)
  const rows = await session.watched(portal.stop, async () => {
    const skipped = skip > 0 ? (await cursor.skip(skip)).rows : 0
    portal.position += skipped
    if (take === 0 || skipped < skip) return 0
    const most = take === Number.POSITIVE_INFINITY ? 0 : take
    const sent = statement.move ? await cursor.skip(most) : await cursor.send(session.out, most, dataRows, formats)
    portal.position += sent.rows
    if (sent.ended) finish(session, portal, cursor.stream)
    return sent.rows
  })
  suspend(session, portal)
  commandComplete(session.out, `${statement.move ? 'MOVE' : 'FETCH'} ${rows}`)
}

/** The number of rows to skip and to return. */
function steps({ direction, count }: FetchStatement, { position }: Portal): { readonly skip: number; readonly take: number } {
  switch (direction) {
    case 'forward':
      return count >= 0 ? { skip: 0, take: count } : forwardOnly()
    case 'relative':
      return count >= 1 ? { skip: count - 1, take: 1 } : forwardOnly()
    case 'absolute':
      return count > position ? { skip: count - position - 1, take: 1 } : forwardOnly()
    default:
      return forwardOnly()
  }
}

function forwardOnly(): never {
  return refuse('55000', 'cursor can only scan forward', {
    hint: 'Answers are streamed here: declare the cursor again to go back.',
  })
}

function cursorNamed(session: Session, name: string): Portal {
  const portal = session.portalNamed(name)
  return portal ?? refuse('34000', `cursor "${name}" does not exist`)
}
