/** The table or the file that a partition in M names, if its steps only go to it and choose, rename or type its columns. */
import { LeftOut } from '@grainline/importer-dbt/foreign'
import { type FileReached, fileOf, withHeaders, withLines } from './m-file.js'
import { type ColumnTypes, typeAfter, typeIn } from './m-types.js'

export interface TableSource {
  readonly code: string
  readonly schema: string | undefined
  readonly database: string | undefined
  /** The stored names of columns that a step renames. */
  readonly renamed: ReadonlyMap<string, string>
  /** The types that steps give to columns, by the names that these have at last. */
  readonly types: ColumnTypes
  /** The path of the file whose name the table has, if the rows are those of a file. */
  readonly file?: string
}

/** Texts that the model names, for the parameters of a source. */
type Texts = ReadonlyMap<string, string>

/** Throws `LeftOut` for steps that make other rows. */
export function tableIn(text: string, texts: Texts): TableSource {
  return new Steps(tokensOf(text), texts).source()
}

interface Token {
  readonly kind: 'name' | 'text' | 'mark'
  readonly text: string
}

const TOKEN = /\s+|\/\/[^\n]*|"((?:[^"]|"")*)"|#"((?:[^"]|"")*)"|([\w.]+)|(=>|[^\s\w"])/gy

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text)
    if (!found) throw new LeftOut('its M has a text without an end')
    const [, quoted, name, word, mark] = found
    if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted.replaceAll('""', '"') })
    else if (name !== undefined) tokens.push({ kind: 'name', text: name.replaceAll('""', '"') })
    else if (word !== undefined) tokens.push({ kind: 'name', text: word })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
  }
  return tokens
}

/** Where a step leads to: what its source is called, and the names on the way to a table. */
interface Reached {
  readonly path: readonly Readonly<Record<string, string>>[]
  readonly database: string | undefined
  readonly renamed: ReadonlyMap<string, string>
  readonly types: ColumnTypes
  readonly file?: FileReached
}

const MOST_STEPS = 100

class Steps {
  #at = 0
  readonly #steps = new Map<string, readonly Token[]>()

  constructor(
    private readonly tokens: readonly Token[],
    private readonly texts: Texts,
  ) {}

