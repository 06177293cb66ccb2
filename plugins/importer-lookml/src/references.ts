// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LookML names fields so
/** SQL of LookML: a text in which `${…}` names views and their fields. */
import { LeftOut, type Part, type Reading, type Use } from '@grainline/importer-dbt/foreign'
import { type Context, type Role, roleNamed } from './context.js'
import { refuseLiquid } from './liquid.js'

/** A view, whose column follows; or a field of it. */
interface Reference {
  readonly role: Role
  readonly member: string | undefined
}

type UseOrTime = Use | 'time'

/** How the names in a text are written in the grammar of the model. */
export interface NameReading {
  readonly column: (role: Role, code: string, use: UseOrTime) => string
  readonly member: (role: Role, member: string, use: UseOrTime) => string
  readonly call?: Reading['call']
}

/** The expression of the SQL of a key. Throws `LeftOut`, or what the reader of SQL throws. */
export function expressionOf(part: Part, key: string, from: Role, reading: NameReading, context: Context, use?: Use): string {
  const text = part.needed(key)
  refuseLiquid(text, key, part)
  const expression = context.sql.expression(marked(text, from, context).sql, readingInside(text, from, reading, context), use)
  if (expression.includes(MARK)) throw new LeftOut('a reference stands inside of a text in quotes', part.at(key))
  return expression
}

/** How the names of a SQL text, or of a part of it, are written. */
export function readingInside(text: string, from: Role, reading: NameReading, context: Context): Reading {
  const { sql, references } = marked(text, from, context)
  // A word in a text in quotes is no name.
  const named = sql.replaceAll(/'[^']*'/g, "''")
  const inside = (as: 'time' | undefined): Reading => ({
    names: (words, use) =>
      nameOf(
        words.map((word) => spelled(word, named)),
        references,
        from,
        reading,
        as ?? use,
      ),
    call: (call, write) => {
      const [grain, value] = call.args
      if (call.name === 'date_trunc' && call.args.length === 2 && !call.isOdd)
        return `date_trunc(${write(grain)}, ${write(value, undefined, inside('time'))})`
      return reading.call?.(call, write)
    },
  })
  return inside(undefined)
}

function nameOf(
  words: readonly string[],
  references: readonly Reference[],
  from: Role,
  reading: NameReading,
  use: UseOrTime,
): string {
  const [first = '', second, ...more] = words
  const at = MARKED.exec(first)?.[1]
  const reference = at === undefined ? undefined : references[Number(at)]
  if (!reference && words.some((word) => word.includes(MARK))) throw new LeftOut('a reference stands inside of a name')
  if (more.length > 0) throw new LeftOut(`'${words.join('.')}' is no column`)
  if (!reference) {
    if (second === undefined) return reading.column(from, first, use)
    if (first.toLowerCase() === from.name.toLowerCase()) return reading.column(from, second, use)
    throw new LeftOut(`'${first}.${second}' is no column of '${from.name}'`, undefined, 'Name the field: ${view.field}.')
  }
  const { role, member } = reference
  if (member === undefined && second !== undefined) return reading.column(role, second, use)
  if (member !== undefined && second === undefined) return reading.member(role, member, use)
  throw new LeftOut(member === undefined ? `'${role.name}' is a view, and no value` : `'${member}' has no columns`)
}

/** The field that is a whole text, and undefined for every other text. */
export function onlyField(
  text: string,
  from: Role,
  context: Context,
): { readonly role: Role; readonly member: string } | undefined {
  const inside = /^\s*\$\{([^{}]+)\}\s*$/.exec(text)?.[1]
  const { role, member } = inside === undefined ? {} : referenceOf(inside, from, context)
  return role && member !== undefined ? { role, member } : undefined
}

/** No name begins with it: a text that has it is refused before it is read. */
const MARK = 'grainline_reference_'
const MARKED = new RegExp(`^${MARK}(\\d+)$`)

/** Texts in quotes, names in backticks, and double quotes around what is a name in some databases and a text in others. */
const QUOTED = /'(?:[^']|'')*'|`[^`"]*`|"[^"]*"/g

function marked(text: string, from: Role, context: Context) {
  if (text.toLowerCase().includes(MARK)) throw new LeftOut(`its SQL may not contain '${MARK}'`)
  const plain = text.replaceAll(QUOTED, (quoted, at: number) => {
    if (quoted.startsWith('`')) return `"${quoted.slice(1, -1)}"`
    if (
      quoted.startsWith('"') &&
      !text
        .slice(Math.max(0, at - 20), at)
        .trimEnd()
        .endsWith('.')
    )
      throw new LeftOut(
        `${quoted} is a name in some databases and a text in others`,
        undefined,
        'Write the text between single quotes, or ${TABLE} before the name.',
      )
    return quoted
  })
  const references: Reference[] = []
  const sql = plain.replaceAll(/\$\{([^{}]*)\}/g, (_whole, inside: string) => {
    references.push(referenceOf(inside, from, context))
    return ` ${MARK}${references.length - 1} `
  })
  return { sql, references }
}

function referenceOf(inside: string, from: Role, context: Context): Reference {
  const words = inside.trim().split('.')
  const [first = '', second, ...more] = words
  if (!words.every((word) => /^\w+$/.test(word)) || more.length > 0) throw new LeftOut(`\${${inside}} is no name of a field`)
  if (first === 'TABLE' && second === undefined) return { role: from, member: undefined }
  if (second === 'SQL_TABLE_NAME') throw new LeftOut(`\${${inside}} is a table, and no value`)
  return second === undefined ? { role: from, member: first } : { role: roleNamed(first, context), member: second }
}

/** The grammar writes names without quotes in small letters; the text says how the column is written. */
function spelled(word: string, sql: string): string {
  if (sql.includes(`"${word.replaceAll('"', '""')}"`)) return word
  return new RegExp(`(?<![\\w$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, 'i').exec(sql)?.[0] ?? word
}
