/** The extended protocol: Parse, Bind, Describe, Execute, Close, Flush. */
import { parseStatements } from '../statements/parse-statements.js'
import type { Statement } from '../statements/statement.js'
import { BACKEND, FRONTEND } from '../wire/codes.js'
import type { MessageReader } from '../wire/message-reader.js'
import { bare, type Format, formatAt, parameterDescription, rowDescription } from '../wire/messages.js'
import { fatal, PgError, refuse } from '../wire/pg-error.js'
import { describePortal, describePrepared } from './describe.js'
import { newPortal, type Portal } from './portal.js'
import { refuseWhenFailed, runPortal } from './run-portal.js'
import type { Session } from './session.js'

export async function extendedMessage(session: Session, code: number, reader: MessageReader): Promise<void> {
  switch (code) {
    case FRONTEND.parse:
      return parse(session, reader)
    case FRONTEND.bind:
      return bind(session, reader)
    case FRONTEND.describe:
      return describe(session, reader)
    case FRONTEND.execute:
      return execute(session, reader)
    case FRONTEND.close:
      return close(session, reader)
    case FRONTEND.flush:
      return
    case FRONTEND.functionCall:
      return refuse('0A000', 'the function call protocol is not supported')
    default:
      throw fatal('08P01', `invalid frontend message type ${code}`)
  }
}

async function parse(session: Session, reader: MessageReader): Promise<void> {
  const [name, text] = [reader.cstring(), reader.cstring()]
  const types = Array.from({ length: reader.uint16() }, () => reader.int32())
  reader.finish()
  const [statement, ...more] = await parseStatements(text)
  if (more.length > 0) refuse('42601', 'cannot insert multiple commands into a prepared statement')
  if (statement) refuseWhenFailed(session, statement)
  const described = await checked(session, statement, types)
  session.prepare(name, { statement, types, described, describedFor: session.services.principal() })
  bare(session.out, BACKEND.parseComplete)
}

async function bind(session: Session, reader: MessageReader): Promise<void> {
  const [portalName, statementName] = [reader.cstring(), reader.cstring()]
  const { statement, types, described, describedFor } = session.statementNamed(statementName)
  const known = describedFor === session.services.principal() ? described?.fields : undefined
  const valueFormats = readFormats(reader)
  const values = Array.from({ length: reader.uint16() }, () => readValue(reader))
  const formats = readFormats(reader)
  reader.finish()
  if (statement) refuseWhenFailed(session, statement)
  const wanted = statement?.kind === 'select' ? statement.parameters : 0
  if (values.length < wanted)
    refuse(
      '08P01',
      `bind message supplies ${values.length} parameters, but prepared statement "${statementName}" requires ${wanted}`,
    )
  if (portalName !== '' && session.portals.has(portalName)) refuse('42P03', `cursor "${portalName}" already exists`)
  session.dropPortal(portalName)
  const expanded = values.map((_, index) => formatAt(valueFormats, index))
  session.hold(portalName, newPortal(statement, { types, values, valueFormats: expanded }, formats, { known }))
  bare(session.out, BACKEND.bindComplete)
}

/** Outside of a transaction an error needs no ROLLBACK, so that it may come with a later message. */
async function checked(session: Session, statement: Statement | undefined, types: readonly number[]) {
  if (statement?.kind !== 'select' || session.transaction.status !== 'T') return undefined
  const stop = new AbortController()
  return session.watched(stop, async () => session.services.answerer.check?.(statement, types, stop.signal))
}

function readFormats(reader: MessageReader): Format[] {
  return Array.from({ length: reader.uint16() }, () => {
    const format = reader.int16()
    return format === 0 || format === 1 ? format : refuse('22023', `unsupported format code: ${format}`)
  })
}

function readValue(reader: MessageReader): Buffer | null {
  const length = reader.int32()
  if (length < -1) refuse('08P01', 'invalid message format')
  // The value is copied, because later messages overwrite the buffer.
  return length === -1 ? null : Buffer.from(reader.bytes(length))
}

async function describe(session: Session, reader: MessageReader): Promise<void> {
  const [what, name] = [reader.int8(), reader.cstring()]
  reader.finish()
  if (what === STATEMENT) {
    const { parameters, fields } = await describePrepared(session, session.statementNamed(name))
    parameterDescription(session.out, parameters)
    describeFields(session, fields, [])
  } else if (what === PORTAL) {
    const portal = portalNamed(session, name)
    describeFields(session, await describePortal(session, portal), portal.formats)
  } else refuse('08P01', `invalid DESCRIBE message subtype ${what}`)
}

function describeFields(
  session: Session,
  fields: Parameters<typeof rowDescription>[1] | undefined,
  formats: readonly Format[],
): void {
  if (fields === undefined) bare(session.out, BACKEND.noData)
  else rowDescription(session.out, fields, formats)
}

async function execute(session: Session, reader: MessageReader): Promise<void> {
  const [name, most] = [reader.cstring(), reader.int32()]
  reader.finish()
  const portal = portalNamed(session, name)
  if (portal.statement) refuseWhenFailed(session, portal.statement)
  if (portal.statement === undefined) bare(session.out, BACKEND.emptyQueryResponse)
  else await runPortal(session, portal, Math.max(0, most), false)
}

async function close(session: Session, reader: MessageReader): Promise<void> {
  const [what, name] = [reader.int8(), reader.cstring()]
  reader.finish()
  if (what === STATEMENT) session.prepared.delete(name)
  else if (what === PORTAL) session.dropPortal(name)
  else refuse('08P01', `invalid CLOSE message subtype ${what}`)
  bare(session.out, BACKEND.closeComplete)
}

const STATEMENT = 0x53 // S
const PORTAL = 0x50 // P

function portalNamed(session: Session, name: string): Portal {
  const portal = session.portalNamed(name)
  if (portal === undefined) throw new PgError('34000', `portal "${name}" does not exist`)
  return portal
}
