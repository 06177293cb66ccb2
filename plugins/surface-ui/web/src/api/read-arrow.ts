import { type Column as ArrowColumn, tableFromIPC } from '@uwdata/flechette'
import type { Receipt, Warning } from './types.js'

/** The rows of an answer, column by column. */
export interface Answer {
  readonly rowCount: number
  readonly columns: readonly Column[]
  readonly truncated: boolean
  readonly cached: boolean
  readonly cachedAt?: string
  readonly ttlSeconds?: number
  readonly timezone: string
  readonly dialect: string
  readonly sql: string
  readonly warnings: readonly Warning[]
  readonly receipt?: Receipt
  /** Until the first rows were there, by the server's clock; NaN where it does not say. */
  readonly serverMs: number
  /** From the click until the rows were here. */
  readonly totalMs: number
  readonly bytes: number
}

export type Role = 'dimension' | 'measure' | 'metric' | 'grouping' | 'field'

export interface Column {
  readonly name: string
  readonly type: string
  readonly role: Role
  readonly format?: string
  at(row: number): unknown
  /** As the server writes it for people of this language; absent where the column has no format. */
  shownAt?(row: number): string | null
}

export function readArrow(bytes: Uint8Array, { serverMs, began }: { readonly serverMs: number; readonly began: number }): Answer {
  const table = tableFromIPC(bytes, { useDate: false })
  const { fields, metadata } = table.schema
  const entries: readonly Entry[] = fields.map((field, index) => ({
    ...own(field.metadata),
    name: field.name,
    values: table.getChildAt(index),
  }))
  const columns = entries.filter(({ role }) => role !== 'display').map(columnOf(entries))
  const said = own(metadata)
  return {
    rowCount: table.numRows,
    columns,
    truncated: said.truncated === 'true',
    cached: said.cached === 'true',
    cachedAt: said.cached_at,
    ttlSeconds: said.ttl_seconds === undefined ? undefined : Number(said.ttl_seconds),
    timezone: said.timezone ?? 'UTC',
    dialect: said.dialect ?? '',
    sql: said.sql ?? '',
    warnings: JSON.parse(said.warnings ?? '[]') as Warning[],
    receipt: said.receipt === undefined ? undefined : (JSON.parse(said.receipt) as Receipt),
    serverMs,
    totalMs: performance.now() - began,
    bytes: bytes.byteLength,
  }
}

interface Entry {
  readonly name: string
  readonly type?: string
  readonly role?: string
  readonly format?: string
  readonly values: ArrowColumn<unknown>
}

/** The texts of a column are a column of their own, named after it. */
function columnOf(entries: readonly Entry[]): (entry: Entry) => Column {
  return ({ name, type = 'string', role = 'dimension', format, values }) => {
    const display = format === undefined ? undefined : entries.find((entry) => isDisplayOf(entry, name))?.values
    return {
      name,
      type,
      role: role as Role,
      format,
      at: (row) => values.at(row),
      ...(display !== undefined && { shownAt: (row: number) => display.at(row) as string | null }),
    }
  }
}

/** A number follows where a column of the answer has that very name. */
const isDisplayOf = (entry: Entry, name: string): boolean =>
  entry.role === 'display' &&
  entry.name.startsWith(`${name} (formatted`) &&
  /^(?: \d+)?\)$/.test(entry.name.slice(name.length + 11))

const own = (metadata: Map<string, string> | null | undefined): Record<string, string | undefined> =>
  Object.fromEntries(metadata ?? new Map())
