import { type DataType, fail } from '@grainline/core'
import { parseTimestamp, zoneOffset } from '@grainline/core/vendor'

const WHOLE = '(big|small|tiny)?int(eger)?'

/** The types that can be read as a planned one. All of them can be read as text. */
const READABLE: Readonly<Record<DataType['kind'], RegExp | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: /^boolean$/,
  int: new RegExp(`^(${WHOLE})$`),
  decimal: new RegExp(`^(${WHOLE}|decimal\\(.*\\))$`),
  float: new RegExp(`^(${WHOLE}|decimal\\(.*\\)|double|real)$`),
  date: /^(date|timestamp\(\d+\))$/,
  time: /^time\(\d+\)$/,
  timestamp: /^(date|timestamp\(\d+\))$/,
  timestamp_tz: /^timestamp\(\d+\) with time zone$/,
}

/** The type of a bare NULL. */
const UNKNOWN = 'unknown'

export const fits = ({ kind }: DataType, type: string): boolean => type === UNKNOWN || (READABLE[kind]?.test(type) ?? true)

/** The value in the form of core's column builder. Times have as many digits as their column. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text === 'true'
    case 'date':
      return text.split(' ')[0]
    case 'time':
    case 'timestamp':
      return micros(text)
    case 'timestamp_tz':
      return instantOf(text)
    default:
      return text
  }
}

const micros = (text: string): string => text.replace(/(\.\d{6})\d+/, '$1')

const MICROS_PER_DAY = 86_400_000_000n

/** A time arrives as the local time of its own zone, with the name of the zone. */
function instantOf(text: string): string | bigint {
  const [, wall = text, zone = 'UTC'] = /^(.+) (\S+)$/.exec(micros(text)) ?? []
  if (/^[+-]/.test(zone)) return wall + zone
  const offsetAt = zoneOffset(zone)
  const at = parseTimestamp(wall)
  if (offsetAt === undefined || at === undefined) return `${wall}Z`
  const offsets = new Set([offsetAt(at - MICROS_PER_DAY), offsetAt(at + MICROS_PER_DAY)])
  const instants = [...offsets].map((seconds) => [at - BigInt(seconds) * 1_000_000n, seconds] as const)
  const [found, ...others] = instants.filter(([instant, seconds]) => offsetAt(instant) === seconds)
  if (found === undefined || others.length > 0)
    fail('RESULT_TYPE_MISMATCH', `${text} may be two instants: write the column AT TIME ZONE 'UTC' in the model`)
  return found[0]
}
