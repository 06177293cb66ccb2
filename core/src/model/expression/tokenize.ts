/** The tokens of an expression, each with its position in the text. One pass, no backtracking. */

export type Token =
  | { readonly kind: 'number' | 'string' | 'word' | 'operator' | 'reference'; readonly text: string; readonly offset: number }
  | { readonly kind: 'end'; readonly text: ''; readonly offset: number }

/** An error in an expression, and its position in the text. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'

  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message)
  }
}

const NUMBER = /(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y
const WORD = /[\p{L}_][\p{L}\p{N}_$]*/uy
const OPERATOR = /\|\||<>|!=|<=|>=|[-+*/%=<>(),]/y
const SPACE = /\s+/y
const STRING = /'(?:[^']|'')*'/y
const REFERENCE = /\{[^{}]*\}/y

/** Braces inside a string literal are text; a quote in a string literal is doubled. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let offset = 0
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = offset
    return pattern.exec(text)?.[0]
  }
  while (offset < text.length) {
    const space = take(SPACE)
    if (space !== undefined) {
      offset += space.length
      continue
    }
    const token = readToken(text, offset, take)
    tokens.push(token.token)
    offset += token.length
  }
  tokens.push({ kind: 'end', text: '', offset })
  return tokens
}

function readToken(
  text: string,
  offset: number,
  take: (pattern: RegExp) => string | undefined,
): { token: Token; length: number } {
  const first = text[offset]!
  if (first === "'") {
    const found = take(STRING) ?? broken('This string literal is not closed', offset)
    return { token: { kind: 'string', text: found.slice(1, -1).replaceAll("''", "'"), offset }, length: found.length }
  }
  if (first === '{') {
    const found = take(REFERENCE) ?? broken('This reference is not closed; write {Column} or {[Object].[Column]}', offset)
    return { token: { kind: 'reference', text: found.slice(1, -1).trim(), offset }, length: found.length }
  }
  for (const [kind, pattern] of [
    ['number', NUMBER],
    ['word', WORD],
    ['operator', OPERATOR],
  ] as const) {
    const found = take(pattern)
    if (found !== undefined) return { token: { kind, text: found, offset }, length: found.length }
  }
  if (first === '"')
    broken('Double quotes name nothing here; write {[Object].[Column]} for a column and single quotes for text', offset)
  return broken(`'${String.fromCodePoint(text.codePointAt(offset)!)}' has no meaning here`, offset)
}

function broken(message: string, offset: number): never {
  throw new ExpressionError(message, offset)
}
