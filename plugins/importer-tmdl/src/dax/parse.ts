/** DAX as a tree. */
import { LeftOut } from '@grainline/importer-dbt/foreign'
import { type DaxToken, tokensOf } from './tokens.js'

export type Dax =
  | { readonly kind: 'number' | 'text'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'blank' }
  /** A column of a table, or what stands in brackets alone: a measure, or a column of the row. */
  | {
      readonly kind: 'column'
      readonly table: string | undefined
      readonly name: string
      /** A column of the days that Power BI makes for a time: `Orders[sold].[Date]`. */
      readonly part?: string
    }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Dax[] }
  | { readonly kind: 'operation'; readonly sign: string; readonly left: Dax; readonly right: Dax }
  | { readonly kind: 'negative' | 'not'; readonly value: Dax }
  | { readonly kind: 'list'; readonly items: readonly Dax[] }
  /** What a variable stands for: its value is that of the place where it is declared. */
  | { readonly kind: 'variable'; readonly name: string; readonly value: Dax }

export function daxOf(text: string): Dax {
  return new Parser(tokensOf(text)).whole()
}

/** Signs from the weakest to the strongest. */
const LEVELS: readonly ReadonlySet<string>[] = [
  new Set(['||']),
  new Set(['&&']),
  new Set(['=', '==', '<>', '<', '>', '<=', '>=', 'IN']),
  new Set(['&']),
  new Set(['+', '-']),
  new Set(['*', '/']),
  new Set(['^']),
]

const MOST_DEEP = 60

class Parser {
  #at = 0
  #deep = 0
  readonly #variables = new Map<string, Dax>()

  constructor(private readonly tokens: readonly DaxToken[]) {}

  whole(): Dax {
    const found = this.#withVariables()
    const more = this.tokens[this.#at]
    if (more) throw new LeftOut(`its DAX cannot be read at '${more.text.slice(0, 20)}'`)
    return found
  }

  /** `VAR a = … RETURN …`. */
  #withVariables(): Dax {
    let count = 0
    while (this.#takesWord('VAR')) {
      const name = this.#next('name').text.toUpperCase()
      this.#expect('=')
      if (++count > 50 || this.#variables.has(name)) throw new LeftOut(`its DAX has the variable '${name}' twice, or too many`)
      this.#variables.set(name, this.#level(0))
    }
    if (count > 0 && !this.#takesWord('RETURN')) throw new LeftOut('its DAX has VAR without RETURN')
    return this.#level(0)
  }

  #level(level: number): Dax {
    const signs = LEVELS[level]
    if (!signs) return this.#single()
    const before = this.#deep
    if (++this.#deep > MOST_DEEP * LEVELS.length) throw new LeftOut('its DAX is nested too deeply')
    let left = this.#level(level + 1)
    for (;;) {
      const token = this.tokens[this.#at]
      const sign = token?.kind === 'mark' ? token.text : token?.kind === 'name' ? token.text.toUpperCase() : ''
      if (!signs.has(sign)) break
      this.#at++
      left = { kind: 'operation', sign, left, right: this.#level(level + 1) }
      if (++this.#deep > MOST_DEEP * LEVELS.length) throw new LeftOut('its DAX is nested too deeply')
    }
    this.#deep = before
    return left
  }

  #single(): Dax {
    const token = this.tokens[this.#at++]
    if (!token) throw new LeftOut('its DAX ends too early')
    const { kind, text } = token
    if (kind === 'number' || kind === 'text') return { kind, text }
    if (kind === 'column') return { kind: 'column', table: undefined, name: text }
    if (kind === 'table') return this.#ofTable(text)
    if (kind === 'name') return this.#named(text)
    if (text === '(') {
      const inside = this.#level(0)
      this.#expect(')')
      return inside
    }
    if (text === '{') return { kind: 'list', items: this.#items('}') }
    if (text === '-') return { kind: 'negative', value: this.#level(LEVELS.length - 1) }
    if (text === '+') return this.#level(LEVELS.length - 1)
    throw new LeftOut(`its DAX cannot be read at '${text}'`)
  }

  #ofTable(table: string): Dax {
    const next = this.tokens[this.#at]
    if (next?.kind !== 'column') return { kind: 'name', name: table }
    this.#at++
    const part = this.#takes('.') ? this.#next('column').text : undefined
    return { kind: 'column', table, name: next.text, ...(part !== undefined && { part }) }
  }

  #named(word: string): Dax {
    const upper = word.toUpperCase()
    const isCall = this.#takes('(')
    if (upper === 'NOT') {
      const value = isCall ? this.#level(0) : this.#level(2)
      if (isCall) this.#expect(')')
      return { kind: 'not', value }
    }
    if (isCall) return callOf(upper, this.#items(')'))
    if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'boolean', value: upper === 'TRUE' }
    const value = this.#variables.get(upper)
    return value ? { kind: 'variable', name: word, value } : this.#ofTable(word)
  }

  #items(end: string): readonly Dax[] {
    if (this.#takes(end)) return []
    const items: Dax[] = []
    do {
      items.push(this.#isWord('VAR') ? this.#withVariables() : this.#level(0))
    } while (this.#takes(',') || this.#takes(';'))
    this.#expect(end)
    return items
  }

  #isWord(word: string): boolean {
    const token = this.tokens[this.#at]
    return token?.kind === 'name' && token.text.toUpperCase() === word
  }

  #takesWord(word: string): boolean {
    const found = this.#isWord(word)
    if (found) this.#at++
    return found
  }

  #takes(mark: string): boolean {
    const token = this.tokens[this.#at]
    if (token?.kind !== 'mark' || token.text !== mark) return false
    this.#at++
    return true
  }

  #expect(mark: string): void {
    if (!this.#takes(mark))
      throw new LeftOut(`its DAX has no '${mark}' before '${this.tokens[this.#at]?.text.slice(0, 20) ?? 'its end'}'`)
  }

  #next(kind: DaxToken['kind']): DaxToken {
    const token = this.tokens[this.#at++]
    if (token?.kind !== kind) throw new LeftOut(`its DAX cannot be read at '${token?.text.slice(0, 20) ?? 'its end'}'`)
    return token
  }
}

function callOf(name: string, args: readonly Dax[]): Dax {
  if (args.length === 0 && (name === 'TRUE' || name === 'FALSE')) return { kind: 'boolean', value: name === 'TRUE' }
  if (args.length === 0 && name === 'BLANK') return { kind: 'blank' }
  return { kind: 'call', name, args }
}
