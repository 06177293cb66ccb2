/** Where columns are stored: those that show what another one holds. */
import type { ColumnRef } from './expression/ast.js'
import { mayShareTable, nameOfTable, type Stored } from './may-share-table.js'
import type { DataObject } from './semantic-model.js'

export type Named = Pick<ColumnRef, 'object' | 'column'>

/** A column of a table, and within nested data the fields that lead to the value. */
export interface StoredPlace {
  readonly table: Stored
  readonly path: readonly string[]
}

/** The code of the element itself, and that of its position. */
const [WHOLE, POSITION] = ['*', '#']

/** `undefined` for what is computed. */
export function storedPlace({ object, column }: Named, dataObjects: ReadonlyMap<string, DataObject>): StoredPlace | undefined {
  const of = dataObjects.get(object)
  const source = of?.columns.get(column)?.source
  if (!of || source?.kind !== 'physical') return undefined
  if (!of.nestedIn) return { table: of, path: [source.code.toLowerCase()] }
  const around = dataObjects.get(of.nestedIn.dataObject)
  // Its first keys are those of the row that it is in.
  const copied = around?.key[of.key.indexOf(column)]
  if (around && copied !== undefined) return storedPlace({ object: around.name, column: copied }, dataObjects)
  const array = storedPlace({ object: of.nestedIn.dataObject, column: of.nestedIn.column }, dataObjects)
  return array && { ...array, path: [...array.path, source.code.toLowerCase()] }
}

/** Columns of other places have other keys. */
export const placeKey = ({ table, path }: StoredPlace): string => JSON.stringify([nameOfTable(table), path[0]])

/** Whether one of them shows what the other holds: they are one, or one is in the other, as a field is in its element and an element in its list. */
export function overlap(one: StoredPlace, other: StoredPlace): boolean {
  const differsAt = one.path.findIndex((code, i) => other.path[i] !== code)
  const [a, b] = [one.path[differsAt], other.path[differsAt]]
  const isInside = a === undefined || b === undefined || (a === WHOLE && b !== POSITION) || (b === WHOLE && a !== POSITION)
  return isInside && mayShareTable(one.table, other.table)
}

/** Whether the first is the second, or a part of it. */
export const isWithin = (one: StoredPlace, other: StoredPlace): boolean =>
  other.path.every((code, i) => code === one.path[i]) && mayShareTable(one.table, other.table)
