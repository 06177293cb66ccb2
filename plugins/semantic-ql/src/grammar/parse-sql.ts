/** SQL text → syntax trees, by PostgreSQL's own grammar. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Lru } from '@grainline/core/language'
import { type Place, refuse, unsupported } from '../refusal.js'
import { checked, loadGrammar, type ReadText, readText, type TextFault } from './grammar.js'
import type { Node } from './node.js'
import { fromApart, readApart } from './sql-thread.js'

export interface ParsedSql extends ReadText {
  readonly text: string
  /** The position of a byte offset, which nodes have. */
  place(location: number | undefined): Place | undefined
}

/** Neither people nor tools write longer texts. */
const MAX_CHARACTERS = 100_000
/** Longer ones are read in another thread. */
const LONG_CHARACTERS = 10_000

/** Recent texts, up to a total number of characters: a tree has about a hundred times the bytes of its text. */
const kept = new Lru<ParsedSql>({ maxEntries: 512, maxBytes: 256 * 1024 })

/**
 * Throws `SQL_SYNTAX_ERROR` with the parser's own message, and `UNSUPPORTED_SQL_FEATURE` for a text too long or too deep. Long texts of many
 * clients are read in turns between them; without a client it is for the server itself.
 */
export async function parseSql(text: string, client = ''): Promise<ParsedSql> {
  if (text.length > MAX_CHARACTERS) unsupported('statement', `The statement has more than ${MAX_CHARACTERS} characters`)
  if (text.trim() === '') refuse('SQL_SYNTAX_ERROR', 'The statement is empty', { at: placeOf(text, 0) })
  const known = kept.get(text)
  if (known) return known
  const parsed = parsedText(
    text,
    text.length > LONG_CHARACTERS ? await readLong(text, client) : readText(await loadGrammar(), text),
  )
  kept.set(text, parsed, text.length)
  return parsed
}

/** The text with a tree that a surface has already parsed with the same grammar and the same limits. */
export const treeOfSql = (text: string, tree: unknown): ParsedSql => parsedText(text, checked([tree as Node], undefined))

/** For a long text each step is a separate turn of the event loop, so that other requests are answered in between. */
export async function betweenSteps(text: string): Promise<void> {
  if (text.length > LONG_CHARACTERS) await nextTurn()
}

/** Does the same as `parseSql` in one turn, for short texts, without a cache. */
export async function sqlReader(): Promise<(text: string) => ParsedSql> {
  const grammar = await loadGrammar()
  return (text) => parsedText(text, readText(grammar, text))
}

async function readLong(text: string, client: string): Promise<ReturnType<typeof readText>> {
  const read = await readApart(text, client)
  if ('fault' in read) return read
  const tree = fromApart(read.tree)
  await betweenSteps(text)
  return tree
}

function parsedText(text: string, read: ReturnType<typeof readText>): ParsedSql {
  if ('fault' in read) refuseText(text, read.fault)
  const places = placesIn(text)
  return {
    ...read,
    text,
    place: (location) => (location === undefined || location < 0 ? undefined : places(location)),
  }
}

/** So many characters before a fault are read for a name. */
const BEFORE = 300

function refuseText(text: string, { message, character }: TextFault): never {
  if (character === undefined) unsupported('statement', message)
  // Only a call takes FILTER.
  const isFilter = /^FILTER\s*\(/i.test(text.slice(character))
  const name = isFilter
    ? /("(?:[^"]|"")+"|[\w.]+)\s+$/.exec(text.slice(Math.max(0, character - BEFORE), character))?.[1]
    : undefined
  const rewrite = name === undefined ? undefined : `MEASURE(${name}) FILTER (…)`
  return refuse('SQL_SYNTAX_ERROR', message, { at: placeOf(text, character), ...(rewrite !== undefined && { rewrite }) })
}

/** Positions of nodes are bytes of UTF-8. The text is counted once, because a long list needs the position of each value. */
function placesIn(text: string): (byte: number) => Place {
  const characterAt = Buffer.byteLength(text) === text.length ? (byte: number) => byte : charactersOf(text)
  const lines = lineStarts(text)
  return (byte) => placeAmong(lines, characterAt(byte))
}

function charactersOf(text: string): (byte: number) => number {
  const bytes = Buffer.from(text, 'utf8')
  // The last known place; callers mostly go from left to right.
  let [knownByte, knownCharacter] = [0, 0]
  return (byte) => {
    const from = byte >= knownByte ? knownByte : 0
    const before = byte >= knownByte ? knownCharacter : 0
    knownCharacter = before + bytes.toString('utf8', from, byte).length
    knownByte = byte
    return knownCharacter
  }
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

function placeAmong(lines: readonly number[], character: number): Place {
  let [low, high] = [0, lines.length]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (lines[middle]! <= character) low = middle
    else high = middle
  }
  return { position: character + 1, line: low + 1, column: character - lines[low]! + 1 }
}

const placeOf = (text: string, character: number): Place => placeAmong(lineStarts(text), character)
