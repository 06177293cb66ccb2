import type { DataType } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { findColumn, refuseTwice, unknownName } from './lookup.js'

/** A column of the model under its whole name, `Object.Column`. */
export interface NamedColumn {
  readonly name: string
  readonly column: ColumnRef
  readonly type: DataType
}

/** The column that a query names. Throws `RAW_FIELD_UNKNOWN_COLUMN`. */
export function namedColumn(text: string, model: SemanticModel, path: string): NamedColumn {
  const found = findColumn(text, model)
  if (found) return { name: `${found.ref.object}.${found.ref.column}`, column: found.ref, type: found.column.type }
  const what = 'not a column of this model (write Object.Column)'
  return unknownName('RAW_FIELD_UNKNOWN_COLUMN', { name: text, what, known: columnNames(model) }, path)
}

/** The columns of a list at a path of the query. Throws the same, and `INVALID_QUERY` if one is named twice. */
export function namedColumns(texts: readonly string[], model: SemanticModel, path: string): readonly NamedColumn[] {
  const columns = texts.map((text, i) => namedColumn(text, model, `${path}[${i}]`))
  refuseTwice(
    columns.map(({ name }) => name),
    path,
  )
  return columns
}

function* columnNames(model: SemanticModel): Iterable<string> {
  for (const object of model.dataObjects.values()) for (const column of object.columns.keys()) yield `${object.name}.${column}`
}
