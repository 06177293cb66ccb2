import { INT } from '../data-type.js'
import type { Segments } from '../parse/locate.js'
import type { Column, Join } from '../semantic-model.js'
import { type Context, columnOfPair, type DraftObject } from './context.js'

/** What an object gets by being nested: columns that tell its rows apart, and the join to the rows that they stand in. */
export interface NestedParts {
  readonly key: readonly Column[]
  readonly join: Join
}

/** Codes of columns that no element holds; `#` and `*` may be declared. */
export const POSITION = '#'
const parentKey = (i: number): string => `parent key ${i + 1}`

/** The parts of every nested object by its name. Columns are known, joins and objects are not yet. */
export function readNested(context: Context): ReadonlyMap<string, NestedParts> {
  const found = new Map<string, NestedParts>()
  for (const [name, entry] of Object.entries(context.document.dataObjects ?? {})) {
    const draft = context.objects.get(name)
    if (!entry.nestedIn || !draft || draft.broken) continue
    const path = ['dataObjects', name, 'nestedIn']
    const parent = columnOfPair(entry.nestedIn, path, context)
    const key = parent && keyOf(parent.object, parent.column, path, context)
    if (key) found.set(name, partsOf(name, draft, parent.object, key))
  }
  return found
}

/** The key of the object that holds the array; undefined, with the reason reported, where rows cannot be told apart by it. */
function keyOf(object: string, column: string, path: Segments, context: Context): readonly Column[] | undefined {
  const bad = (message: string): undefined => void context.faults.error('INVALID_SETTING', path, message)
  const columns = context.objects.get(object)!.columns
  if (context.document.dataObjects?.[object]?.nestedIn)
    return bad(`'${object}' is nested itself; unnest the outer array in a SELECT of its own`)
  const array = columns.get(column)
  if (array && array.source.kind !== 'physical') return bad(`'${column}' is computed; elements are those of a physical column`)
  const key = [...columns.values()].filter((c) => c.primaryKey)
  if (key.length === 0) return bad(`Rows of '${object}' must be told apart to find theirs; mark its key with primaryKey`)
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
    columnsFrom: own.map((c) => c.name),
    columnsTo: key.map((c) => c.name),
    secondary: false,
    pathName: undefined,
    required: false,
  }
  return { key: [...own, { ...position, primaryKey: true }], join }
}

const hidden = (name: string, code: string): Omit<Column, 'type' | 'abstractType'> => ({
  name,
  source: { kind: 'physical', code },
  sqlType: undefined,
  numClass: undefined,
  primaryKey: true,
  comment: undefined,
  description: undefined,
  owner: undefined,
  synonyms: [],
})
