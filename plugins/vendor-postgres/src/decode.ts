import type { DataType } from '@grainline/core'

const BOOL = 16
const WHOLE = [20, 21, 23, 26]
const EXACT = [...WHOLE, 1700]
const NUMBER = [...EXACT, 700, 701]
const DATE = 1082
const MOMENTS = [DATE, 1114, 1184]
const UNKNOWN = 705

/** The numbers of `pg_type` that can be read as a planned type. Every type arrives as text, so all of them can be read as one. */
const READABLE: Readonly<Record<DataType['kind'], readonly number[] | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: [BOOL],
  int: EXACT,
  decimal: NUMBER,
  float: NUMBER,
  date: MOMENTS,
  time: [1083, 1266],
  timestamp: MOMENTS,
  timestamp_tz: MOMENTS,
}

export const fits = ({ kind }: DataType, oid: number): boolean => oid === UNKNOWN || (READABLE[kind]?.includes(oid) ?? true)

/** The value in the form of core's column builder. PostgreSQL writes dates outside 0001–9999 differently. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text === 't' || text === 'true'
    case 'date':
      return isoYear(text).split(' ')[0]
    case 'timestamp':
      return isoYear(text).replace(/[+-]\d\d(:\d\d){0,2}$/, '')
    case 'timestamp_tz':
      return isoYear(text)
    default:
      return text
  }
}

/** `0044-03-15 BC` is the year −43 of ISO 8601, `12345-01-01` has five digits. */
function isoYear(text: string): string {
  const match = /^(\d{4,})(-\d\d-\d\d.*?)( BC)?$/.exec(text)
  if (match === null || (match[1]!.length === 4 && match[3] === undefined)) return text
  const year = match[3] === undefined ? Number(match[1]) : 1 - Number(match[1])
  const sign = year < 0 ? '-' : year > 9999 ? '+' : ''
  return `${sign}${String(Math.abs(year)).padStart(sign === '' ? 4 : 6, '0')}${match[2]}`
}