  source(): TableSource {
    const last = this.#letIn()
    return sourceOf(this.#reached(last, []))
  }

  /** Reads the steps. Returns the expression after `in`. */
  #letIn(): readonly Token[] {
    if (this.tokens[0]?.text !== 'let') return this.tokens
    this.#at = 1
    for (;;) {
      const name = this.tokens[this.#at]?.text
      if (name === undefined || this.tokens[this.#at + 1]?.text !== '=') throw new LeftOut('its M has no steps that can be read')
      this.#at += 2
      this.#steps.set(name, this.#upTo())
      const end = this.tokens[this.#at++]?.text
      if (end === 'in') return this.tokens.slice(this.#at)
      if (end !== ',') throw new LeftOut('its M has no end')
    }
  }

  /** The tokens up to a comma or `in` outside of brackets. */
  #upTo(): readonly Token[] {
    const from = this.#at
    for (let deep = 0; this.#at < this.tokens.length; this.#at++) {
      const { kind, text } = this.tokens[this.#at] as Token
      if (deep === 0 && ((kind === 'mark' && text === ',') || (kind === 'name' && text === 'in'))) break
      if (kind === 'mark' && '([{'.includes(text)) deep++
      if (kind === 'mark' && ')]}'.includes(text)) deep--
    }
    return this.tokens.slice(from, this.#at)
  }

  #reached(tokens: readonly Token[], open: readonly string[]): Reached {
    if (open.length > MOST_STEPS) throw new LeftOut(`its M has more than ${MOST_STEPS} steps`)
    const [head, next] = tokens
    if (head?.kind !== 'name') throw new LeftOut('its M is no table of a database')
    const isCall = next?.kind === 'mark' && next.text === '('
    if (!isCall) {
      const step = this.#steps.get(head.text)
      if (!step || open.includes(head.text)) throw new LeftOut(`its M reads '${head.text}', which is no step to a table`)
      return this.#navigated(this.#reached(step, [...open, head.text]), tokens.slice(1))
    }
    const end = closing(tokens, 1)
    const args = argumentsOf(tokens.slice(2, end))
    const after = tokens.slice(end + 1)
    if (SOURCES.test(head.text)) {
      const database = /^(Sql|PostgreSQL|AmazonRedshift|MySQL|Oracle)\.Database$/.test(head.text)
        ? this.#textOf(args[1])
        : undefined
      return this.#navigated({ ...NOWHERE, database }, after)
    }
    if (FILES.test(head.text)) return this.#navigated({ ...NOWHERE, file: this.#fileIn(args[0] ?? []) }, after)
    const fileStep = FILE_STEPS.get(head.text)
    if (fileStep) {
      const { file } = this.#reached(args[0] ?? [], open)
      return this.#navigated({ ...NOWHERE, file: fileStep(file) }, after)
    }
    if (!COLUMN_STEPS.has(head.text)) throw new LeftOut(`its M calls '${head.text}', which makes other rows`)
    const before = this.#reached(args[0] ?? [], open)
    const change = CHANGES.get(head.text)
    return this.#navigated(change ? change(before, args[1] ?? []) : before, after)
  }

  /** Follows `{[Schema="a",Item="b"]}[Data]`. */
  #navigated(from: Reached, tokens: readonly Token[]): Reached {
    if (tokens.length === 0) return from
    const end = closing(tokens, 0)
    const inside = tokens.slice(1, end)
    if (from.file) throw new LeftOut('its M goes to a part of a file')
    const isKey = tokens[0]?.text === '{' && inside[0]?.text === '[' && closing(inside, 0) === inside.length - 1
    const isData = ['[', 'Data', ']'].every((text, at) => tokens[end + 1 + at]?.text === text)
    if (!isKey || !isData) throw new LeftOut('its M goes to no table')
    const key: Record<string, string> = Object.create(null)
    for (const [name, equals, ...value] of argumentsOf(inside.slice(1, -1))) {
      const text = this.#textOf(value)
      if (!name || equals?.text !== '=' || text === undefined)
        throw new LeftOut('its M goes to a table whose name is not written out')
      key[name.text] = text
    }
    return this.#navigated({ ...from, path: [...from.path, key] }, tokens.slice(end + 4))
  }

  /** A path is a text, or several that `&` joins; the folder of the file may be unknown. */
  #fileIn(tokens: readonly Token[]): FileReached {
    const parts = partsBetween(tokens, '&')
    const texts = parts.map((part) => this.#textOf(part))
    return fileOf(
      texts,
      parts.map((part, at) => texts[at] ?? part.map(({ text }) => text).join(' ')),
    )
  }

  /** A text, or a parameter of the model that is one. */
  #textOf(tokens: readonly Token[] = []): string | undefined {
    const [only, more] = tokens
    if (!only || more) return undefined
    return only.kind === 'text' ? only.text : only.kind === 'name' ? this.texts.get(only.text) : undefined
  }
}

/** Sources of databases: what follows them is a way to a table. */
const SOURCES =
  /^(Sql|PostgreSQL|AmazonRedshift|MySQL|Oracle|Snowflake|Databricks|GoogleBigQuery|DatabricksMultiCloud|Value|Odbc)\.(Database|Databases|Catalogs|Query|Contents|DataSource)$/

/** Sources of files. */
const FILES = /^(File|Web)\.Contents$/

/** Steps from the bytes of a file to rows whose columns have names. */
const FILE_STEPS: ReadonlyMap<string, (file: FileReached | undefined) => FileReached> = new Map([
  ['Csv.Document', withLines],
  ['Table.PromoteHeaders', withHeaders],
])

const NOWHERE: Reached = { path: [], database: undefined, renamed: new Map(), types: new Map() }

/** Steps that change names or types of columns. */
const CHANGES: ReadonlyMap<string, (before: Reached, list: readonly Token[]) => Reached> = new Map([
  ['Table.RenameColumns', renamed],
  ['Table.TransformColumnTypes', typed],
])

/** Steps that keep rows. */
const COLUMN_STEPS = new Set([
  ...CHANGES.keys(),
  ...'Table.SelectColumns Table.RemoveColumns Table.ReorderColumns Table.Buffer'.split(' '),
])

function closing(tokens: readonly Token[], from: number): number {
  let deep = 0
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token
    if (kind !== 'mark') continue
    if ('([{'.includes(text)) deep++
    if (')]}'.includes(text) && --deep === 0) return at
  }
  throw new LeftOut('its M has a bracket without an end')
}

/** The tokens between commas outside of brackets. */
const argumentsOf = (tokens: readonly Token[]): readonly (readonly Token[])[] => partsBetween(tokens, ',')

/** The tokens between marks outside of brackets. */
function partsBetween(tokens: readonly Token[], between: string): readonly (readonly Token[])[] {
  const found: Token[][] = [[]]
  let deep = 0
  for (const token of tokens) {
    if (token.kind === 'mark' && '([{'.includes(token.text)) deep++
    if (token.kind === 'mark' && ')]}'.includes(token.text)) deep--
    if (deep === 0 && token.kind === 'mark' && token.text === between) found.push([])
    else found.at(-1)?.push(token)
  }
  return found
}

/** The pairs of a list such as `{{"a", "b"}, {"c", type date}}`; a list of one pair may stand without a list around it. */
function pairsIn(list: readonly Token[]): readonly (readonly (readonly Token[])[])[] {
  const inside = insideOf(list)
  const pairs = inside.length === 0 ? [] : inside[0]?.kind === 'text' ? [list] : argumentsOf(inside)
  return pairs.map((pair) => argumentsOf(insideOf(pair)))
}

function insideOf(list: readonly Token[]): readonly Token[] {
  if (list[0]?.text !== '{' || closing(list, 0) !== list.length - 1)
    throw new LeftOut('its M changes columns in a way that is not written out')
  return list.slice(1, -1)
}

const textIn = ([only, more]: readonly Token[] = []): string | undefined =>
  only?.kind === 'text' && !more ? only.text : undefined

function renamed(before: Reached, list: readonly Token[]): Reached {
  const names = new Map(before.renamed)
  const types = new Map(before.types)
  for (const [one, other, ...more] of pairsIn(list)) {
    const [from, to] = [textIn(one), textIn(other)]
    if (from === undefined || to === undefined || more.length > 0)
      throw new LeftOut('its M renames columns in a way that is not written out')
    names.set(to, names.get(from) ?? from)
    names.delete(from)
    const type = types.get(from)
    if (type !== undefined) types.set(to, type)
    types.delete(from)
  }
  return { ...before, renamed: names, types }
}

function typed(before: Reached, list: readonly Token[]): Reached {
  const types = new Map(before.types)
  for (const [one, type = [], ...more] of pairsIn(list)) {
    const name = textIn(one)
    if (name === undefined || type.length === 0 || more.length > 0)
      throw new LeftOut('its M gives types to columns in a way that is not written out')
    types.set(name, typeAfter(types.get(name), typeIn(type.map(({ text }) => text))))
  }
  return { ...before, types }
}

function sourceOf({ path, database, renamed, types, file }: Reached): TableSource {
  if (file) {
    if (file.is !== 'rows with names') throw new LeftOut('its M reads a file without the names of its columns')
    return { code: file.name, schema: undefined, database: undefined, renamed, types, file: file.path }
  }
  const last = path.at(-1)
  if (!last) throw new LeftOut('its M goes to no table')
  const item = last['Item']
  if (item !== undefined && path.length === 1) return { code: item, schema: last['Schema'], database, renamed, types }
  const names = path.map(({ Name: name }) => name)
  const [code, schema, first] = names.toReversed()
  if (code === undefined || names.length > 3 || names.includes(undefined))
    throw new LeftOut('its M goes to a table in a way that is not known here')
  return { code, schema, database: first ?? database, renamed, types }
}
