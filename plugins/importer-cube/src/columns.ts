/** Dimensions → columns of data objects. */
import {
  computed,
  declared,
  fullName,
  LeftOut,
  type MemberReference,
  type NameReading,
  opened,
  type Part,
  physical,
  quoted,
  rowReading,
  typed,
  type Use,
} from '@grainline/importer-dbt/foreign'
import type { Context, CubeObject } from './context.js'
import { isPrimary, typeOf } from './cubes.js'
import { isOn, keyIn } from './keys.js'
import { expressionOf, onlyReference } from './references.js'

/** Names in an expression over rows are columns and dimensions. */
export const rowsOf = (context: Context, note?: (object: CubeObject) => void): NameReading<CubeObject> =>
  rowReading((reference, use) => rowValue(reference, use, context), note)

function rowValue({ owner, member, grain }: MemberReference<CubeObject>, use: Use, context: Context): string {
  if (owner.measures.has(member)) throw new LeftOut(`'${member}' is a measure, and no value of a row`)
  const column = columnOf(member, owner, context)
  typed(owner, column, use)
  return grain === undefined ? quoted(owner, column) : `date_trunc('${grain}', ${quoted(owner, column)})`
}

/** The column of a dimension, written when it is first read. */
export function columnOf(name: string, object: CubeObject, context: Context): string {
  const { cube, written } = object
  const known = written.get(name)
  if (known !== undefined) return known
  const part = cube.dimensions.get(name)
  if (!part) throw new LeftOut(`'${name}' is no dimension of '${cube.name}'`)
  const column = opened(fullName(object, name), context, () => columnFor(name, part, object, context))
  written.set(name, column)
  return column
}

/** The time of the same cube that a dimension shows at a grain, and undefined for every other dimension. */
export function grainOf(
  part: Part,
  object: CubeObject,
  context: Context,
): { readonly member: string; readonly grain: string } | undefined {
  const sql = typeOf(part) === 'time' ? part.text('sql') : undefined
  const reference = sql === undefined ? undefined : onlyReference(sql, object, context)
  if (reference?.owner !== object || reference.member === undefined || reference.grain === undefined) return undefined
  return { member: reference.member, grain: reference.grain }
}

function columnFor(name: string, part: Part, object: CubeObject, context: Context): string {
  const written = typeOf(part)
  const type = Object.hasOwn(TYPES, written) ? TYPES[written] : undefined
  if (type === undefined) throw new LeftOut(`a dimension of the type '${written}' has no place in the model`)
  if (isOn(part, 'multi_stage')) throw new LeftOut('a dimension of several stages has no place in the model')
  if (part.has('case')) return computed(name, { expression: caseOf(part, object, context) }, object)
  if (isOn(part, 'sub_query')) return ofMeasure(name, part, object, context)
  const sql = part.needed('sql')
  const words = /[{}]/.test(sql) ? undefined : context.sql.words(sql)
  const code = words?.length === 1 ? codeIn(sql) : /^\s*\{(?:CUBE|TABLE)\}\s*\.\s*(\w+|"[^"]+")\s*$/.exec(sql)?.[1]
  if (code !== undefined) return declared(physical(plain(code), object, undefined), type, isPrimary(part), object)
  const expression = expressionOf(part, object, rowsOf(context), context, useOf(written))
  context.draft.noteDivision(expression, fullName(object, name), part.at('sql'))
  return computed(name, { expression }, object)
}

const codeIn = (sql: string): string | undefined => /^(\w+|"[^"]+")$/.exec(sql.trim())?.[1]

const plain = (name: string): string => name.replace(/^"(.*)"$/s, '$1')

const TYPES: Readonly<Record<string, string>> = { string: 'string', number: 'float', time: 'timestamp', boolean: 'boolean' }

const useOf = (type: string): Use => (type === 'number' || type === 'boolean' ? type : undefined)

/** A column with the value of a measure for each row. */
function ofMeasure(name: string, part: Part, object: CubeObject, context: Context): string {
  const key = keyIn(part, 'propagate_filters_to_sub_query')
  if (part.text(key) === 'true') throw new LeftOut('filters of a query do not reach inside of a column', part.at(key))
  const reference = onlyReference(part.needed('sql'), object, context)
  if (reference?.member === undefined || !reference.owner.measures.has(reference.member))
    throw new LeftOut('a dimension with sub_query is one measure here', part.at('sql'), 'Write {cube.measure}.')
  const measure = context.measure(reference.owner, reference.member)
  if (![...object.cube.dimensions.values()].some(isPrimary)) throw new LeftOut('its cube has no primary key')
  const column = computed(name, { measure }, object)
  context.draft.lose(
    'rewritten',
    `'${fullName(object, name)}' is 0, and not NULL, if it counts and there are no rows.`,
    part.place,
  )
  return column
}

function caseOf(part: Part, object: CubeObject, context: Context): string {
  const cases = part.part('case')
  if (!cases || cases.has('switch')) throw new LeftOut('a case by a switch has no place in the model', part.at('case'))
  const label = (each: Part | undefined): string => {
    const value = each?.data['label']
    if (typeof value !== 'object' || value === null) return `'${(each?.text('label') ?? '').replaceAll("'", "''")}'`
    const sql = each?.part('label')
    if (!sql) throw new LeftOut('its label is no text', part.at('case'))
    return expressionOf(sql, object, rowsOf(context), context)
  }
  const branches = cases.parts('when').map((each) => {
    const test = expressionOf(each, object, rowsOf(context), context, 'boolean')
    return ` WHEN ${test} THEN ${label(each)}`
  })
  if (branches.length === 0) throw new LeftOut('its case has no branch', part.at('case'))
  const rest = cases.part('else')
  return `CASE${branches.join('')}${rest ? ` ELSE ${label(rest)}` : ''} END`
}
