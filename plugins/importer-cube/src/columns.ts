/** Dimensions → columns of data objects. */
import { type Entry, LeftOut, type Part, type Use } from '@grainline/importer-dbt/foreign'
import { type Context, type CubeObject, fullName, opened } from './context.js'
import { isPrimary, typeOf } from './cubes.js'
import { isOn, keyIn } from './keys.js'
import { expressionOf, type NameReading, onlyReference } from './references.js'

/** Names in an expression over rows are columns and dimensions. */
export function rowReading(context: Context, note: (object: CubeObject) => void = () => undefined): NameReading {
  return {
    column: (object, code, use) => {
      note(object)
      return quoted(object, physical(code, object, use))
    },
    member: ({ object, member, grain }, use) => {
      note(object)
      if (object.cube.measures.has(member)) throw new LeftOut(`'${member}' is a measure, and no value of a row`)
      const column = columnOf(member, object, context)
      typed(object, column, use)
      return grain === undefined ? quoted(object, column) : `date_trunc('${grain}', ${quoted(object, column)})`
    },
    call: (call) => {
      if (call.isOdd || AGGREGATES.has(call.name)) throw new LeftOut(`'${call.name}' aggregates rows, and is no value of a row`)
      return undefined
    },
  }
}

const AGGREGATES = new Set('sum count avg min max median stddev variance any_value mode approx_count_distinct'.split(' '))

const quoted = ({ cube }: CubeObject, column: string): string => `{[${cube.name}].[${column}]}`

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
  if (reference?.object !== object || reference.member === undefined || reference.grain === undefined) return undefined
  return { member: reference.member, grain: reference.grain }
}

function columnFor(name: string, part: Part, object: CubeObject, context: Context): string {
  const type = typeOf(part)
  if (!Object.hasOwn(TYPES, type)) throw new LeftOut(`a dimension of the type '${type}' has no place in the model`)
  if (isOn(part, 'multi_stage')) throw new LeftOut('a dimension of several stages has no place in the model')
  if (part.has('case')) return computed(name, caseOf(part, object, context), object)
  if (isOn(part, 'sub_query')) return ofMeasure(name, part, object, context)
  const sql = part.needed('sql')
  const words = /[{}]/.test(sql) ? undefined : context.sql.words(sql)
  const code = words?.length === 1 ? codeIn(sql) : /^\s*\{(?:CUBE|TABLE)\}\s*\.\s*(\w+|"[^"]+")\s*$/.exec(sql)?.[1]
  if (code !== undefined) {
    const column = physical(plain(code), object, undefined)
    return declared(column, type, isPrimary(part), object)
  }
  const expression = expressionOf(sql, object, rowReading(context), context, useOf(type))
  context.draft.noteDivision(expression, fullName(object, name), part.at('sql'))
  return computed(name, expression, object)
}

const codeIn = (sql: string): string | undefined => /^(\w+|"[^"]+")$/.exec(sql.trim())?.[1]

const plain = (name: string): string => name.replace(/^"(.*)"$/s, '$1')

const TYPES: Readonly<Record<string, string>> = { string: 'string', number: 'float', time: 'timestamp', boolean: 'boolean' }

const useOf = (type: string): Use => (type === 'number' || type === 'boolean' ? type : undefined)

/** Gives the column the type of its dimension. A number of Cube is a whole one or none: only keys are known to be whole. */
function declared(column: string, type: string, isKey: boolean, { columns, assumed }: CubeObject): string {
  const entry = columns[column]
  const abstractType = type === 'number' && isKey ? 'int' : TYPES[type]
  if (!entry) return column
  const before = entry['abstractType']
  const isSame = before === undefined || before === abstractType || (type === 'number' && before === 'int')
  if (before === 'float' && abstractType === 'int') entry['abstractType'] = 'int'
  else if (!isSame) throw new LeftOut(`its column '${column}' is read as ${String(before)} by another dimension`)
  if (before === undefined) entry['abstractType'] = abstractType
  if (type !== 'number') assumed.delete(column)
  return column
}

