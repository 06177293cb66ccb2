import type { StoredAs } from '../bind/bind-context.js'
import { entryOf } from '../invariant.js'
import type { Column, SemanticModel } from '../model/semantic-model.js'
import type { PhysicalColumn, StoredColumn, StoredTypes } from '../model/stored-column.js'
import type { StorageClocks } from './convert-stored.js'
import type { Dialect } from './dialect.js'
import { mayDiffer, storedAs } from './stored-as.js'

export interface Storage {
  readonly storedAs: StoredAs
  /** Every column that was asked for, and whose declaration was believed; by name. */
  readonly believed: () => readonly StoredColumn[]
}

/** How the columns of a model are stored, each computed once. Elements of arrays are read as declared. */
export function storageOf(model: SemanticModel, types: StoredTypes, dialect: Dialect): Storage {
  const found = new Map<Column, StoredColumn | undefined>()
  const believed = new Map<string, StoredColumn>()
  /** Access rules read hidden objects and columns, which only the whole model has. They are not reported. */
  const whole = model.restriction?.whole
  const find = (object: string, column: Column): StoredColumn | undefined => {
    const isShown = whole === undefined || model.dataObjects.get(object)?.columns.has(column.name) === true
    const { key = [], nestedIn, closure } = (isShown ? model : whole).dataObjects.get(object) ?? {}
    // They are computed from converted ones.
    if (closure) return undefined
    if (nestedIn && column.trueValues) return storedAs(object, column, 'declared', dialect)
    if (nestedIn) return carried(nestedIn.dataObject, key.indexOf(column.name))
    if (column.source.kind !== 'physical') return undefined
    if (types === 'declared' && mayDiffer(column) && isShown) {
      const name = `${object}.${column.name}`
      believed.set(name, { name, declared: column.type, physical: undefined, collation: undefined })
    }
    return storedAs(object, column, knownOf(types, object, column.source.code), dialect)
  }
  /** An element has the key of the row that contains it, as that row stores it. */
  const carried = (parent: string, place: number): StoredColumn | undefined => {
    const { key, columns } = entryOf((model.dataObjects.has(parent) ? model : (whole ?? model)).dataObjects, parent)
    const column = place < 0 ? undefined : columns.get(key[place] ?? '')
    return column && find(parent, column)
  }
  return {
    storedAs(object, column) {
      if (!found.has(column)) found.set(column, find(object, column))
      return found.get(column)
    },
    believed: () => [...believed.keys()].sort().map((name) => entryOf(believed, name)),
  }
}

function knownOf(types: StoredTypes, object: string, code: string): PhysicalColumn | 'declared' | undefined {
  if (types === 'declared') return 'declared'
  return types === 'unknown' ? undefined : types.get(object)?.get(code)
}

/** The zones in which stored instants become days and local times; never that of a session. */
export const storageClocks = (model: SemanticModel, zone: string): StorageClocks => ({
  zone,
  naive: model.settings.defaultTimezone ?? 'UTC',
})
