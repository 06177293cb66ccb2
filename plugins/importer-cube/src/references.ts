/** SQL of Cube: a text in which braces name cubes and their members. */
import {
  LeftOut,
  markedExpression,
  markedText,
  type NameReading,
  type Part,
  type Reference,
  type Use,
} from '@grainline/importer-dbt/foreign'
import { type Context, type CubeObject, objectNamed } from './context.js'

/** The expression of the SQL of a part of `from`. Throws `LeftOut`, or what the reader of SQL throws. */
export function expressionOf(
  part: Part,
  from: CubeObject,
  reading: NameReading<CubeObject>,
  context: Context,
  use?: Use,
): string {
  const text = part.needed('sql')
  const where = { from, words: context.words, place: part.at('sql') }
  if (/\\[{}]/.test(text)) throw new LeftOut('its SQL has escaped braces', where.place)
  const marked = markedText(text, /\{([^{}]*)\}/g, (inside) => referenceOf(inside, from, context), where)
  return markedExpression(marked, reading, context, use)
}

/** The reference that is a whole text, and undefined for every other text. */
export function onlyReference(text: string, from: CubeObject, context: Context): Reference<CubeObject> | undefined {
  const inside = /^\s*\{([^{}]+)\}\s*$/.exec(text)?.[1]
  return inside === undefined ? undefined : referenceOf(inside, from, context)
}

function referenceOf(inside: string, from: CubeObject, context: Context): Reference<CubeObject> {
  const words = inside.trim().split('.')
  const [first = '', second, ...more] = words
  if (/^(FILTER_PARAMS|FILTER_GROUP|SQL_UTILS|COMPILE_CONTEXT|SECURITY_CONTEXT)$/i.test(first))
    throw new LeftOut(`${first} is known only when a query is asked`)
  if (!words.every((word) => /^\w+$/.test(word))) throw new LeftOut(`{${inside}} is no name of a cube or a member`)
  if (first === 'CUBE' || first === 'TABLE') return memberOf(from, second, more)
  if (from.cube.dimensions.has(first) || from.cube.measures.has(first) || from.cube.segments.has(first))
    return memberOf(from, first, words.slice(1))
  return memberOf(objectNamed(first, context), second, more)
}

function memberOf(owner: CubeObject, member: string | undefined, [grain, ...more]: readonly string[]): Reference<CubeObject> {
  if (more.length > 0 || (grain !== undefined && !GRAINS.has(grain)))
    throw new LeftOut(`'${grain}' is no granularity of '${member}' here`, undefined, 'Name the cube and its member only.')
  return { owner, member, grain }
}

const GRAINS = new Set('second minute hour day week month quarter year'.split(' '))
