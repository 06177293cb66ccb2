import { entryOf } from '../../invariant.js'
import { type DataType, isNumeric } from '../data-type.js'
import type { ClosureDocument, ColumnDocument, DataObjectDocument, JoinDocument, ModelDocument } from '../document.js'
import type { Faults } from '../faults.js'
import type { Segments } from '../parse/locate.js'
import type { Closure } from '../semantic-model.js'
import { type Context, knowsColumn, knowsObject } from './context.js'

/** The columns of a closure, by what a statement calls them. */
export const CLOSURE_COLUMNS = {
  ancestor: 'Ancestor',
  descendant: 'Descendant',
  depth: 'Depth',
  level: 'Level',
  is_leaf: 'Is Leaf',
} as const

const DEFAULT_DEPTH = 64

type WithClosure = DataObjectDocument & { readonly closure: ClosureDocument }

const isClosure = (entry: DataObjectDocument): entry is WithClosure => entry.closure !== undefined

/** The document with the columns of its closures, and with the joins that a closure has if its author writes none. */
export function withClosureParts(document: ModelDocument, faults: Faults): ModelDocument {
  const objects = Object.entries(document.dataObjects ?? {})
  if (!objects.some(([, entry]) => isClosure(entry))) return document
  const expanded = objects.map(([name, entry]) => {
    if (!isClosure(entry)) return [name, entry] as const
    refuseForeignKeys(name, entry, faults)
    const key = objects.find(([other]) => other === entry.closure.dataObject)?.[1].columns?.[entry.closure.key]
    // What is not there is reported once.
    const { columns, joins = key ? joinsOf(entry.closure) : [], bridge = joins.length > 0, countable = false } = entry
    return [name, { ...entry, columns: { ...columnsOf(key), ...columns }, joins, bridge, countable }] as const
  })
  return { ...document, dataObjects: Object.fromEntries(expanded) }
}

const FOREIGN = ['code', 'database', 'schema', 'nestedIn', 'calendar', 'refresh', 'uniqueKeys', 'weight'] as const

/** What belongs to objects with rows of their own. */
function refuseForeignKeys(name: string, entry: WithClosure, faults: Faults): void {
  const refuse = (segments: Segments, message: string): void =>
    faults.error('INVALID_CLOSURE', ['dataObjects', name, ...segments], message, { onKey: true })
  for (const key of FOREIGN)
    if (entry[key] !== undefined)
      refuse([key], `'${name}' is a closure, whose rows are computed from '${entry.closure.dataObject}'; remove '${key}'`)
  const own = new Set<string>(Object.values(CLOSURE_COLUMNS))
  for (const [column, { code }] of Object.entries(entry.columns ?? {})) {
    if (own.has(column)) refuse(['columns', column], `'${column}' is a column that every closure has; give this one another name`)
    else if (code !== undefined)
      refuse(['columns', column], `'${column}' has a code, and a closure is no table; write an expression over its columns`)
  }
}

function columnsOf({ abstractType, sqlType, sqlPrecision, sqlScale }: ColumnDocument = {}) {
  const isDecimal = sqlPrecision !== undefined || sqlScale !== undefined || /^\s*(decimal|numeric)/i.test(sqlType ?? '')
  const typed: ColumnDocument = { abstractType: abstractType ?? 'string', ...(isDecimal && { sqlType, sqlPrecision, sqlScale }) }
  const key = (code: string): ColumnDocument => ({ ...typed, code, primaryKey: true })
  return {
    [CLOSURE_COLUMNS.ancestor]: key('ancestor'),
    [CLOSURE_COLUMNS.descendant]: key('descendant'),
    [CLOSURE_COLUMNS.depth]: { code: 'depth', abstractType: 'int' },
    [CLOSURE_COLUMNS.level]: { code: 'level', abstractType: 'int' },
    [CLOSURE_COLUMNS.is_leaf]: { code: 'is_leaf', abstractType: 'boolean' },
  } satisfies Record<string, ColumnDocument>
}

