import { GrainlineError } from '@grainline/core'
import type { Literal } from './expression.js'

/** A word, a literal or a sign of the text of an option. */
export type Token =
  | { readonly kind: 'word' | 'sign'; readonly text: string; readonly at: number }
  | { readonly kind: 'literal'; readonly text: string; readonly literal: Literal; readonly at: number }

/** Refuses what no token of OData begins with. `option` is the option of the text, for the error. */
export function tokensOf(text: string, option: string): readonly Token[] {
  const tokens: Token[] = []
  for (let at = skipBlanks(text, 0); at < text.length; ) {
    const token = tokenAt(text, at) ?? refuse(text, at, option)
    tokens.push(token)
    at = skipBlanks(text, at + token.text.length)
  }
  return tokens
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const { pattern, read } of KINDS) {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) continue
    const literal = read?.(found)
    if (literal !== undefined) return { kind: 'literal', text: found, literal, at }
    return { kind: SIGN.test(found) ? 'sign' : 'word', text: found, at }
  }
  return undefined
}

const SIGN = /^[(),/:*=-]$/

const NUMBER_TYPES: Readonly<Record<string, 'int' | 'decimal' | 'float'>> = { l: 'int', m: 'decimal', f: 'float', d: 'float' }

function numberOf(text: string): Literal {
  const suffix = NUMBER_TYPES[text.at(-1)!.toLowerCase()]
  const value = suffix === undefined ? text : text.slice(0, -1)
  if (suffix !== undefined) return { type: suffix, value }
  if (/e/i.test(value)) return { type: 'float', value }
  return { type: value.includes('.') ? 'decimal' : 'int', value }
}

/** The word of a literal that looks like one. */
const WORDS: Readonly<Record<string, Literal>> = {
  null: { type: 'null' },
  true: { type: 'boolean', value: true },
  false: { type: 'boolean', value: false },
  INF: { type: 'float', value: 'Infinity' },
  NaN: { type: 'float', value: 'NaN' },
}

interface Kind {
  readonly pattern: RegExp
  readonly read?: (text: string) => Literal | undefined
}

/** Longer forms first: a date begins like a number. */
const KINDS: readonly Kind[] = [
  { pattern: /'(?:[^']|'')*'/y, read: (text) => ({ type: 'string', value: text.slice(1, -1).replaceAll("''", "'") }) },
  {
    pattern: /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?(?:Z|[+-]\d\d:\d\d)/iy,
    read: (value) => ({ type: 'instant', value }),
  },
  { pattern: /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/iy, read: (value) => ({ type: 'string', value: value.toLowerCase() }) },
  { pattern: /\d{4}-\d\d-\d\d/y, read: (value) => ({ type: 'date', value }) },
  { pattern: /\d\d:\d\d(?::\d\d(?:\.\d{1,12})?)?/y, read: (value) => ({ type: 'time', value }) },
  { pattern: /\d+(?:\.\d+)?(?:e[+-]?\d+)?[lmfd]?(?![\p{L}\p{N}_])/iuy, read: numberOf },
  { pattern: /\$?[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/uy, read: (text) => own(WORDS, text) },
  { pattern: /[(),/:*=-]/y },
]

const own = <V>(record: Readonly<Record<string, V>>, key: string): V | undefined =>
  Object.hasOwn(record, key) ? record[key] : undefined

function refuse(text: string, at: number, option: string): never {
  const rest = text.slice(at, at + 20)
  throw new GrainlineError(
    'INVALID_REQUEST',
    `'${rest}' at character ${at + 1} of ${option} is not part of an OData expression`,
    {
      path: option,
      context: { position: at + 1 },
      hint: text[at] === "'" ? "End the text with ', and write '' for a ' in it." : 'Compare the option with docs/odata.md.',
    },
  )
}
