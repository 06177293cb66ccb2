/** Models whose constants are parameters, and queries that give their values. */
import type { Json, ModelJson, ParameterJson, QueryJson } from '../model.js'
import { DAYS, STRINGS } from './pools.js'
import type { Random } from './random.js'

/** A model with parameters, and the values that every query of it must give. */
export interface Parameterized {
  readonly model: ModelJson
  readonly given: Readonly<Record<string, Json>>
}

/** Parameters that only queries use. */
const FREE: Readonly<Record<string, ParameterJson>> = {
  'Any Text': { type: 'string' },
  'Any Number': { type: 'decimal(18, 4)' },
  'Any Length': { type: 'int' },
  'Any Day': { type: 'date' },
  'Any Moment': { type: 'timestamp' },
  'Any Truth': { type: 'boolean' },
  'Texts of Any': { type: 'string', list: true },
  'Numbers of Any': { type: 'float', list: true },
  'Days of Any': { type: 'date', list: true },
}

/** The model with some of its constants as parameters, in expressions and in the filters of measures, segments and the model. */
export function withParameters(random: Random, of: ModelJson): Parameterized {
  const parameters: Record<string, ParameterJson> = {}
  const given: Record<string, Json> = {}
  const declare = (type: string, value: Json, list = false): string => {
    const name = `P${Object.keys(parameters).length + 1}${random.chance(0.3) ? ' of it' : ''}`
    const isDefault = random.chance(0.5)
    parameters[name] = { type, ...(list && { list }), ...(isDefault && { default: value }) }
    if (!isDefault) given[name] = value
    else if (random.chance(0.3)) given[name] = list ? [other(random, type)] : other(random, type)
    return name
  }
  const numbered = (text: string, whole: readonly string[]): string =>
    text.replace(CONSTANT, (number) => {
      const [, part] = number.split('.')
      const type = part === undefined ? random.pick(whole) : `decimal(18, ${part.length})`
      return random.chance(0.5) ? `{@${declare(type, Number(number))}}` : number
    })
  const constants: Visit = {
    expression: (text) => numbered(text, ['int', 'int', 'float']),
    value: (value, op) => hidden(random, value, op, declare),
  }
  // A computed column declares its type.
  const typed: Visit = { expression: (text) => numbered(text, ['int']), value: (value) => value }
  const { dataObjects, measures, metrics, filters, segments, ...rest } = of
  const model = {
    ...rest,
    dataObjects: visited(dataObjects as unknown as Json, typed) as unknown as ModelJson['dataObjects'],
    ...(measures && {
      measures: visited(measures as unknown as Json, constants) as unknown as NonNullable<ModelJson['measures']>,
    }),
    ...(metrics && {
      metrics: visited(metrics as unknown as Json, { ...constants, value: (value) => value }) as unknown as NonNullable<
        ModelJson['metrics']
      >,
    }),
    ...(filters && { filters: visited(filters as unknown as Json, constants) as unknown as NonNullable<ModelJson['filters']> }),
    ...(segments && {
      segments: visited(segments as unknown as Json, constants) as unknown as NonNullable<ModelJson['segments']>,
    }),
  }
  return { model: { ...model, parameters: { ...parameters, ...FREE } }, given }
}

/** The query with the values of parameters, some of which it uses in its own conditions. */
export function askedOfParameters(random: Random, query: QueryJson, given: Parameterized['given']): QueryJson {
  const parameters: Record<string, Json> = { ...given }
  const used = new Set<string>()
  const declare = (type: string, value: Json, list = false): string | undefined => {
    const name = Object.keys(FREE).find((n) => FREE[n]!.type === type && (FREE[n]!.list ?? false) === list)
    if (name === undefined || used.has(name)) return undefined
    used.add(name)
    parameters[name] = value
    return name
  }
  const constants: Visit = { expression: (text) => text, value: (value, op) => hidden(random, value, op, declare) }
  const asked = (['where', 'having'] as const).flatMap((key) =>
    query[key] ? [[key, visited(query[key] as unknown as Json, constants)] as const] : [],
  )
  return { ...query, ...Object.fromEntries(asked), ...(Object.keys(parameters).length > 0 && { parameters }) }
}

