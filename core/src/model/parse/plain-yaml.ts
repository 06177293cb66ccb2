/**
 * Most models are written in a small part of YAML: mappings and lists by indentation or in brackets, and values of one line. That part is read here in one
 * pass, several times as fast as by the events of js-yaml. Texts with anything else, such as anchors, tags, escapes, values of several lines, and everything
 * that YAML refuses, are left to the YAML parser, including every error message.
 */
import { MAX_CHARACTERS } from './characters.js'
import { keyText, MAX_ENTRIES, SECTION_DEPTH, scalar } from './yaml.js'

type Mapping = Record<string, unknown>

/** The document of a text; undefined if the YAML parser must read it. */
export function plainYaml(text: string, mostEntries = MAX_ENTRIES): Readonly<Mapping> | undefined {
  if (text.length > MAX_CHARACTERS || OTHERWISE.test(text)) return undefined
  try {
    return new PlainReader(text, mostEntries).document()
  } catch (error) {
    if (error === OTHER) return undefined
    throw error
  }
}

/** Tabs, other line breaks, halves of surrogate pairs and what YAML does not accept in a text. */
const OTHERWISE = /[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u

/** Thrown where the text has something else. */
const OTHER = Symbol('other')

/** Less than the limit of the YAML parser. */
const MAX_LEVELS = 50

const NEWLINE = 0x0a
const SPACE = 0x20
const DOUBLE = 0x22
const HASH = 0x23
const SINGLE = 0x27
const COMMA = 0x2c
const DASH = 0x2d
const DOT = 0x2e
const COLON = 0x3a
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_MAPPING = 0x7b
const CLOSE_MAPPING = 0x7d

/** No plain text begins with one of them, or not always. */
const INDICATORS: ReadonlySet<number> = new Set([...'?:,[]{}#&*!|>\'"%@`'].map((character) => character.charCodeAt(0)))

class PlainReader {
  private at = 0
  /** How far the line of the next key or item is indented; -1 after the last one. */
  private indent = -1
  /** Brackets may continue on lines that are indented further than this. */
  private margin = 0

  constructor(
    private readonly text: string,
    private readonly mostEntries: number,
  ) {}

  document(): Mapping {
    this.toContent()
    if (this.indent !== 0) throw OTHER
    return this.mapping(0, 1)
  }

  /** The keys of one column. */
  private mapping(column: number, level: number): Mapping {
    const found: Mapping = {}
    let entries = 0
    do {
      this.checkSize(level, ++entries, level === SECTION_DEPTH)
      if (this.isDash()) throw OTHER
      const key = this.key(found)
      if (!this.isBlank(this.at)) throw OTHER
      found[key] = this.value(column, level + 1)
    } while (this.indent === column)
    if (this.indent > column) throw OTHER
    return found
  }

  /** The items of one column. */
  private list(column: number, level: number): unknown[] {
    const found: unknown[] = []
    do {
      this.checkSize(level, found.length + 1)
      const dash = this.at
      this.at++
      found.push(this.item(column, dash, level + 1))
    } while (this.indent === column && this.isDash())
    if (this.indent > column) throw OTHER
    return found
  }

  /** What follows a key: on its line, or below, where the dashes of a list may be in the column of the key. */
  private value(column: number, level: number): unknown {
    if (!this.isLineOver()) return this.inline(column, level)
    this.toNextLine()
    if (this.indent > column) return this.block(level)
    return this.indent === column && this.isDash() ? this.list(column, level) : null
  }

  /** What follows a dash. A mapping may begin on its line; the other keys are below its first one. */
  private item(column: number, dash: number, level: number): unknown {
    if (this.isLineOver()) {
      this.toNextLine()
      return this.indent > column ? this.block(level) : null
    }
    if (this.isDash()) throw OTHER
    return this.isKey() ? this.mapping(column + this.at - dash, level) : this.inline(column, level)
  }

  private block(level: number): unknown {
    return this.isDash() ? this.list(this.indent, level) : this.mapping(this.indent, level)
  }

  /** A value that ends on its line, or brackets. */
  private inline(column: number, level: number): unknown {
    this.margin = column
    const value = this.node(level, false)
    if (!this.isLineOver()) throw OTHER
    this.toNextLine()
    return value
  }

  private node(level: number, inBrackets: boolean): unknown {
    switch (this.text.charCodeAt(this.at)) {
      case OPEN_MAPPING:
        return this.mappingInBrackets(level)
      case OPEN_LIST:
        return this.listInBrackets(level)
      case DOUBLE:
        return this.doubleQuoted()
      case SINGLE:
        return this.singleQuoted()
      default:
        return scalar(this.plain(inBrackets), true)
    }
  }

  private mappingInBrackets(level: number): Mapping {
    const found: Mapping = {}
    let entries = 0
    for (this.skip(); !this.isAt(CLOSE_MAPPING); this.skipComma(CLOSE_MAPPING)) {
      this.checkSize(level, ++entries, level === SECTION_DEPTH)
      const key = this.key(found, true)
      this.skipSpace()
      found[key] = this.node(level + 1, true)
    }
    this.at++
    return found
  }

  private listInBrackets(level: number): unknown[] {
    const found: unknown[] = []
    for (this.skip(); !this.isAt(CLOSE_LIST); this.skipComma(CLOSE_LIST)) {
      this.checkSize(level, found.length + 1)
      found.push(this.node(level + 1, true))
    }
    this.at++
    return found
  }

  /** After an entry. */
  private skipComma(close: number): void {
    this.skipSpace()
    if (this.isAt(COMMA)) this.skip()
    else if (!this.isAt(close)) throw OTHER
  }

  /** One character, and white space. */
  private skip(): void {
    this.at++
    this.skipSpace()
  }

  /** Inside brackets. */
  private skipSpace(): void {
    for (;;) {
      this.skipSpaces()
      if (!this.isAt(NEWLINE)) return
      const start = ++this.at
      this.skipSpaces()
      if (!this.isAt(NEWLINE) && this.at - start <= this.margin) throw OTHER
    }
  }

  /** A new key of the mapping, and the colon. Names that every object has, such as `constructor`, seem to be written twice. */
  private key(of: Mapping, inBrackets = false): string {
    const { at, text } = this
    const key = this.keyHere(inBrackets)
    this.skipSpaces()
    if (!this.isAt(COLON) || of[key] !== undefined || (key === '<<' && text.charCodeAt(at) === 0x3c)) throw OTHER
    this.at++
    return key
  }

  private keyHere(inBrackets: boolean): string {
    switch (this.text.charCodeAt(this.at)) {
      case DOUBLE:
        return this.doubleQuoted()
      case SINGLE:
        return this.singleQuoted()
      default:
        return keyText(scalar(this.plain(inBrackets), true))
    }
  }

  /** Whether a key follows, and not a value. */
  private isKey(): boolean {
    if (this.isAt(OPEN_MAPPING) || this.isAt(OPEN_LIST)) return false
    const start = this.at
    this.keyHere(false)
    this.skipSpaces()
    const found = this.isAt(COLON)
    this.at = start
    return found
  }

  /** A text without quotes, until the end of the line, a comment or a colon; inside brackets also until a comma or bracket. */
  private plain(inBrackets: boolean): string {
    const { text } = this
    const start = this.at
    const first = text.charCodeAt(start)
    if (INDICATORS.has(first) || (first === DASH && this.isEndOf(start + 1, inBrackets))) throw OTHER
    let end = start
    for (let at = start; ; at++) {
      const code = text.charCodeAt(at)
      if (code === SPACE) continue
      if (code === NEWLINE || Number.isNaN(code)) break
      if (code === COLON && this.isEndOf(at + 1, inBrackets)) break
      if (code === HASH && text.charCodeAt(at - 1) === SPACE) break
      if (inBrackets && isBracketOrComma(code)) break
      end = at + 1
    }
    if (end === start) throw OTHER
    this.at = end
    return text.slice(start, end)
  }

  private doubleQuoted(): string {
    const start = this.at + 1
    for (let at = start; ; at++) {
      const code = this.text.charCodeAt(at)
      if (code === BACKSLASH || code === NEWLINE || Number.isNaN(code)) throw OTHER
      if (code !== DOUBLE) continue
      this.at = at + 1
      return this.text.slice(start, at)
    }
  }

  private singleQuoted(): string {
    const start = this.at + 1
    let doubled = false
    for (let at = start; ; at++) {
      const code = this.text.charCodeAt(at)
      if (code === NEWLINE || Number.isNaN(code)) throw OTHER
      if (code !== SINGLE) continue
      if (this.text.charCodeAt(at + 1) === SINGLE) {
        doubled = true
        at++
      } else {
        this.at = at + 1
        const written = this.text.slice(start, at)
        return doubled ? written.replaceAll("''", "'") : written
      }
    }
  }

  /** Whether nothing but a comment follows on the line. */
  private isLineOver(): boolean {
    const start = this.at
    this.skipSpaces()
    if (this.isAt(HASH)) return this.at > start
    return this.isAt(NEWLINE) || this.at === this.text.length
  }

  private toNextLine(): void {
    const end = this.text.indexOf('\n', this.at)
    this.at = end < 0 ? this.text.length : end + 1
    this.toContent()
  }

  /** From the start of a line to the next key or dash. */
  private toContent(): void {
    for (;;) {
      const start = this.at
      this.skipSpaces()
      if (this.at === this.text.length) {
        this.indent = -1
        return
      }
      if (!this.isAt(NEWLINE) && !this.isAt(HASH)) {
        this.indent = this.at - start
        this.refuseMarker()
        return
      }
      const end = this.text.indexOf('\n', this.at)
      this.at = end < 0 ? this.text.length : end + 1
    }
  }

  /** Of the start or the end of a document. */
  private refuseMarker(): void {
    if (this.indent > 0) return
    const code = this.text.charCodeAt(this.at)
    if ((code === DASH || code === DOT) && this.text.charCodeAt(this.at + 1) === code) throw OTHER
  }

  private skipSpaces(): void {
    while (this.text.charCodeAt(this.at) === SPACE) this.at++
  }

  private isAt(code: number): boolean {
    return this.text.charCodeAt(this.at) === code
  }

  private isDash(): boolean {
    return this.isAt(DASH) && this.isBlank(this.at + 1)
  }

  private isBlank(at: number): boolean {
    const code = this.text.charCodeAt(at)
    return code === SPACE || code === NEWLINE || Number.isNaN(code)
  }

  private isEndOf(at: number, inBrackets: boolean): boolean {
    return this.isBlank(at) || (inBrackets && isBracketOrComma(this.text.charCodeAt(at)))
  }

  private checkSize(level: number, entries: number, isSection = false): void {
    if (level > MAX_LEVELS || (entries > this.mostEntries && !isSection)) throw OTHER
  }
}

const isBracketOrComma = (code: number): boolean =>
  code === COMMA || code === OPEN_LIST || code === CLOSE_LIST || code === OPEN_MAPPING || code === CLOSE_MAPPING
