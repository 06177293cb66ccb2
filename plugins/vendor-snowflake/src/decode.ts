import type { DataType } from '@grainline/core'
import { floorDivide } from '@grainline/core/vendor'
import type { SnowflakeDate } from './driver.js'

const NUMBERS = ['fixed', 'real', 'decfloat']
const MOMENTS = ['date', 'timestamp_ntz', 'timestamp_ltz', 'timestamp_tz']

/** The types, as the driver calls them, that can be read as a planned one. All of them can be read as text. */
const READABLE: Readonly<Record<DataType['kind'], readonly string[] | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: ['boolean'],
  int: ['fixed'],
  decimal: NUMBERS,
  float: NUMBERS,
  date: MOMENTS,
  time: ['time', 'text'],
  timestamp: MOMENTS,
  timestamp_tz: MOMENTS,
}

/** A NULL of no type is announced as an empty text. */
export const fits = ({ kind }: DataType, type: string): boolean => READABLE[kind]?.includes(type) ?? true

const MICROS_PER_DAY = 86_400_000_000n
const FLOATS: Readonly<Record<string, string>> = { nan: 'NaN', inf: 'Infinity', '-inf': '-Infinity' }

/** The value in the form of core's column builder. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'TRUE'
    case 'float':
      return FLOATS[text.toLowerCase()] ?? text
    case 'time':
      return text.replace(/(\.\d{6})\d+$/, '$1')
    case 'date':
      return Number(floorDivide(micros(text), MICROS_PER_DAY))
    case 'timestamp':
    case 'timestamp_tz':
      return micros(text)
    default:
      return text
  }
}

/** Converts a value that the driver does not return as text to seconds and nanoseconds, which `decode` reads. */
export const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return value
  const { getEpochSeconds, getNanoSeconds } = value as Partial<SnowflakeDate>
  return getEpochSeconds && getNanoSeconds ? `${getEpochSeconds()} ${getNanoSeconds()}` : String(value)
}

/** Finer digits than a microsecond are cut. */
function micros(text: string): bigint {
  const [seconds, nanos = '0'] = text.split(' ')
  return BigInt(seconds!) * 1_000_000n + BigInt(nanos) / 1000n
}
