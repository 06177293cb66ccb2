/** How a value without a format is written. */
import type { Column } from '../api/read-arrow.js'

export interface Formatting {
  readonly locale: string
  readonly timezone: string
  /** The rows of the answer, so that all numbers of a column have equally many digits; without them, each number has all of its own. */
  readonly rowCount?: number
}

/** The text of a cell; `null` for NULL. */
export function shownValue(column: Column, row: number, formatter: (value: unknown) => string): string | null {
  const shown = column.shownAt?.(row)
  const value = shown === undefined || shown === null ? column.at(row) : undefined
  const text = shown ?? (value === null || value === undefined ? null : formatter(value))
  const unit = text === null ? undefined : column.unitAt?.(row)
  return unit === undefined ? text : `${text} ${unit}`
}

/** One for each column, created once: `Intl` objects are expensive. */
export function formatterFor(
  { type, role, at }: Pick<Column, 'type' | 'role'> & Partial<Pick<Column, 'at'>>,
  { locale, timezone, rowCount }: Formatting,
): (value: unknown) => string {
  const kind = /^[a-z_]+/.exec(type)?.[0] ?? ''
  switch (kind) {
    case 'int':
    case 'float':
    case 'decimal': {
      // A year or a flight number is not an amount.
      const isAmount = role !== 'dimension' && role !== 'field'
      const most = kind === 'float' ? 6 : 20
      const needed = at && rowCount !== undefined && kind !== 'int' ? digitsOf(at, rowCount) : undefined
      const scale = needed && isAmount ? amountDigits(needed) : undefined
      const digits = { minimumFractionDigits: scale ?? needed?.digits ?? 0, maximumFractionDigits: scale ?? most }
      const numbers = new Intl.NumberFormat(locale, { ...digits, useGrouping: isAmount })
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

/** The rows that show how many digits a column needs. */
const SAMPLE = 5000

interface Digits {
  /** Digits after the point that the values have, up to six. */
  readonly digits: number
  /** The largest value that is not whole. */
  readonly largest: number
}

function digitsOf(at: Column['at'], rowCount: number): Digits {
  let [largest, digits] = [0, 0]
  for (let row = 0; row < Math.min(rowCount, SAMPLE); row++) {
    const value = Math.abs(Number(at(row) ?? 0))
    if (Number.isInteger(value) || Number.isNaN(value) || isFar(value)) continue
    largest = Math.max(largest, value)
    digits = Math.max(digits, (value.toFixed(SMALL_DIGITS).replace(/0+$/, '').split('.')[1] ?? '').length)
  }
  return { digits, largest }
}

/** Two for amounts, enough for the largest of small numbers, and none if all numbers are whole. */
function amountDigits({ digits, largest }: Digits): number {
  if (digits === 0) return 0
  return largest >= 1 ? 2 : Math.min(SMALL_DIGITS, Math.max(2, 2 - Math.floor(Math.log10(largest))))
}

const SMALL_DIGITS = 6

/** A number whose digits would be meaningless, or only zeros. */
const isFar = (value: number): boolean => Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-6)

/** An empty text is visible, and distinct from NULL. */
export const NO_TEXT = '(empty)'
/** NULL where a blank would not be seen: as a heading, in a legend, in a menu. In rows it is blank. */
export const NO_VALUE = '(no value)'

/** In the time zone of the answer, in a sortable format. */
function instants(timeZone: string): Intl.DateTimeFormat {
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  return new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone })
}

export const isNumber = (type: string): boolean => /^(?:int|float|decimal)/.test(type)
