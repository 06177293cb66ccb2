import { setImmediate as nextTurn } from 'node:timers/promises'
import { messageOf } from '@grainline/core'
import { Lru } from '@grainline/core/language'
import { PgError, refuse } from '../wire/pg-error.js'
import { type Grammar, loadGrammar } from './grammar.js'
import { readStatement } from './read-statement.js'
import { ofModels } from './select.js'
import type { Statement } from './statement.js'

/** The limit for a text, because parsing blocks the event loop. */
const MOST_CHARACTERS = 100_000
const LONG_CHARACTERS = 10_000

/** A cache of parsed texts. It is limited by characters; a tree takes about a hundred bytes for each. */
const kept = new Lru<readonly Statement[]>({ maxEntries: 512, maxBytes: 256 * 1024 })

/** The statements of a text, in order. Throws `42601` with the message and position of the parser. */
export async function parseStatements(text: string): Promise<readonly Statement[]> {
  // Clients send an empty text to check the connection, but the library rejects it.
  if (text.trim() === '') return []
  const known = kept.get(text)
  if (known) return known
  if (text.length > MOST_CHARACTERS) refuse('54001', `the statement is longer than ${MOST_CHARACTERS} characters`)
  const grammar = await loadGrammar()
  const statements = readAll(text, grammar)
  kept.set(text, statements, text.length)
  // Other clients get a turn between the parsing of a long text and the work on it.
  if (text.length > LONG_CHARACTERS) await nextTurn()
  return statements
}

function readAll(text: string, grammar: Grammar): readonly Statement[] {
  const parsed = parse(text, grammar)
  if (parsed === undefined) return [ofModels(text)]
  // Positions count bytes of UTF-8.
  const bytes = Buffer.from(text)
  let [before, offset] = [0, 0]
  return (parsed.stmts ?? []).flatMap(({ stmt, stmt_location: start = 0, stmt_len: length }) => {
    if (stmt === undefined) return []
    const source = bytes.toString('utf8', start, length === undefined ? undefined : start + length)
    offset += bytes.toString('utf8', before, start).length
    before = start
    return [readStatement(stmt, { source, offset }, grammar)]
  })
}

interface SqlDetails {
  readonly message: string
  readonly cursorPosition: number
}

const sqlDetailsOf = (error: unknown): SqlDetails | undefined => {
  const { sqlDetails }: { readonly sqlDetails?: SqlDetails } = Object(error)
  return sqlDetails
}

/** `undefined` if the text may be in SemanticQL, which has more syntax than PostgreSQL (WITH ROLLUP at the end, DESCRIBE). */
function parse(text: string, grammar: Grammar) {
  try {
    return grammar.parseSync(text)
  } catch (error) {
    if (error instanceof RangeError) return refuse('54001', 'stack depth limit exceeded')
    if (/\bWITH\s+(ROLLUP|CUBE)\b|^\s*(?:DESCRIBE|DESC)\s/i.test(text)) return undefined
    const details = sqlDetailsOf(error)
    // The message is the only sign that the recursion of the parser was too deep.
    if (/call stack/i.test(messageOf(error))) return refuse('54001', 'stack depth limit exceeded')
    throw new PgError('42601', details?.message ?? messageOf(error), {
      position: details === undefined || details.cursorPosition < 0 ? undefined : details.cursorPosition + 1,
    })
  }
}
