import type { DataType } from '@grainline/core'

const WHOLE = ['INTEGER', 'INT64']
const NUMBERS = [...WHOLE, 'NUMERIC', 'BIGNUMERIC', 'FLOAT', 'FLOAT64']
const SCALARS = [
  ...NUMBERS,
  'STRING',
  'BYTES',
  'BOOLEAN',
  'BOOL',
  'DATE',
  'TIME',
  'DATETIME',
  'TIMESTAMP',
  'JSON',
  'GEOGRAPHY',
  'INTERVAL',
]

/** The types that can be read as a planned one; a list or a struct as none. */
const READABLE: Readonly<Record<DataType['kind'], readonly string[]>> = {
  string: SCALARS,
  json: ['JSON', 'STRING'],
  boolean: ['BOOLEAN', 'BOOL'],
  int: [...WHOLE, 'NUMERIC', 'BIGNUMERIC'],
  decimal: NUMBERS,
  float: NUMBERS,
  date: ['DATE', 'DATETIME'],
  time: ['TIME', 'STRING'],
  timestamp: ['DATETIME', 'DATE'],
  timestamp_tz: ['TIMESTAMP'],
}

export const fits = ({ kind }: DataType, type: string): boolean => READABLE[kind].includes(type)

const FLOATS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

/** The value in the form that core's column builder takes. An instant is its microseconds. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'float':
      return FLOATS[text.toLowerCase()] ?? text
    case 'date':
      return text.slice(0, 10)
    case 'timestamp_tz':
      return BigInt(text)
    default:
      return text
  }
}
