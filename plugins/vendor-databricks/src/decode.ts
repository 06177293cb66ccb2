import type { DataType } from '@grainline/core'

const WHOLE = 'tinyint|smallint|int|bigint'
const NUMBER = new RegExp(`^(${WHOLE}|decimal\\(.*\\)|float|double)$`)
const TIME = /^(date|timestamp|timestamp_ntz)$/

/** The types, as DESCRIBE QUERY has them, that can be read as a planned one. All of them can be read as text. */
const READABLE: Readonly<Record<DataType['kind'], RegExp | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: /^boolean$/,
  int: new RegExp(`^(${WHOLE})$`),
  decimal: NUMBER,
  float: NUMBER,
  date: TIME,
  time: /^(time\(\d\)|string)$/,
  timestamp: TIME,
  timestamp_tz: TIME,
}

export const fits = ({ kind }: DataType, type: string): boolean => type === 'void' || (READABLE[kind]?.test(type) ?? true)

/** The value in the form of core's column builder. Times arrive in UTC, with as many digits as they need. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'date':
      return text.slice(0, 10)
    case 'timestamp':
    case 'timestamp_tz':
      return text.length === 10 ? `${text}T00:00:00` : text.replace(' ', 'T')
    default:
      return text
  }
}
