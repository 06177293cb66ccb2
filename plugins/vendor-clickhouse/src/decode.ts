import type { DataType } from '@grainline/core'
import type { TextRow } from '@grainline/core/vendor'

/** The types that can be read as a planned one, without wrappers around them. All of them can be read as text. */
const READABLE: Readonly<Record<DataType['kind'], RegExp | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: /^(Bool|U?Int8)$/,
  int: /^U?Int\d+$/,
  decimal: /^(U?Int\d+|Decimal\(.*\)|Float\d+)$/,
  float: /^(U?Int\d+|Decimal\(.*\)|Float\d+|BFloat16)$/,
  date: /^(Date|Date32|DateTime|DateTime64)\b/,
  time: /^(Time|Time64|String)\b/,
  timestamp: /^(Date|Date32|DateTime|DateTime64)\b/,
  timestamp_tz: /^(Date|Date32|DateTime|DateTime64)\b/,
}

/** The type of a value that is there. */
export const bare = (type: string): string => {
  const inner = /^(?:Nullable|LowCardinality)\((.*)\)$/s.exec(type)?.[1]
  return inner === undefined ? type : bare(inner)
}

const NOTHING = 'Nothing'

export const fits = ({ kind }: DataType, type: string): boolean =>
  bare(type) === NOTHING || (READABLE[kind]?.test(bare(type)) ?? true)

/** The value in the form of core's column builder. Times arrive in UTC, with as many digits as the column has. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true' || text === '1'
    case 'float':
      return FLOATS[text] ?? text
    case 'date':
      return text.slice(0, 10)
    case 'time':
    case 'timestamp':
    case 'timestamp_tz':
      return text.replace(/Z$/, '').replace(/(\.\d{6})\d+$/, '$1')
    default:
      return text
  }
}

const FLOATS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

/** The escapes of the format TabSeparated: https://clickhouse.com/docs/interfaces/formats/TabSeparated */
const SIGNS: Readonly<Record<string, string>> = { b: '\b', f: '\f', r: '\r', n: '\n', t: '\t', 0: '\0' }

/** The cells of a line; `\N` is NULL. */
export const rowOf = (line: string): TextRow => line.split('\t').map((cell) => (cell === '\\N' ? null : textOf(cell)))

const textOf = (cell: string): string =>
  cell.includes('\\') ? cell.replace(/\\(.)/gs, (_, sign: string) => SIGNS[sign] ?? sign) : cell
