/** A text of SQL as words with their places. */
import { type Place, Refused } from '@grainline/importer-dbt/foreign'

export interface Token {
  /** As it is written. */
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Where an offset is. */
export function placeAt(text: string, offset: number): Place {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}

/** Words, quoted texts and single signs; spaces and comments are left out. */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  let at = 0
  while (at < text.length) {
    const end = endOf(text, at)
    const skipped = /\s/.test(text[at] ?? '') || text.startsWith('--', at) || text.startsWith('/*', at)
    if (!skipped) tokens.push({ text: text.slice(at, end), start: at, end })
    at = end
  }
  return tokens
}

function endOf(text: string, at: number): number {
  const sign = text[at] ?? ''
  if (text.startsWith('--', at)) return closing(text, at + 2, '\n') ?? text.length
  const pair = PAIRS.find(([opens]) => text.startsWith(opens, at))
  if (pair) {
    const [opens, closes] = pair
    let end = closing(text, at + opens.length, closes)
    // A quote inside of quotes is written twice.
    while (end !== undefined && text[end] === sign && closes === sign) end = closing(text, end + 1, closes)
    if (end === undefined) throw new Refused(`The text ends inside of ${opens}.`, placeAt(text, at), `Close it with ${closes}`)
    return end
  }
  let end = at + 1
  if (WORD.test(sign)) while (end < text.length && WORD.test(text[end] ?? '')) end++
  return end
}

const WORD = /[\w$]/

const PAIRS: readonly (readonly [string, string])[] = [
  ['/*', '*/'],
  ['$$', '$$'],
  ["'", "'"],
  ['"', '"'],
]

function closing(text: string, from: number, mark: string): number | undefined {
  const found = text.indexOf(mark, from)
  return found < 0 ? undefined : found + mark.length
}
