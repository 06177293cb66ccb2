import { type CatalogAnswer, readAnswer } from '../catalog/backend-messages.js'
import type { Catalog } from '../catalog/catalog.js'
import type { CatalogQuestion, CatalogView } from '../catalog/catalog-view.js'
import { bindMessage, describeMessage, executeMessage, parseMessage, syncMessage } from '../catalog/frontend-messages.js'
import { once, type RowBlock, type RowStream } from '../rows/row-block.js'
import type { SessionSettings } from '../session/session-settings.js'
import type { SelectStatement } from '../statements/statement.js'
import type { ValueWriter } from '../wire/message-writer.js'
import type { Field, Format } from '../wire/messages.js'
import { refuse } from '../wire/pg-error.js'
import { type Answerer, type Bound, placed } from './answer.js'

/** The limit for the rows of an answer, which are held in memory. */
const MOST_ROWS = 100_000
const MOST_KEPT = 512
/** Larger answers are not cached. */
const MOST_KEPT_BYTES = 256 * 1024

/** The settings that a catalogue answer may depend on. */
const SHAPING = [
  'search_path',
  'DateStyle',
  'TimeZone',
  'IntervalStyle',
  'extra_float_digits',
  'bytea_output',
  'application_name',
]

/** Functions whose result changes between calls. */
const VOLATILE =
  /\b(now|random\w*|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|current_timestamp|current_time|current_date|localtime|localtimestamp|txid_\w+|pg_current_\w+|pg_backend_pid|gen_random_uuid|uuidv[47]|pg_stat_\w+|pg_postmaster_start_time|pg_conf_load_time|nextval|setseed|pg_sleep\w*|age|pg_export_snapshot)\b/i

/** A cache of answers for all connections. The key contains everything that an answer depends on, and the principal: no other one gets the answer. */
export type KeptAnswers = Map<string, CatalogAnswer>

export interface CatalogContext {
  readonly catalog: Pick<Catalog, 'warm' | 'ask'>
  /** The client to which limits apply. */
  readonly client: () => string
  /** The id of the principal that asks now. */
  readonly principal: () => string
  readonly kept: KeptAnswers
  readonly settings: SessionSettings
  readonly view: () => Promise<CatalogView>
  readonly temporary: () => readonly string[]
}

/** Answers SELECTs over the catalogue, which is a real PostgreSQL database. */
export function catalogAnswerer(context: CatalogContext): Answerer {
  const { catalog, client, principal, kept } = context
  async function ask(statement: SelectStatement, messages: readonly Buffer[], signal: AbortSignal): Promise<CatalogAnswer> {
    // The database starts while the models are read.
    catalog.warm()
    const view = await context.view()
    const question = questionOf(statement.text, messages, context)
    const key = question.fresh || question.temporary.length > 0 ? undefined : keyOf(principal(), view, question)
    const known = key === undefined ? undefined : kept.get(key)
    if (known) return known
    const answer = await catalog.ask({ client: client(), view, question }, signal).then(readAnswer).catch(placed(statement))
    if (key !== undefined) keep(kept, key, answer)
    return answer
  }

  return {
    async describe(statement, types, signal) {
      const { parameters, fields = [] } = await ask(
        statement,
        [parseMessage(withRenamedColumns(statement.text), types), describeMessage('S'), syncMessage()],
        signal,
      )
      return { parameters, fields }
    },
    async open(statement, bound, formats, signal) {
      const answer = await ask(statement, runMessages(statement, bound, formats), signal)
      if (answer.suspended) refuse('54000', `the catalogue answer has more than ${MOST_ROWS} rows`)
      return streamOf(answer.fields ?? [], answer.rows, formats)
    },
  }
}

function runMessages({ text }: SelectStatement, { types, ...bound }: Bound, formats: readonly Format[]): Buffer[] {
  return [
    parseMessage(withRenamedColumns(text), types),
    bindMessage({ ...bound, formats }),
    describeMessage('P'),
    executeMessage(MOST_ROWS),
    syncMessage(),
  ]
}

export function questionOf(text: string, messages: readonly Buffer[], { settings, temporary }: CatalogContext): CatalogQuestion {
  return {
    settings: SHAPING.map((name) => [name, settings.get(name) ?? ''] as const),
    temporary: temporary(),
    messages: Buffer.concat(messages),
    fresh: VOLATILE.test(text),
  }
}

function keyOf(
  principal: string,
  { database, databases, relations }: CatalogView,
  { settings, messages }: CatalogQuestion,
): string {
  const seen = relations.map(({ schema, table, shape }) => [schema, table, shape.key])
  return JSON.stringify([principal, database, databases, seen, settings]) + Buffer.from(messages).toString('latin1')
}

function keep(kept: KeptAnswers, key: string, answer: CatalogAnswer): void {
  const bytes = answer.rows.reduce((sum, row) => sum + row.length, key.length)
  if (bytes > MOST_KEPT_BYTES) return
  if (kept.size >= MOST_KEPT) kept.clear()
  kept.set(key, answer)
}

function streamOf(fields: readonly Field[], rows: readonly Buffer[], given: readonly Format[]): RowStream {
  const block: RowBlock = {
    rowCount: rows.length,
    writers(formats) {
      if (formats !== given && formats.join() !== given.join())
        refuse('0A000', 'a cursor over the catalogue keeps the format of its first FETCH')
      return fields.map((_, column) => fieldWriter(rows, column))
    },
  }
  return { fields, blocks: once(block), notices: () => [] }
}

/** Copies a field of a DataRow. */
function fieldWriter(rows: readonly Buffer[], column: number): ValueWriter {
  return (out, row) => {
    const body = rows[row]!
    let at = 2
    for (let i = 0; i < column; i++) at += 4 + Math.max(0, body.readInt32BE(at))
    const length = body.readInt32BE(at)
    if (length >= 0) out.raw(body.subarray(at + 4, at + 4 + length))
    return length >= 0
  }
}

/** Clients for older servers use former column names: https://www.postgresql.org/docs/17/release-17.html */
const RENAMED: Readonly<Record<string, string>> = { daticulocale: 'datlocale', colliculocale: 'colllocale' }

const NAMES = new RegExp(`(?<!['\\w])("?)(${Object.keys(RENAMED).join('|')})\\1(?!['\\w])`, 'g')

/** The statement with the current names. Each is padded to the length of the former one, so that error positions stay correct. */
const withRenamedColumns = (text: string): string =>
  text.replace(NAMES, (older, quote: string, name: string) => `${quote}${RENAMED[name]}${quote}`.padEnd(older.length))

/** Checks a statement about a temporary table by running it in the catalogue and rolling it back. Resolves to the command tag. */
export async function tryTemporary(text: string, context: CatalogContext | undefined, signal: AbortSignal): Promise<string> {
  if (context === undefined)
    return refuse('25006', 'temporary tables need the catalogue, which is switched off (PGWIRE_CATALOG=off)')
  const bound = bindMessage({ values: [], valueFormats: [], formats: [] })
  const messages = [parseMessage(text, []), bound, executeMessage(0), syncMessage()]
  const look = { client: context.client(), view: await context.view(), question: questionOf(text, messages, context) }
  return readAnswer(await context.catalog.ask(look, signal)).tag
}
