import type { DataType } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import { findColumn, unknownName } from './lookup.js'
import type { ResolveContext } from './resolved-query.js'

/** A column of the model under its whole name, `Object.Column`. */
export interface NamedColumn {
  readonly name: string
  readonly column: ColumnRef
  readonly type: DataType
}

/** The column that a query names. Throws `RAW_FIELD_UNKNOWN_COLUMN`. */
export function namedColumn(text: string, context: Pick<ResolveContext, 'model'>, path: string): NamedColumn {
  const found = findColumn(text, context.model)
  if (found) return { name: `${found.ref.object}.${found.ref.column}`, column: found.ref, type: found.column.type }
  const what = 'not a column of this model (write Object.Column)'
  return unknownName('RAW_FIELD_UNKNOWN_COLUMN', { name: text, what, known: columnNames(context) }, path)
}

function* columnNames({ model }: Pick<ResolveContext, 'model'>): Iterable<string> {
  for (const object of model.dataObjects.values()) for (const column of object.columns.keys()) yield `${object.name}.${column}`
}
