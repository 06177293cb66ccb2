import { fail } from '../errors.js'
import type { TableSource } from '../model/semantic-model.js'
import { sha256 } from '../sha256.js'
import { utf8Length } from '../utf8-length.js'
import type { Dialect } from './dialect.js'

/** How tightly a piece of text binds; an operand that binds less is put in parentheses. */
export const OR = 1
export const AND = 2
export const NOT = 3
export const COMPARE = 4
export const ADD = 5
export const MULTIPLY = 6
export const NEGATE = 7
export const ATOM = 9

export interface Text {
  readonly text: string
  readonly binds: number
}

export const atom = (text: string): Text => ({ text, binds: ATOM })

/** Represents a line break inside a name, a text or an author's SQL until all lines are indented; other SQL never contains it. */
const DATA_LINE = '\u0000'
export const data = (text: string): string => (text.includes('\n') ? text.replaceAll('\n', DATA_LINE) : text)
export const withDataLines = (text: string): string => text.replaceAll(DATA_LINE, '\n')
export const indent = (text: string): string => `  ${text.replaceAll('\n', '\n  ')}`

interface Naming {
  readonly dialect: Dialect
  readonly names?: ReadonlyMap<string, string>
}

/** A name in quotes, shortened to the limit of the engine, and without characters that it refuses. */
export function nameText(name: string, { dialect, names }: Naming): string {
  const { quote, maxIdentifierBytes, forbiddenIdentifierChars } = dialect
  if (name.includes(DATA_LINE)) fail('INVALID_QUERY', 'a name with the character U+0000 has no SQL equivalent')
  const allowed = names?.get(name)
  if (allowed !== undefined) return data(quote(allowed))
  let head = forbiddenIdentifierChars ? name.replaceAll(forbiddenIdentifierChars, '_') : name
  if (head === name && utf8Length(name) <= maxIdentifierBytes) return data(quote(name))
  const hash = sha256()
  hash.update(name)
  const digest = hash.hex().slice(0, 8)
  while (utf8Length(head) > maxIdentifierBytes - 9) head = [...head].slice(0, -1).join('')
  return data(quote(`${head}_${digest}`))
}

/** The relation after FROM: the path of a table, or a SELECT in parentheses. A comment at its end would hide the parenthesis. */
export const sourceText = (source: TableSource, { tablePath, quote }: Pick<Dialect, 'tablePath' | 'quote'>): string =>
  source.kind === 'sql'
    ? `(${source.sql}${/--.*$/.test(source.sql) ? '\n' : ''})`
    : tablePath(source.kind === 'table' ? source : { name: source.kind === 'closure' ? 'closure' : 'generated calendar' })
        .map(quote)
        .join('.')
