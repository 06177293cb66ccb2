/** Timestamp formats of SQL tools (`TO_CHAR` and similar functions), as far as tools use them. */
import { isoTimestamp } from '@grainline/core/language'

export type FormatPart =
  | { readonly text: string }
  /** `unit` is one of the catalogue; `undefined` for fractions of a second, for which it has none. */
  | { readonly unit: string | undefined; readonly digits: number; readonly pattern: string }

const PATTERNS: Readonly<Record<string, readonly [unit: string | undefined, digits: number]>> = {
  YYYY: ['year', 4],
  MM: ['month', 2],
  DD: ['day', 2],
  HH24: ['hour', 2],
  MI: ['minute', 2],
  SS: ['second', 2],
  MS: [undefined, 3],
  US: [undefined, 6],
  Q: ['quarter', 1],
  IW: ['week', 2],
}

const TOKEN = /YYYY|HH24|MM|DD|MI|SS|MS|US|IW|Q|"([^"]*)"|[^A-Za-z"]+/gy

/** The parts of a format; `undefined` if one is unknown. */
export function formatParts(format: string): readonly FormatPart[] | undefined {
  const parts: FormatPart[] = []
  TOKEN.lastIndex = 0
  while (TOKEN.lastIndex < format.length) {
    const found = TOKEN.exec(format)
    if (!found) return undefined
    const [pattern, quoted] = found
    const known = PATTERNS[pattern]
    parts.push(known ? { unit: known[0], digits: known[1], pattern } : { text: quoted ?? pattern })
  }
  return parts
}

/** The timestamp of a text in this format; `undefined` if text or format is not understood. */
export function formattedMoment(text: string, format: string): string | undefined {
  const parts = formatParts(format)
  return parts && readFormatted(text, parts)
}

/** `YYYY-MM-DD HH:MM:SS` of a text of that form; `undefined` where it is of another, or no day of the calendar. */
export function readFormatted(text: string, parts: readonly FormatPart[]): string | undefined {
  const sources = parts.map((part) =>
    'text' in part ? part.text.replace(/[^\w\s]/g, '\\$&').replace(/\s+/g, '\\s*') : `(\\d{1,${part.digits}})`,
  )
  const values = new RegExp(`^\\s*${sources.join('')}\\s*$`).exec(text)?.slice(1)
  if (!values) return undefined
  const named = parts.flatMap((part) => ('text' in part ? [] : [part.pattern]))
  const value = (pattern: string, otherwise: string) => values[named.indexOf(pattern)] ?? otherwise
  const [month, day] = [value('MM', '1'), value('DD', '1')].map((each) => each.padStart(2, '0'))
  const [hour, minute, second] = ['HH24', 'MI', 'SS'].map((pattern) => value(pattern, '0').padStart(2, '0'))
  const fraction = value('US', '').padEnd(6, '0') === '000000' ? value('MS', '') : value('US', '')
  const tail = /[1-9]/.test(fraction) ? `.${fraction}` : ''
  return isoTimestamp(`${value('YYYY', '').padStart(4, '0')}-${month}-${day} ${hour}:${minute}:${second}${tail}`)
}
