import type { StoredAs } from '../bind/bind-context.js'
import { entryOf } from '../invariant.js'
import type { Column, SemanticModel } from '../model/semantic-model.js'
import type { PhysicalTypes, StoredColumn } from '../model/stored-column.js'
import type { StorageClocks } from './convert-stored.js'
import type { Dialect } from './dialect.js'
import { storedAs } from './stored-as.js'

/**
 * How the columns of a model are stored, each computed once. Without `physical` the database was not asked, and a column without `sqlType`
 * is assumed to be stored as declared. Elements of arrays are read as declared.
 */
export function storageOf(model: SemanticModel, physical: PhysicalTypes | undefined, dialect: Dialect): StoredAs {
  const found = new Map<Column, StoredColumn | undefined>()
  const find = (object: string, column: Column): StoredColumn | undefined => {
    const { key = [], nestedIn } = model.dataObjects.get(object) ?? {}
    if (nestedIn) return carried(nestedIn.dataObject, key.indexOf(column.name))
    if (column.source.kind !== 'physical') return undefined
    const known = physical === undefined ? 'declared' : physical.get(object)?.get(column.source.code)
    return storedAs(object, column, known, dialect)
  }
  /** An element has the key of the row that contains it, as that row stores it. */
  const carried = (parent: string, place: number): StoredColumn | undefined => {
    const { key, columns } = entryOf(model.dataObjects, parent)
    const column = place < 0 ? undefined : columns.get(key[place] ?? '')
    return column && find(parent, column)
  }
  return (object, column) => {
    if (!found.has(column)) found.set(column, find(object, column))
    return found.get(column)
  }
}

/** The zones in which stored instants become days and local times; never that of a session. */
export const storageClocks = (model: SemanticModel, zone: string): StorageClocks => ({
  zone,
  naive: model.settings.defaultTimezone ?? 'UTC',
})
