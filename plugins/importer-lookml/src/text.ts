/** LookML as items with places: keys with a text, a list or a block. */
import { type Place, Refused } from '@grainline/importer-dbt/foreign'

/** An entry of a list: a word or a text, after a key if it has one, as in `[status: "paid"]`. */
export interface Listed {
  readonly key: string | undefined
  readonly text: string
  readonly place: Place
}

/** A key with what follows it. */
export interface Item {
  readonly key: string
  /** Of a block that has one. */
  readonly name: string | undefined
  readonly text: string | undefined
  readonly list: readonly Listed[] | undefined
  readonly block: readonly Item[] | undefined
  readonly place: Place
  /** Where the text of the value begins. */
  readonly valuePlace: Place
}

/** The items of all files of a text, which have a line `---` between. Throws `Refused`. */
export function itemsOf(text: string): readonly Item[] {
  const reader = new Reader(text)
  const items: Item[] = []
  while (!reader.isAtEnd()) items.push(reader.item(0))
  return items
}

const MOST_DEEP = 50

/** Keys whose value is a text up to `;;`. */
const RAW = /^(sql|html|expression)/

class Reader {
  #at = 0
  readonly #starts: number[] = [0]

  constructor(private readonly text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1)
  }

  isAtEnd(): boolean {
    this.#skip(true)
    return this.#at >= this.text.length
  }

  item(depth: number): Item {
    const start = this.#at
    const key = this.#match(/[a-z_]\w{0,127}/iy)
    if (key === undefined || key === '__proto__') throw this.#fault('Here is no key of LookML.', start)
    this.#skip()
    if (!this.#takes(':')) throw this.#fault(`After '${key}' there is no colon.`, start)
    const place = this.#place(start)
    if (RAW.test(key)) return { ...NOTHING, key, place, ...this.#raw(key, start) }
    this.#skip()
    const valuePlace = this.#place(this.#at)
    if (this.#takes('[')) return { ...NOTHING, key, list: this.#list(key, start), place, valuePlace }
    if (this.#takes('{')) return { ...NOTHING, key, block: this.#block(key, start, depth), place, valuePlace }
    const text = this.#word(key)
    const after = this.#at
    this.#skip()
    if (this.#takes('{'))
      return { ...NOTHING, key, name: text, block: this.#block(`${key}: ${text}`, start, depth), place, valuePlace }
    this.#at = after
    return { ...NOTHING, key, text, place, valuePlace }
  }

  /** A text up to `;;`, which comments may follow. */
  #raw(key: string, start: number): Pick<Item, 'text' | 'valuePlace'> {
    const end = this.text.indexOf(';;', this.#at)
    if (end < 0) throw this.#fault(`The text of '${key}' does not end with ;;.`, start)
    const raw = this.text.slice(this.#at, end)
    const from = this.#at + (raw.length - raw.trimStart().length)
    this.#at = end + 2
    return { text: raw.trim(), valuePlace: this.#place(from) }
  }

  #block(what: string, start: number, depth: number): readonly Item[] {
    if (depth >= MOST_DEEP) throw this.#fault(`More than ${MOST_DEEP} blocks stand in each other.`, start)
    const items: Item[] = []
    for (;;) {
      this.#skip()
      if (this.#takes('}')) return items
      if (this.#isAtFileEnd()) throw this.#fault(`The block of '${what}' is not closed.`, start)
      items.push(this.item(depth + 1))
    }
  }

  #list(key: string, start: number): readonly Listed[] {
    const entries: Listed[] = []
    for (;;) {
      this.#skip()
      if (this.#takes(']')) return entries
      if (this.#isAtFileEnd()) throw this.#fault(`The list of '${key}' is not closed.`, start)
      const from = this.#at
      const word = this.#word(key)
      this.#skip()
      const isPair = this.#takes(':')
      if (isPair) this.#skip()
      entries.push({ key: isPair ? word : undefined, text: isPair ? this.#word(key) : word, place: this.#place(from) })
      this.#skip()
      if (!this.#takes(',') && this.text[this.#at] !== ']')
        throw this.#fault(`In the list of '${key}' a comma is missing.`, this.#at)
    }
  }

  /** A text in quotes, or a word without. */
  #word(key: string): string {
    const start = this.#at
    if (this.text[start] !== '"') {
      const word = this.#match(/[^\s{}[\],:"#;]{1,1000}/y)
      if (word === undefined) throw this.#fault(`'${key}' has no value.`, start)
      return word
    }
    let end = start + 1
    while (end < this.text.length && this.text[end] !== '"') end += this.text[end] === '\\' ? 2 : 1
    if (end >= this.text.length) throw this.#fault(`The text of '${key}' has no closing quote.`, start)
    this.#at = end + 1
    return this.text.slice(start + 1, end).replaceAll(/\\(["\\])/g, '$1')
  }

  /** Passes white space and comments, and the line between two files if `crossesFiles`. */
  #skip(crossesFiles = false): void {
    for (;;) {
      const before = this.#at
      this.#match(/\s+/y)
      if (this.text[this.#at] === '#') this.#match(/[^\n]*/y)
      if (crossesFiles && this.#isAtFileEnd() && this.#at < this.text.length) this.#at += 3
      if (this.#at === before) return
    }
  }

  #isAtFileEnd(): boolean {
    const at = this.#at
    if (at >= this.text.length) return true
    const isLine = at === 0 || this.text[at - 1] === '\n'
    return isLine && this.text.startsWith('---', at) && (this.text[at + 3] ?? '\n') === '\n'
  }

  #takes(mark: string): boolean {
    if (this.text[this.#at] !== mark) return false
    this.#at++
    return true
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.text)?.[0]
    this.#at += found?.length ?? 0
    return found
  }

  #fault(message: string, at: number): Refused {
    return new Refused(message, this.#place(Math.min(at, this.text.length)))
  }

  #place(offset: number): Place {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }
}

const NOTHING = { name: undefined, text: undefined, list: undefined, block: undefined }