/** What hangs below a row counts for it; the row above is reached by name. */
const joinsOf = ({ dataObject, key }: ClosureDocument): JoinDocument[] => [
  { joinType: 'many-to-one', joinTo: dataObject, columnsFrom: [CLOSURE_COLUMNS.descendant], columnsTo: [key] },
  {
    joinType: 'many-to-one',
    joinTo: dataObject,
    columnsFrom: [CLOSURE_COLUMNS.ancestor],
    columnsTo: [key],
    secondary: true,
    pathName: 'ancestor',
  },
]

/** The two ends of a pair have the type of the key, also where that is computed. */
export function typeClosures(context: Context): void {
  for (const [name, entry] of Object.entries(context.document.dataObjects ?? {})) {
    if (!isClosure(entry) || context.isBroken(['dataObjects', name])) continue
    const key = context.objects.get(entry.closure.dataObject)?.columns.get(entry.closure.key)
    const { columns } = entryOf(context.objects, name)
    for (const end of [CLOSURE_COLUMNS.ancestor, CLOSURE_COLUMNS.descendant]) {
      const column = columns.get(end)
      if (key && column)
        columns.set(end, { ...column, type: key.type, abstractType: key.abstractType, isTyped: true, sqlType: undefined })
    }
  }
}

/** The closure that an object is; `undefined` if it is none, or names what is not there. */
export function readClosure(name: string, entry: DataObjectDocument, context: Context): Closure | undefined {
  if (!isClosure(entry)) return undefined
  const { dataObject, key, parent, maxDepth = DEFAULT_DEPTH } = entry.closure
  const segments = ['dataObjects', name, 'closure']
  if (!knowsObject(dataObject, [...segments, 'dataObject'], context)) return undefined
  const known = [
    knowsColumn({ object: dataObject, column: key }, [...segments, 'key'], context),
    knowsColumn({ object: dataObject, column: parent }, [...segments, 'parent'], context),
  ]
  if (!known.every(Boolean)) return undefined
  checkColumns({ dataObject, key, parent }, segments, context)
  return { dataObject, key, parent, maxDepth }
}

function checkColumns({ dataObject, key, parent }: ClosureDocument, segments: Segments, context: Context): void {
  const of = context.document.dataObjects?.[dataObject]
  const { columns } = entryOf(context.objects, dataObject)
  const [one, other] = [columns.get(key)?.type, columns.get(parent)?.type]
  const kind = of && isClosure(of) ? 'a closure itself' : of?.calendar ? 'a calendar' : undefined
  const faults: readonly (readonly [at: string, isFault: boolean | undefined, message: string])[] = [
    ['dataObject', kind !== undefined, `'${dataObject}' is ${kind}; name the object whose rows name their parents`],
    ['parent', key === parent, `'${parent}' is the key itself; name the column with the key of the row above`],
    [
      'key',
      of && !isKeyOf(key, of),
      `'${dataObject}.${key}' is no key of '${dataObject}', so that several rows may have one; mark it primaryKey, or add [${key}] to uniqueKeys`,
    ],
    ['key', one && !KEYS.has(one.kind), `'${key}' is ${one?.kind}; the key of a tree is a text, a number or a date`],
    [
      'parent',
      one && other && familyOf(one) !== familyOf(other),
      `'${parent}' is ${other?.kind} and '${key}' is ${one?.kind}; a parent is the key of another row`,
    ],
  ]
  const [at, , message] = faults.find(([, isFault]) => isFault) ?? []
  if (at !== undefined && message !== undefined) context.faults.error('INVALID_CLOSURE', [...segments, at], message)
}

const KEYS: ReadonlySet<string> = new Set(['string', 'int', 'decimal', 'float', 'date'])

const familyOf = (type: DataType): string => (isNumeric(type) ? 'number' : type.kind)

function isKeyOf(column: string, { columns = {}, uniqueKeys = [] }: DataObjectDocument): boolean {
  const primary = Object.entries(columns).flatMap(([name, { primaryKey }]) => (primaryKey ? [name] : []))
  return [primary, ...uniqueKeys].some((key) => key.length === 1 && key[0] === column)
}
