/** How a value without a format is written. */
import type { Column } from '../api/read-arrow.js'

export interface Formatting {
  readonly locale: string
  readonly timezone: string
}

/** The text of a cell; `null` for NULL. */
export function shownValue(column: Column, row: number, formatter: (value: unknown) => string): string | null {
  const shown = column.shownAt?.(row)
  if (shown !== undefined && shown !== null) return shown
  const value = column.at(row)
  return value === null || value === undefined ? null : formatter(value)
}

/** One for each column, created once: `Intl` objects are expensive. */
export function formatterFor(
  { type, role }: Pick<Column, 'type' | 'role'>,
  { locale, timezone }: Formatting,
): (value: unknown) => string {
  const kind = /^[a-z_]+/.exec(type)?.[0] ?? ''
  switch (kind) {
    case 'int':
    case 'float':
    case 'decimal': {
      // A year or a flight number is not an amount.
      const useGrouping = role !== 'dimension' && role !== 'field'
      const numbers = new Intl.NumberFormat(locale, { maximumFractionDigits: kind === 'float' ? 6 : 20, useGrouping })
      // Texts are decimals that have more digits than a number; `Intl` reads them digit by digit.
      if (kind !== 'float') return (value) => numbers.format(value as number | bigint | Intl.StringNumericLiteral)
      const powers = new Intl.NumberFormat(locale, { notation: 'scientific', maximumFractionDigits: 6 })
      return (value) => (isFar(Number(value)) ? powers : numbers).format(Number(value) || 0)
    }
    case 'date':
      return (value) => new Date(Number(value)).toISOString().slice(0, 10)
    case 'timestamp':
      return (value) =>
        new Date(Number(value))
          .toISOString()
          .replace('T', ' ')
          .replace(/(?::00)?\.000Z$|Z$/, '')
    case 'timestamp_tz': {
      const times = instants(timezone)
      return (value) => times.format(Number(value)).replace(',', '')
    }
    case 'boolean':
      return (value) => (value ? 'yes' : 'no')
    default:
      return (value) => (typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
}

/** A number whose digits would be meaningless, or only zeros. */
const isFar = (value: number): boolean => Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6)

/** An empty text is visible, and distinct from NULL. */
export const NO_TEXT = '(empty)'

/** In the time zone of the answer, in a sortable format. */
function instants(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone })
}

export const isNumber = (type: string): boolean => /^(?:int|float|decimal)/.test(type)
