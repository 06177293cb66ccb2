import type { DataType } from '@grainline/core'
import { type Value, type VendorConnection, valueAt } from '@grainline/core/vendor'
import { type Cell, exact, namesInStatement } from '../support/answers.js'
import { corpusOn, type Engine, functionsOn, type SuiteTest, suitesOn } from './suites.js'
import type { Witness } from './witness.js'

interface Opened {
  readonly engine: Omit<Engine, 'ask'>
  readonly connection: VendorConnection
}

/** The corpus and the functions on an engine that is asked through its vendor, as the service asks it. */
export const suitesThroughVendor = (
  t: SuiteTest,
  open: () => Promise<Opened | string>,
  witness: Witness,
  others: Parameters<typeof suitesOn<Engine>>[2] = {},
): Promise<void> =>
  suitesOn<Engine>(
    t,
    async () => {
      const opened = await open()
      if (typeof opened === 'string') return opened
      const { engine, connection } = opened
      const close = async (): Promise<void> => {
        await connection.close()
        await engine.close()
      }
      return { ...engine, ask: askedThrough(connection), close }
    },
    { corpus: (t, open) => corpusOn(t, open, witness), functions: (t, open) => functionsOn(t, open), ...others },
  )

/** An answer has the forms that DuckDB gives to the other side of a comparison. */
const askedThrough =
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
