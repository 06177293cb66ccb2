import { type Column as ArrowColumn, Type, tableFromIPC } from '@uwdata/flechette'
import type { Receipt, Warning } from './types.js'
import { unitByRow } from './unit-by-row.js'

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
  /** Time until the first rows, measured by the server; NaN if it does not report it. */
  readonly serverMs: number
  /** Time from the click to the last row. */
  readonly totalMs: number
  readonly bytes: number
}

const ROLES = ['dimension', 'measure', 'metric', 'grouping', 'field'] as const
export type Role = (typeof ROLES)[number]

export interface Column {
  readonly name: string
  readonly type: string
  readonly role: Role
  readonly format?: string
  /** In `{Currency}`, the column of that name has the unit of each row. */
  readonly unit?: string
  /** A number if it has every digit of the value; otherwise a bigint, or the text of a decimal. */
  at(row: number): unknown
  /** The sort key of a row, if it differs from `at`. */
  orderAt?(row: number): unknown
  /** The display text of the server for this locale; absent if the column has no format. */
  shownAt?(row: number): string | null
  /** The unit of a row, if it is not that of all rows; `undefined` if it is not known. */
  unitAt?(row: number): string | undefined
}

export function readArrow(bytes: Uint8Array, { serverMs, began }: { readonly serverMs: number; readonly began: number }): Answer {
  const table = tableFromIPC(bytes, { useDate: false, useBigInt: true, useDecimalInt: true })
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
    warnings: JSON.parse(said.warnings ?? '[]'),
    receipt: said.receipt === undefined ? undefined : JSON.parse(said.receipt),
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
  readonly unit?: string
  readonly values: ArrowColumn<unknown>
}

/** The display texts of a column are a separate column, named after it. */
function columnOf(entries: readonly Entry[]): (entry: Entry) => Column {
  return ({ name, type = 'string', role, format, unit, values }) => {
    const display = format === undefined ? undefined : entries.find((entry) => isDisplayOf(entry, name))?.values
    const unitAt = unitByRow(unit, (other) => {
      const named = entries.find((entry) => entry.name === other)?.values
      return named && ((row) => textOf(named.at(row)))
    })
    return {
      name,
      type,
      role: ROLES.find((each) => each === role) ?? 'dimension',
      format,
      unit,
      ...readerOf(values),
      ...(unitAt && { unitAt }),
      ...(display !== undefined && { shownAt: (row: number) => textOf(display.at(row)) }),
    }
  }
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

/** No digit is lost: JavaScript's numbers have about sixteen, columns of a database up to 38. */
function readerOf(values: ArrowColumn<unknown>): Pick<Column, 'at' | 'orderAt'> {
  const at = (row: number) => values.at(row)
  switch (values.type.typeId) {
    case Type.Int:
      return { at: (row) => plain(at(row)) }
    case Type.Decimal: {
      const scale = 'scale' in values.type ? Number(values.type.scale) : 0
      return { at: (row) => decimal(at(row), scale), orderAt: at }
    }
    default:
      return { at }
  }
}

const isShort = (value: bigint): boolean => value <= 9007199254740991n && value >= -9007199254740991n
const plain = (value: unknown): unknown => (typeof value === 'bigint' && isShort(value) ? Number(value) : value)

/** The value of an integer in units of the last digit: a number if fifteen digits suffice, otherwise a text with all digits. */
export function decimal(units: unknown, scale: number): unknown {
  if (typeof units !== 'bigint' && typeof units !== 'number') return units
  const text = String(units)
    .replace('-', '')
    .padStart(scale + 1, '0')
  const point = text.length - scale
  const written = `${units < 0 ? '-' : ''}${text.slice(0, point)}${scale > 0 ? `.${text.slice(point)}` : ''}`
  return text.replace(/^0+|0+$/g, '').length <= 15 ? Number(written) : written
}

/** A number is appended if a column of the answer already has that name. */
const isDisplayOf = (entry: Entry, name: string): boolean =>
  entry.role === 'display' &&
  entry.name.startsWith(`${name} (formatted`) &&
  /^(?: \d+)?\)$/.test(entry.name.slice(name.length + 11))

const own = (metadata: Map<string, string> | null | undefined): Record<string, string | undefined> =>
  Object.fromEntries(metadata ?? new Map())
