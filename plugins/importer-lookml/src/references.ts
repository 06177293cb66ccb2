// biome-ignore-all lint/suspicious/noTemplateCurlyInString: LookML names fields so
/** SQL of LookML: a text in which `${…}` names views and their fields. */
import {
  LeftOut,
  markedExpression,
  markedText,
  type NameReading,
  type Part,
  type Reference,
  type Use,
} from '@grainline/importer-dbt/foreign'
import { type Context, type Role, roleNamed } from './context.js'
import { refuseLiquid } from './liquid.js'

/** The expression of the SQL of a key. Throws `LeftOut`, or what the reader of SQL throws. */
export function expressionOf(
  part: Part,
  key: string,
  from: Role,
  reading: NameReading<Role>,
  context: Context,
  use?: Use,
): string {
  const text = part.needed(key)
  refuseLiquid(text, key, part)
  const where = { from, words: context.words, place: part.at(key) }
  const marked = markedText(quotedAsSql(text), /\$\{([^{}]*)\}/g, (inside) => referenceOf(inside, from, context), where)
  return markedExpression(marked, reading, context, use)
}

/** The field that is a whole text, and undefined for every other text. */
export function onlyField(
  text: string,
  from: Role,
  context: Context,
): { readonly role: Role; readonly member: string } | undefined {
  const inside = /^\s*\$\{([^{}]+)\}\s*$/.exec(text)?.[1]
  const reference = inside === undefined ? undefined : referenceOf(inside, from, context)
  return reference?.member === undefined ? undefined : { role: reference.owner, member: reference.member }
}

/** Texts in quotes, names in backticks, and double quotes around what is a name in some databases and a text in others. */
const QUOTED = /'(?:[^']|'')*'|`[^`"]*`|"[^"]*"/g

export function quotedAsSql(text: string): string {
  return text.replaceAll(QUOTED, (quoted, at: number) => {
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
}

function referenceOf(inside: string, from: Role, context: Context): Reference<Role> {
  const words = inside.trim().split('.')
  const [first = '', second, ...more] = words
  if (!words.every((word) => /^\w+$/.test(word)) || more.length > 0) throw new LeftOut(`\${${inside}} is no name of a field`)
  if (first === 'TABLE' && second === undefined) return { owner: from, member: undefined }
  if (second === 'SQL_TABLE_NAME') throw new LeftOut(`\${${inside}} is a table, and no value`)
  return second === undefined ? { owner: from, member: first } : { owner: roleNamed(first, context), member: second }
}