/** Numbers beside an operator, and those that replace NULL. */
const CONSTANT = /(?<=[-+*/<>=] |, )\d+(?:\.\d+)?(?=\)|$| ELSE| THEN| AND)/g

interface Visit {
  readonly expression: (text: string) => string
  readonly value: (value: Json, op: string) => Json
}

/** A tree with its expressions and the values of its filters replaced. */
function visited(node: Json, visit: Visit): Json {
  if (Array.isArray(node)) return (node as readonly Json[]).map((item) => visited(item, visit))
  if (node === null || typeof node !== 'object') return node
  const record = node as Readonly<Record<string, Json>>
  const op = record['op'] ?? record['operator']
  return Object.fromEntries(
    Object.entries(record).map(([key, value]): [string, Json] => {
      if (key === 'expression' && typeof value === 'string') return [key, visit.expression(value)]
      if (typeof op === 'string' && op !== 'relative' && (key === 'value' || key === 'values'))
        return [key, replaced(key, value, op, visit)]
      return [key, visited(value, visit)]
    }),
  )
}

function replaced(key: string, value: Json, op: string, visit: Visit): Json {
  if (key === 'values' && Array.isArray(value)) {
    const plain = (value as readonly Json[]).map((v) => untyped(v))
    const changed = visit.value(plain, op)
    if (changed === plain) return value
    return Array.isArray(changed)
      ? (changed as readonly Json[]).map((v, i) => (v === plain[i] ? (value as readonly Json[])[i]! : v))
      : [changed]
  }
  return visit.value(value, op)
}

function untyped(value: Json): Json {
  if (value === null || typeof value !== 'object') return value
  return Object.entries(value).find(([k]) => k.startsWith('value'))?.[1] ?? null
}

type Declare = (type: string, value: Json, list?: boolean) => string | undefined
const ENDED: readonly string[] = ['between', 'not_between', 'notbetween']
const LISTS: readonly string[] = ['in', 'not_in', 'inlist', 'notinlist']

/** A reference in place of a value, of a list, or of a member of one. */
function hidden(random: Random, value: Json, op: string, declare: Declare): Json {
  if (!random.chance(0.6)) return value
  const reference = (parameter: string | undefined, instead: Json): Json => (parameter === undefined ? instead : { parameter })
  if (!Array.isArray(value)) {
    const type = typeOf(value, op)
    return type === undefined ? value : reference(declare(type, value), value)
  }
  const items = value as readonly Json[]
  const types = new Set(items.map((item) => typeOf(item, op)))
  const [type] = types
  if (LISTS.includes(op) && types.size === 1 && type !== undefined && random.chance(0.6)) {
    const listed = type.startsWith('decimal') || type === 'int' ? 'float' : type
    return reference(declare(listed, listed === 'float' ? items.map(Number) : items, true), value)
  }
  if (!LISTS.includes(op) && !ENDED.includes(op)) {
    const changed = items.map((item) => hidden(random, item, op, declare))
    return changed.some((item, i) => item !== items[i]) ? changed : value
  }
  const at = random.below(items.length + 1)
  const changed = items.map((item, i) => {
    const own = i === at ? typeOf(item, op) : undefined
    return own === undefined ? item : reference(declare(own, item), item)
  })
  return changed.some((item, i) => item !== items[i]) ? changed : value
}

function typeOf(value: Json, op: string): string | undefined {
  if (typeof value === 'boolean') return 'boolean'
  if (typeof value === 'number') return op.startsWith('length_') ? 'int' : numberType(String(value))
  if (typeof value !== 'string') return undefined
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date'
  if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}(\.\d{1,6})?$/.test(value)) return 'timestamp'
  return /^-?\d+(\.\d+)?$/.test(value) ? numberType(value) : 'string'
}

function other(random: Random, type: string): Json {
  if (type === 'string') return random.pick(STRINGS)
  if (type === 'date') return random.pick(DAYS)
  if (type === 'timestamp') return `${random.pick(DAYS)} 08:15:00`
  return type === 'boolean' ? random.chance(0.5) : random.pick([0, 1, 2, 3])
}

/** Doubles have more digits than decimals, and very small ones are written with an exponent. */
const numberType = (text: string): string => (/^-?\d{1,14}(\.\d{1,4})?$/.test(text) ? 'decimal(18, 4)' : 'float')
