/** SQL of Cube: a text in which braces name cubes and their members. */
import { LeftOut, type Reading, type Use } from '@grainline/importer-dbt/foreign'
import { type Context, type CubeObject, objectNamed } from './context.js'

/** A cube, whose column follows; or a member. */
export interface Reference {
  readonly object: CubeObject
  readonly member: string | undefined
  readonly grain: string | undefined
}

/** How the names in a text are written in the grammar of the model. */
export interface NameReading {
  readonly column: (object: CubeObject, code: string, use: Use | 'time') => string
  readonly member: (reference: Reference & { readonly member: string }, use: Use | 'time') => string
  readonly call?: Reading['call']
}

/** The expression of a SQL text of a member of `from`. Throws `LeftOut`, or what the reader of SQL throws. */
export function expressionOf(text: string, from: CubeObject, reading: NameReading, context: Context, use?: Use): string {
  const expression = context.sql.expression(
    referencesIn(text, from, context).sql,
    readingInside(text, from, reading, context),
    use,
  )
  if (expression.includes(MARK)) throw new LeftOut('a reference stands inside of a text in quotes')
  return expression
}

/** How the names of a SQL text, or of a part of it, are written. */
export function readingInside(text: string, from: CubeObject, reading: NameReading, context: Context): Reading {
  const { sql, references } = referencesIn(text, from, context)
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
  references: References,
  from: CubeObject,
  reading: NameReading,
  use: Use | 'time',
): string {
  const [first = '', second, ...more] = words
  const reference = references[MARKED.exec(first)?.[1] ?? '']
  if (!reference && words.some((word) => word.includes(MARK))) throw new LeftOut('a reference stands inside of a name')
  if (more.length > 0) throw new LeftOut(`'${words.join('.')}' is no column`)
  if (!reference) {
    if (second === undefined) return reading.column(from, first, use)
    if (first.toLowerCase() === from.cube.name.toLowerCase()) return reading.column(from, second, use)
    throw new LeftOut(`'${first}.${second}' is no column of '${from.cube.name}'`, undefined, 'Name the cube in braces.')
  }
  const { object, member } = reference
  if (member === undefined && second !== undefined) return reading.column(object, second, use)
  if (member !== undefined && second === undefined) return reading.member({ ...reference, member }, use)
  throw new LeftOut(member === undefined ? `'${object.cube.name}' is a cube, and no value` : `'${member}' has no columns`)
}

type References = Readonly<Record<string, Reference>>

/** The reference that is a whole text, and undefined for every other text. */
export function onlyReference(text: string, from: CubeObject, context: Context): Reference | undefined {
  const inside = /^\s*\{([^{}]+)\}\s*$/.exec(text)?.[1]
  return inside === undefined ? undefined : referenceOf(inside, from, context)
}

/** No name begins with it: a text that has it is refused before it is read. */
const MARK = 'grainline_reference_'
const MARKED = new RegExp(`^${MARK}(\\d+)$`)

function referencesIn(text: string, from: CubeObject, context: Context) {
  if (text.toLowerCase().includes(MARK)) throw new LeftOut(`its SQL may not contain '${MARK}'`)
  if (/\\[{}]/.test(text)) throw new LeftOut('its SQL has escaped braces')
  const references: Record<string, Reference> = Object.create(null)
  let count = 0
  const sql = text.replaceAll(/\{([^{}]*)\}/g, (_whole, inside: string) => {
    references[count] = referenceOf(inside, from, context)
    return ` ${MARK}${count++} `
  })
  return { sql, references }
}

function referenceOf(inside: string, from: CubeObject, context: Context): Reference {
  const words = inside.trim().split('.')
  const [first = '', second, ...more] = words
  if (/^(FILTER_PARAMS|FILTER_GROUP|SQL_UTILS|COMPILE_CONTEXT|SECURITY_CONTEXT)$/i.test(first))
    throw new LeftOut(`${first} is known only when a query is asked`)
  if (!words.every((word) => /^\w+$/.test(word))) throw new LeftOut(`{${inside}} is no name of a cube or a member`)
  if (first === 'CUBE' || first === 'TABLE') return within(from, second, more)
  if (from.cube.dimensions.has(first) || from.cube.measures.has(first) || from.cube.segments.has(first))
    return within(from, first, words.slice(1))
  return within(objectNamed(first, context), second, more)
}

function within(object: CubeObject, member: string | undefined, [grain, ...more]: readonly string[]): Reference {
  if (more.length > 0 || (grain !== undefined && !GRAINS.has(grain)))
    throw new LeftOut(`'${grain}' is no granularity of '${member}' here`, undefined, 'Name the cube and its member only.')
  return { object, member, grain }
}

const GRAINS = new Set('second minute hour day week month quarter year'.split(' '))

/** The grammar writes names without quotes in small letters; the text says how the column is written. */
function spelled(word: string, sql: string): string {
  if (sql.includes(`"${word.replaceAll('"', '""')}"`)) return word
  return new RegExp(`(?<![\\w$])${word.replace(/[^\w]/g, '\\$&')}(?![\\w$])`, 'i').exec(sql)?.[0] ?? word
}
