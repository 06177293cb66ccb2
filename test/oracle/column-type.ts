import { type DataType, decimal } from '../../core/src/model/data-type.js'
import type { ColumnJson } from './model.js'
import { kindOf } from './world.js'

/** The declared type of a column as the compiler represents it. */
export function columnType(column: ColumnJson): DataType {
  if (column.abstractType === 'timestamp_tz') return { kind: 'timestamp_tz' }
  const kind = kindOf(column)
  return kind === 'decimal' ? decimal(10, 2) : { kind }
}
