import { finished } from '../finished.js'
import { equalColumns } from './join-term.js'
import type { DataObject } from './semantic-model.js'

type DataObjects = ReadonlyMap<string, Pick<DataObject, 'key' | 'joins' | 'calendar' | 'closure'>>

/** The columns of each object that identify its rows or join them. */
const known = new WeakMap<DataObjects, ReadonlyMap<string, ReadonlySet<string>>>()

/** Whether a column is part of a key, or equal to one of another object in a join, on either side. */
export const isKeyColumnOf = (dataObjects: DataObjects, object: string, column: string): boolean =>
  keysOf(dataObjects).get(object)?.has(column) ?? false

const keysOf = (dataObjects: DataObjects): ReadonlyMap<string, ReadonlySet<string>> =>
  known.get(dataObjects) ?? finished(findKeyColumns(dataObjects))

/** Finds them before the first question, in steps, because a model may have thousands of objects. */
export function* findKeyColumns(dataObjects: DataObjects): Generator<undefined, ReadonlyMap<string, ReadonlySet<string>>> {
  const keys = new Map<string, Set<string>>()
  for (const [name, { key }] of dataObjects) {
    yield
    keys.set(name, new Set(key))
  }
  for (const { closure } of dataObjects.values()) {
    const own = closure && keys.get(closure.dataObject)
    if (own) own.add(closure.key).add(closure.parent)
  }
  for (const { joins } of dataObjects.values()) {
    yield
    for (const { from, to, on } of joins) {
      const { columnsFrom, columnsTo } = equalColumns(on)
      // The day of a time in a generated calendar follows the zone of the query.
      if (dataObjects.get(to)?.calendar?.generated) continue
      for (const column of columnsFrom) keys.get(from)?.add(column)
      for (const column of columnsTo) keys.get(to)?.add(column)
    }
  }
  known.set(dataObjects, keys)
  return keys
}
