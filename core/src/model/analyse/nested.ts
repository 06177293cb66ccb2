import { entryOf } from '../../invariant.js'
import { nearest } from '../../nearest.js'
import { INT, STRING } from '../data-type.js'
import type { ColumnRef } from '../expression/ast.js'
import { pairwiseEqual } from '../join-term.js'
import type { Segments } from '../parse/locate.js'
import type { Column, Join } from '../semantic-model.js'
import { type Context, columnOfPair, type DraftObject } from './context.js'

/** The generated parts of a nested object: columns that identify its rows, and the join to the rows that contain them. */
export interface NestedParts {
  readonly key: readonly Column[]
  readonly join: Join
}

/** Codes of columns that are not fields of an element; `#` and `*` may be declared. */
export const POSITION = '#'
const parentKey = (i: number): string => `parent key ${i + 1}`

/** The parts of every nested object by its name. Columns are known; joins and objects are not yet. */
export function readNested(context: Context): ReadonlyMap<string, NestedParts> {
  const found = new Map<string, NestedParts | undefined>()
  for (const name of Object.keys(context.document.dataObjects ?? {})) readParts(name, found, [], context)
  return new Map([...found].flatMap(([name, parts]) => (parts ? [[name, parts] as const] : [])))
}

/**
 * Registers the parts of one object, those of the enclosing object first, because its key is part of them. `inside` are the objects that
 * lead here.
 */
function readParts(
  name: string,
  found: Map<string, NestedParts | undefined>,
  inside: readonly string[],
  context: Context,
): NestedParts | undefined {
  if (found.has(name)) return found.get(name)
  const entry = context.document.dataObjects?.[name]
  const draft = context.objects.get(name)
  if (!entry?.nestedIn || !draft || draft.broken) return undefined
  found.set(name, undefined)
  const path = ['dataObjects', name, 'nestedIn']
  const parent = undeclaredArray(entry.nestedIn, context) ?? columnOfPair(entry.nestedIn, path, context)
  if (!parent) return undefined
  const bad = (message: string): undefined => void context.faults.error('INVALID_SETTING', path, message)
  if ([...inside, name].includes(parent.object))
    return bad(`'${name}' is nested in itself; name the object whose rows hold the array`)
  const array = entryOf(context.objects, parent.object).columns.get(parent.column)
  if (array && array.source.kind !== 'physical')
    return bad(`'${parent.column}' is computed; elements are those of a physical column`)
  const isNested = context.document.dataObjects?.[parent.object]?.nestedIn !== undefined
  const around = isNested ? readParts(parent.object, found, [...inside, name], context) : undefined
  const key = isNested ? around?.key : keyOf(parent.object, path, context)
  const parts = key && partsOf(name, draft, parent.object, key)
  found.set(name, parts)
  return parts
}

/** An array need not be declared as a column to be unnested: a name that is not similar to any column is that of a physical one. */
function undeclaredArray(
  { dataObject = '', column = '' }: { readonly dataObject?: string; readonly column?: string },
  context: Context,
): ColumnRef | undefined {
  const around = context.objects.get(dataObject)
  if (!around || around.broken || column === '' || around.columnNames.has(column)) return undefined
  if (nearest(column, around.columnNames, 1).length > 0) return undefined
  around.columns.set(column, { ...hidden(column, column), primaryKey: false, type: STRING, abstractType: 'json' })
  return { kind: 'column', object: dataObject, column }
}

/** The key of the object that contains the array; undefined, with the reason reported, if it does not identify rows. */
function keyOf(object: string, path: Segments, context: Context): readonly Column[] | undefined {
  const bad = (message: string): undefined => void context.faults.error('INVALID_SETTING', path, message)
  const key = [...entryOf(context.objects, object).columns.values()].filter((c) => c.primaryKey)
  if (key.length === 0) return bad(`Nested rows refer to the rows of '${object}' by key; mark its key columns with primaryKey`)
  if (key.some((c) => c.source.kind !== 'physical'))
    return bad(`The key of '${object}' is computed; elements follow physical columns`)
  return key
}

function partsOf(name: string, draft: DraftObject, parent: string, key: readonly Column[]): NestedParts {
  const free = (wanted: string): string => (draft.columnNames.has(wanted) ? free(`${wanted} (${parent})`) : wanted)
  const own = key.map(
    (c, i): Column => ({ ...hidden(free(`${parent} ${c.name}`), parentKey(i)), type: c.type, abstractType: c.abstractType }),
  )
  const declared = [...draft.columns.values()].find((c) => c.source.kind === 'physical' && c.source.code === POSITION)
  const position = declared ?? { ...hidden(free('Position'), POSITION), type: INT, abstractType: 'int' }
  const join: Join = {
    from: name,
    to: parent,
    cardinality: 'many-to-one',
    on: pairwiseEqual(
      own.map((c) => c.name),
      key.map((c) => c.name),
    ),
    secondary: false,
    pathName: undefined,
    required: false,
    foreignKey: true,
  }
  return { key: [...own, { ...position, primaryKey: true }], join }
}

const hidden = (name: string, code: string): Omit<Column, 'type' | 'abstractType'> => ({
  name,
  source: { kind: 'physical', code },
  isTyped: true,
  sqlType: undefined,
  numClass: undefined,
  primaryKey: true,
  comment: undefined,
  description: undefined,
  owner: undefined,
  synonyms: [],
})
