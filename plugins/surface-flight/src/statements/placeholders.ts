/** Numbers the parameters of a statement: drivers write `?`, but SemanticQL needs `$1`. */
import { fail, GrainlineError } from '@grainline/core'

export interface Numbered {
  readonly sql: string
  /** The position in the original text of a position in `sql`; both count from 1. */
  readonly original: (position: number) => number
}

/** The statement with `$1`, `$2` … instead of question marks. Throws `UNSUPPORTED_SQL_FEATURE` if it contains both. */
export function numberPlaceholders(text: string): Numbered {
  if (!text.includes('?')) return { sql: text, original: (position) => position }
  const marks: number[] = []
  let isNumbered = false
  for (let at = 0; at < text.length; at = skipToken(text, at)) {
    if (text[at] === '?') marks.push(at)
    if (text[at] === '$' && isDigit(text[at + 1])) isNumbered = true
  }
  if (marks.length > 0 && isNumbered)
    fail('UNSUPPORTED_SQL_FEATURE', 'The statement has parameters of two kinds, ? and $n; write all of them in one way', {
      path: 'sql',
    })
  const parts = marks.map((mark, i) => `${text.slice(i === 0 ? 0 : marks[i - 1]! + 1, mark)}$${i + 1}`)
  const sql = parts.join('') + text.slice((marks.at(-1) ?? -1) + 1)
  return { sql, original: (position) => position - addedBefore(position, marks) }
}

/** The number of characters that earlier parameters have added. */
function addedBefore(position: number, marks: readonly number[]): number {
  let added = 0
  for (const [i, mark] of marks.entries()) {
    if (mark + added >= position - 1) break
    added += String(i + 1).length
  }
  return added
}

const isDigit = (character: string | undefined): boolean => character !== undefined && character >= '0' && character <= '9'

/** The end of the token at a position: a string, a quoted name, a comment, or one character. An unterminated token includes the rest. */
function skipToken(text: string, at: number): number {
  const two = text.slice(at, at + 2)
  if (two === '--') return after(text, '\n', at + 2)
  if (two === '/*') return afterComment(text, at + 2)
  if (text[at] === '"') return afterQuoted(text, at + 1, '"')
  if (text[at] === "'") return /[eE]/.test(text[at - 1] ?? '') ? afterEscaped(text, at + 1) : afterQuoted(text, at + 1, "'")
  const dollars = text[at] === '$' ? /^\$(?:[A-Za-z_]\w{0,62})?\$/.exec(text.slice(at, at + 66))?.[0] : undefined
  return dollars === undefined ? at + 1 : after(text, dollars, at + dollars.length)
}

function after(text: string, end: string, from: number): number {
  const found = text.indexOf(end, from)
  return found < 0 ? text.length : found + end.length
}

/** A doubled quote is an escaped quote. It is read as the end of one token and the start of another, with the same result. */
const afterQuoted = (text: string, from: number, quote: string): number => after(text, quote, from)

function afterEscaped(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === "'") return at + 1
  }
  return text.length
}

/** Comments may be nested. */
function afterComment(text: string, from: number): number {
  let depth = 1
  for (let at = from; at < text.length; at++) {
    const two = text.slice(at, at + 2)
    if (two !== '/*' && two !== '*/') continue
    depth += two === '/*' ? 1 : -1
    at++
    if (depth === 0) return at + 1
  }
  return text.length
}

/** Rethrows an error with its position in the statement of the client. */
export function placed(error: unknown, text: string, { original }: Numbered): never {
  const position = error instanceof GrainlineError ? error.details.context?.['position'] : undefined
  if (!(error instanceof GrainlineError) || typeof position !== 'number') throw error
  const own = original(position)
  const before = text.slice(0, own - 1)
  const line = before.split('\n').length
  const context = { ...error.details.context, position: own, line, column: own - before.lastIndexOf('\n') - 1 }
  throw new GrainlineError(error.code, error.message, { ...error.details, context })
}
