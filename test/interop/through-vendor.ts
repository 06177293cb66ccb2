import type { DataType } from '@grainline/core'
import { type Value, type VendorConnection, valueAt } from '@grainline/core/vendor'
import { type Cell, exact, namesInStatement } from '../support/answers.js'
import type { Engine } from './suites.js'

/** Asks a connection of a vendor. An answer has the forms that DuckDB gives to the other side of a comparison. */
export const throughVendor =
  (connection: VendorConnection): Engine['ask'] =>
  async (sql, columns) => {
    const rows: Cell[][] = []
    for await (const batch of connection.query(sql, { schema: columns }))
      for (let row = 0; row < batch.rowCount; row++)
        rows.push(columns.map(({ type }, i) => cellOf(valueAt(batch.columns[i]!, row, type), type.kind)))
    return { columns: namesInStatement(columns), rows }
  }

function cellOf(value: Value, kind: DataType['kind']): Cell {
  if (value === null || typeof value === 'boolean') return value
  if (kind === 'float') return Number(value)
  if (kind === 'timestamp' || kind === 'timestamp_tz') return String(value).replace('T', ' ').replace('Z', '+00')
  return kind === 'string' ? String(value) : exact(String(value))
}
