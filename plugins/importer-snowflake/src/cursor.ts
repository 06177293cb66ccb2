/** Reads tokens one after another. */
import { type Place, Refused } from '@grainline/importer-dbt/foreign'
import { placeAt, type Token } from './tokens.js'

export class Cursor {
  #at = 0

  constructor(
    private readonly tokens: readonly Token[],
    private readonly text: string,
  ) {}

  get place(): Place {
    return placeAt(this.text, this.tokens[Math.min(this.#at, this.tokens.length - 1)]?.start ?? 0)
  }

  get isAtEnd(): boolean {
    return this.#at >= this.tokens.length
  }

  /** Whether these words come next, whatever their case. */
  is(...words: readonly string[]): boolean {
    return words.every((word, ahead) => this.tokens[this.#at + ahead]?.text.toUpperCase() === word)
  }

  /** Reads these words if they come next. */
  take(...words: readonly string[]): boolean {
    const isNext = this.is(...words)
    if (isNext) this.#at += words.length
    return isNext
  }

  need(...words: readonly string[]): void {
    if (!this.take(...words)) throw this.fault(`${words.join(' ')} is expected`)
  }

  fault(message: string): Refused {
    const found = this.tokens[this.#at]?.text
    return new Refused(`${message}${found === undefined ? ' at the end' : `, and not '${found}'`}.`, this.place)
  }

  /** A name, as it is written. */
  name(): string {
    const token = this.tokens[this.#at]
    if (!token || !/^["\w$]/.test(token.text)) throw this.fault('A name is expected')
    this.#at++
    return token.text
  }

  /** A name, and those after points. */
  path(): readonly string[] {
    const path = [this.name()]
    while (this.take('.')) path.push(this.name())
    return path
  }

  string(): string {
    const token = this.tokens[this.#at]
    if (!token || !/^['$]/.test(token.text)) throw this.fault('A text in quotes is expected')
    this.#at++
    return token.text.startsWith('$$') ? token.text.slice(2, -2) : token.text.slice(1, -1).replaceAll("''", "'")
  }

  /** The items of a list in parentheses. */
  items(): readonly Cursor[] {
    this.need('(')
    const items: Token[][] = [[]]
    for (let depth = 0; ; this.#at++) {
      const token = this.tokens[this.#at]
      if (!token) throw this.fault(') is expected')
      if (token.text === ')' && depth === 0) break
      if (token.text === '(') depth++
      if (token.text === ')') depth--
      if (token.text === ',' && depth === 0) items.push([])
      else items.at(-1)?.push(token)
    }
    this.#at++
    return items.map((tokens) => new Cursor(tokens, this.text))
  }

  /** The text of an expression, up to what `ends` it outside of parentheses. */
  expression(ends: () => boolean): { readonly sql: string; readonly place: Place } {
    const [place, first] = [this.place, this.tokens[this.#at]]
    for (let depth = 0; !this.isAtEnd && (depth > 0 || !ends()); this.#at++) {
      const sign = this.tokens[this.#at]?.text
      if (sign === '(') depth++
      if (sign === ')') depth--
    }
    const last = this.tokens[this.#at - 1]
    if (!first || !last || last.end <= first.start) throw this.fault('An expression is expected')
    return { sql: this.text.slice(first.start, last.end), place }
  }
}
