/** Finds parts of a text for which the syntax tree has no position. */
import { refuse } from '../wire/pg-error.js'
import type { Grammar, Token } from './grammar.js'

/** The text after the first keyword of this name outside parentheses. */
export function after(text: string, grammar: Grammar, keyword: string): string {
  let depth = 0
  for (const token of grammar.scanSync(text).tokens) {
    if (token.text === '(') depth++
    if (token.text === ')') depth--
    const found = depth === 0 && token.keywordName !== 'NO_KEYWORD' && token.text.toLowerCase() === keyword
    if (found) return Buffer.from(text).toString('utf8', token.end).trim()
  }
  return refuse('42601', `syntax error: ${keyword.toUpperCase()} is missing`)
}

/** The text between the first parenthesis and the one that closes it. */
export function withinParentheses(text: string, grammar: Grammar): string {
  let depth = 0
  let open: Token | undefined
  for (const token of grammar.scanSync(text).tokens) {
    if (token.text === '(' && depth++ === 0) open = token
    if (token.text === ')' && --depth === 0) return Buffer.from(text).toString('utf8', open!.end, token.start)
  }
  return refuse('42601', 'syntax error: COPY needs a query in parentheses')
}
