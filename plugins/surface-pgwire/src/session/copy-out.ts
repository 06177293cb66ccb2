import { UNBOUND } from '../answers/answer.js'
import { binaryCopy, csvCopy, headerLine, textCopy } from '../rows/copy-layouts.js'
import type { RowLayout } from '../rows/row-layout.js'
import type { CopyStatement } from '../statements/statement.js'
import { BACKEND } from '../wire/codes.js'
import { BINARY_FORMAT, bare, commandComplete, type Field, type Format, TEXT_FORMAT } from '../wire/messages.js'
import { refuse } from '../wire/pg-error.js'
import { newPortal } from './portal.js'
import { finish, openPortal } from './portal-rows.js'
import type { Session } from './session.js'

/** Runs COPY … TO STDOUT, which sends the rows of a query as one stream. */
export async function copyOut(session: Session, statement: CopyStatement): Promise<void> {
  const { out } = session
  const format: Format = statement.format === 'binary' ? BINARY_FORMAT : TEXT_FORMAT
  const portal = newPortal(statement.query, UNBOUND, [format])
  try {
    const cursor = await openPortal(session, portal)
    const { fields } = cursor.stream
    const binary = statement.format === 'binary' ? binaryCopy() : undefined
    const layout = binary ?? lineLayout(statement, fields)
    copyOutResponse(session, format, fields.length)
    if (statement.header)
      headerLine(
        out,
        fields.map(({ name }) => name),
        layout,
      )
    const { rows } = await session.watched(portal.stop, () => cursor.send(out, 0, layout, portal.formats))
    binary?.end(out)
    bare(out, BACKEND.copyDone)
    finish(session, portal, cursor.stream)
    commandComplete(out, `COPY ${rows}`)
  } finally {
    void portal.cursor?.close()
  }
}

function lineLayout(
  { format, delimiter, nullText, quote, escape: escaping, forceQuote }: CopyStatement,
  fields: readonly Field[],
): RowLayout {
  const options = { delimiter: delimiter.charCodeAt(0), nullText }
  if (format === 'text') return textCopy(options)
  const names = new Set(fields.map(({ name }) => name))
  const unknown = forceQuote === true ? undefined : forceQuote.find((name) => !names.has(name))
  if (unknown !== undefined) refuse('42703', `FORCE_QUOTE column "${unknown}" is not in the query`)
  return csvCopy({
    ...options,
    quote: quote.charCodeAt(0),
    escape: escaping.charCodeAt(0),
    forceQuote: fields.map(({ name }) => forceQuote === true || forceQuote.includes(name)),
  })
}

function copyOutResponse({ out }: Session, format: Format, columns: number): void {
  out.begin(BACKEND.copyOutResponse)
  out.int8(format)
  out.int16(columns)
  for (let i = 0; i < columns; i++) out.int16(format)
  out.end()
}
