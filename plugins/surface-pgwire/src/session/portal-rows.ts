/** Begins, suspends and finishes the rows of a portal. */
import type { RowStream } from '../rows/row-block.js'
import { RowCursor } from '../rows/row-cursor.js'
import type { SelectStatement } from '../statements/statement.js'
import { PgError, refuse } from '../wire/pg-error.js'
import { newPortal, type Portal } from './portal.js'
import type { Session } from './session.js'
import { showRows } from './show.js'

/** Ends the rows. */
export function finish(session: Session, portal: Portal, stream: RowStream): void {
  if (portal.ended) return
  portal.ended = true
  tell(session, portal, stream)
}

/** Sends each notice of the answer once: when its rows end, or a part of them, after which the client may read no further. */
export function tell(session: Session, portal: Portal, stream: RowStream): void {
  for (const notice of stream.notices()) {
    if (portal.told.has(notice.message)) continue
    portal.told.add(notice.message)
    session.notice(notice)
  }
}

/** Starts a timer, because an abandoned portal must not keep a database connection. */
export function suspend(session: Session, portal: Portal): void {
  const forgotten = () => portal.stop.abort(new PgError('57014', 'canceling statement due to idle cursor timeout'))
  clearTimeout(portal.idle)
  portal.idle = setTimeout(forgotten, session.limits.queryTimeoutMs)
  portal.idle.unref()
}

/** The answer of a portal. The first call starts the query. */
export async function openPortal(session: Session, portal: Portal): Promise<RowCursor> {
  if (portal.cursor) return portal.cursor
  const stream = await session.watched(portal.stop, () => open(session, portal))
  portal.cursor = new RowCursor(stream)
  if (portal.bound.values.length > 0) refuseOtherColumns(portal.known, stream.fields)
  return portal.cursor
}

/** A client reads the rows by the types that the statement was described with. A value, such as a unit of time, may change them. */
function refuseOtherColumns(known: RowStream['fields'] | undefined, fields: RowStream['fields']): void {
  if (known === undefined) return
  const other = fields.find(({ type }, index) => type !== known[index]?.type)
  if (!other) return
  refuse('0A000', `cached plan must not change result type: a value changes the type of "${other.name}"`, {
    hint: "Write the unit as text, such as date_trunc('hour', …), or send the statement without describing it first.",
  })
}

async function open(session: Session, { statement, bound, formats, stop }: Portal): Promise<RowStream> {
  const run = (select: SelectStatement) => session.services.answerer.open(select, bound, formats, stop.signal)
  switch (statement?.kind) {
    case 'select':
      return run(statement)
    case 'show':
      return showRows(statement.name, session.settings)
    case 'execute': {
      const prepared = session.statementNamed(statement.name)
      if (prepared.statement?.kind !== 'select') return refuse('0A000', `prepared statement "${statement.name}" returns no rows`)
      const values = statement.values.map((value) => (value === null ? null : Buffer.from(value)))
      const inner = newPortal(
        prepared.statement,
        { types: prepared.types, values, valueFormats: values.map(() => 0 as const) },
        formats,
      )
      return open(session, { ...inner, stop })
    }
    default:
      return refuse('55000', 'this portal cannot be run')
  }
}