/** A column with the value of a measure for each row. */
function ofMeasure(name: string, part: Part, object: CubeObject, context: Context): string {
  const key = keyIn(part, 'propagate_filters_to_sub_query')
  if (part.text(key) === 'true') throw new LeftOut('filters of a query do not reach inside of a column', part.at(key))
  const reference = onlyReference(part.needed('sql'), object, context)
  if (reference?.member === undefined || !reference.object.cube.measures.has(reference.member))
    throw new LeftOut('a dimension with sub_query is one measure here', part.at('sql'), 'Write {cube.measure}.')
  const measure = context.measure(reference.object, reference.member)
  if (![...object.cube.dimensions.values()].some(isPrimary)) throw new LeftOut('its cube has no primary key')
  const column = free(name, object)
  object.columns[column] = { measure }
  context.draft.lose(
    'rewritten',
    `'${fullName(object, name)}' is 0, and not NULL, if it counts and there are no rows.`,
    part.place,
  )
  return column
}

function computed(name: string, expression: string, object: CubeObject): string {
  const column = free(name, object)
  object.columns[column] = { expression }
  return column
}

/** A dimension has the name of a column that it may read. */
const free = (name: string, { columns }: CubeObject): string => (Object.hasOwn(columns, name) ? `${name} (expression)` : name)

function caseOf(part: Part, object: CubeObject, context: Context): string {
  const cases = part.part('case')
  if (!cases || cases.has('switch')) throw new LeftOut('a case by a switch has no place in the model', part.at('case'))
  const label = (each: Part | undefined): string => {
    const value = each?.data['label']
    if (typeof value !== 'object' || value === null) return `'${(each?.text('label') ?? '').replaceAll("'", "''")}'`
    return expressionOf(each?.part('label')?.needed('sql') ?? '', object, rowReading(context), context)
  }
  const branches = cases.parts('when').map((each) => {
    const test = expressionOf(each.needed('sql'), object, rowReading(context), context, 'boolean')
    return ` WHEN ${test} THEN ${label(each)}`
  })
  if (branches.length === 0) throw new LeftOut('its case has no branch', part.at('case'))
  const rest = cases.part('else')
  return `CASE${branches.join('')}${rest ? ` ELSE ${label(rest)}` : ''} END`
}

/** A column of the table. Its use gives it a type, unless a dimension declares one. */
export function physical(code: string, object: CubeObject, use: Use | 'time'): string {
  if (code === '*' || code === '__proto__' || /[[\]{}]/.test(code)) throw new LeftOut(`'${code}' is no name of a column here`)
  const { columns, codes, assumed } = object
  const stored = codes.get(code)
  const name = stored ?? (Object.hasOwn(columns, code) ? `${code} (column)` : code)
  if (stored === undefined) {
    columns[name] = { code }
    codes.set(code, name)
    assumed.add(name)
  }
  typed(object, name, use)
  return name
}

function typed({ columns }: CubeObject, column: string, use: Use | 'time'): void {
  const entry = columns[column]
  if (entry?.['code'] === undefined || use === undefined || entry['abstractType'] !== undefined) return
  entry['abstractType'] = use === 'number' ? 'float' : use === 'time' ? 'timestamp' : 'boolean'
}

/** Columns whose type the text does not say. */
export function reportAssumed({ objects, draft }: Context): void {
  for (const { cube, columns, assumed } of objects.values()) {
    const list = [...assumed].map((name) => {
      const entry: Entry = columns[name] ?? {}
      const type = entry['abstractType'] ?? 'string'
      entry['abstractType'] = type
      return `${name} (${String(type)})`
    })
    if (list.length === 0) continue
    draft.lose(
      'rewritten',
      `No exact type is declared for columns of '${cube.name}'. They are read as: ${list.join(', ')}.`,
      cube.place,
      {
        hint: 'Change the types of these columns in the model: a number of Cube may be whole, decimal or a float.',
        path: ['dataObjects', cube.name, 'columns'],
      },
    )
  }
}
