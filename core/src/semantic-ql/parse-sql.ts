/** SQL text → syntax trees, by PostgreSQL's own grammar. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Lru } from '../lru.js'
import type { Node } from './node.js'
import type { Place } from './place.js'
import { refuse, unsupported } from './refusal.js'

export interface ParsedSql {
  readonly text: string
  readonly statements: readonly Node[]
  /** A trailing WITH ROLLUP or WITH CUBE, which the grammar does not know. */
  readonly withGrouping: 'rollup' | 'cube' | undefined
  /** The place of a byte offset, such as the nodes carry. */
  place(location: number | undefined): Place | undefined
}

/** Longer texts are not written by people or by tools for a question. */
const MAX_CHARACTERS = 100_000
const LONG_CHARACTERS = 10_000
/** Levels of the syntax tree; keeps every later walk within the stack. */
const MAX_DEPTH = 900

interface Parser {
  parseSync(text: string): { readonly stmts?: readonly { readonly stmt?: Node }[] }
}

let loading: Promise<Parser> | undefined

/** Texts that were asked lately, within so many characters: a tree has some hundred times the bytes of its text. */
const kept = new Lru<ParsedSql>({ maxEntries: 512, maxBytes: 256 * 1024 })

/** Loads the parser, which is WebAssembly, on first use. */
async function loadParser(): Promise<Parser> {
  const module = await import('libpg-query')
  // A CommonJS package: what Node did not detect as a named export stands on `default`.
  const parser = 'default' in module ? (module.default as unknown as typeof module) : module
  await parser.loadModule()
  return parser
}

/** Throws `SQL_SYNTAX_ERROR` with the parser's own message, and `UNSUPPORTED_SQL_FEATURE` for a text too long or too deep. */
export async function parseSql(text: string): Promise<ParsedSql> {
  if (text.length > MAX_CHARACTERS) unsupported('statement', `The statement has more than ${MAX_CHARACTERS} characters`)
  if (text.trim() === '') refuse('SQL_SYNTAX_ERROR', 'The statement is empty', { at: placeOf(text, 0) })
  const known = kept.get(text)
  if (known) return known
  loading ??= loadParser()
  const parsed = parseWith(await loading, text)
  kept.set(text, parsed, text.length)
  // What is made of a long text comes in another turn of the event loop than its parsing.
  if (text.length > LONG_CHARACTERS) await nextTurn()
  return parsed
}

/** The same in one go, for texts that are short; nothing is kept. */
export async function sqlReader(): Promise<(text: string) => ParsedSql> {
  loading ??= loadParser()
  const parser = await loading
  return (text) => parseWith(parser, text)
}

function parseWith(parser: Parser, text: string): ParsedSql {
  const asWritten = parse(parser, text)
  const trailing = asWritten === undefined ? trailingGrouping(text) : undefined
  const without = trailing && parse(parser, trailing.without)
  // What is wrong is said of the text as it was written.
  const stmts = asWritten ?? without ?? parseOrRefuse(parser, text)
  if (depthOf(stmts) > MAX_DEPTH) unsupported('statement', 'The statement is nested too deeply')
  const places = placesIn(text)
  return {
    text,
    statements: stmts,
    withGrouping: without && trailing?.grouping,
    place: (location) => (location === undefined || location < 0 ? undefined : places(location)),
  }
}

function parse(parser: Parser, text: string): readonly Node[] | undefined {
  try {
    return statementsOf(parser, text)
  } catch {
    return undefined
  }
}

function parseOrRefuse(parser: Parser, text: string): readonly Node[] {
  try {
    return statementsOf(parser, text)
  } catch (error) {
    if (error instanceof RangeError) unsupported('statement', 'The statement is nested too deeply')
    const details = (error as { readonly sqlDetails?: { readonly message: string; readonly cursorPosition: number } }).sqlDetails
    if (details === undefined) unsupported('statement', `The statement cannot be read: ${(error as Error).message}`)
    return refuse('SQL_SYNTAX_ERROR', details.message, { at: placeOf(text, details.cursorPosition) })
  }
}

const statementsOf = (parser: Parser, text: string): readonly Node[] =>
  (parser.parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]))

const TRAILING = /\bWITH\s+(ROLLUP|CUBE)\b/gi

/** The text with blanks in place of its last WITH ROLLUP, so that every place stays. */
function trailingGrouping(text: string): { readonly without: string; readonly grouping: 'rollup' | 'cube' } | undefined {
  const found = [...text.matchAll(TRAILING)].at(-1)
  if (!found) return undefined
  const end = found.index + found[0].length
  const without = text.slice(0, found.index) + ' '.repeat(found[0].length) + text.slice(end)
  return { without, grouping: found[1]!.toLowerCase() as 'rollup' | 'cube' }
}

/** Levels of nesting, counted without recursion. */
function depthOf(root: unknown): number {
  let deepest = 0
  const stack: (readonly [unknown, number])[] = [[root, 0]]
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const [value, depth] = top
    if (typeof value !== 'object' || value === null) continue
    deepest = Math.max(deepest, depth)
    for (const item of Object.values(value)) stack.push([item, depth + 1])
  }
  return deepest
}

/** Nodes are placed in bytes of UTF-8. What is counted is counted once: a long list asks for the place of each of its values. */
function placesIn(text: string): (byte: number) => Place {
  const characterAt = Buffer.byteLength(text) === text.length ? (byte: number) => byte : charactersOf(text)
  const lines = lineStarts(text)
  return (byte) => placeAmong(lines, characterAt(byte))
}

function charactersOf(text: string): (byte: number) => number {
  const bytes = Buffer.from(text, 'utf8')
  // Known so far; places are mostly asked for from the left to the right.
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
