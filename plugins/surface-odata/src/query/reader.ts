import { GrainlineError } from '@grainline/core'
import { nearest } from '@grainline/core/language'
import type { Literal } from './expression.js'
import { type Token, tokensOf } from './tokens.js'

/** Reads the tokens of one option, one after another. */
export class Reader {
  readonly #tokens: readonly Token[]
  #next = 0
  #depth = 0

  constructor(
    text: string,
    readonly option: string,
  ) {
    this.#tokens = tokensOf(text, option)
  }

  get isAtEnd(): boolean {
    return this.#next >= this.#tokens.length
  }

  /** The text of the next token if it is a word or a sign. */
  peek(ahead = 0): string | undefined {
    const token = this.#tokens[this.#next + ahead]
    return token === undefined || token.kind === 'literal' ? undefined : token.text
  }

  /** Takes the next token if it is this word or sign. */
  takes(text: string): boolean {
    if (this.peek() !== text) return false
    this.#next++
    return true
  }

  /** Takes a word that is one of these. */
  takesOneOf<W extends string>(words: readonly W[]): W | undefined {
    const word = words.find((each) => each === this.peek())
    if (word !== undefined) this.#next++
    return word
  }

  expect(text: string): void {
    if (!this.takes(text)) this.refuse(`Expected '${text}'`)
  }

  literal(): Literal | undefined {
    const token = this.#tokens[this.#next]
    if (token?.kind !== 'literal') return undefined
    this.#next++
    return token.literal
  }

  word(what: string): string {
    const token = this.#tokens[this.#next]
    if (token?.kind !== 'word') return this.refuse(`Expected ${what}`)
    this.#next++
    return token.text
  }

  /** One or more, separated by commas. */
  list<T>(read: () => T): readonly T[] {
    const items = [read()]
    while (this.takes(',')) items.push(read())
    return items
  }

  /** Bounds how deep an expression may nest, which bounds the stack. */
  nested<T>(read: () => T): T {
    if (++this.#depth > DEEPEST) this.refuse(`The expression nests more than ${DEEPEST} levels`)
    const value = read()
    this.#depth--
    return value
  }

  end(): void {
    if (!this.isAtEnd) this.refuse('Expected the end of the option')
  }

  /** With the place and the text of the next token. */
  refuse(what: string, words: readonly string[] = []): never {
    const token = this.#tokens[this.#next]
    const found = token === undefined ? 'its end' : `'${token.text.slice(0, 40)}' at character ${token.at + 1}`
    const suggestions = token === undefined ? [] : nearest(token.text, words)
    throw new GrainlineError('INVALID_REQUEST', `${what}, but ${this.option} has ${found}`, {
      path: this.option,
      ...(token && { context: { position: token.at + 1 } }),
      ...(suggestions.length > 0 && { suggestions }),
      hint: suggestions.length > 0 ? `Write ${suggestions[0]}.` : 'Compare the option with docs/odata.md.',
    })
  }
}

const DEEPEST = 100
