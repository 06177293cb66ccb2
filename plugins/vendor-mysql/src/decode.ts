import type { DataType } from '@grainline/core'

const WHOLE = [1, 2, 3, 8, 9, 13, 16]
const EXACT = [...WHOLE, 0, 246]
const NUMBER = [...EXACT, 4, 5]
const MOMENTS = [7, 10, 12, 14, 17, 18]
const NULL = 6

/** The type numbers of the protocol that can be read as a planned type. All of them can be read as text. */
const READABLE: Readonly<Record<DataType['kind'], readonly number[] | undefined>> = {
  string: undefined,
  json: undefined,
  boolean: WHOLE,
  int: EXACT,
  decimal: NUMBER,
  float: NUMBER,
  date: MOMENTS,
  time: [11, 19],
  timestamp: MOMENTS,
  timestamp_tz: MOMENTS,
}

export const fits = ({ kind }: DataType, type: number): boolean => type === NULL || (READABLE[kind]?.includes(type) ?? true)

/** The value in the form of core's column builder. A zero date, which is not a day of the calendar, fits no type and is refused there. */
export function decode(text: string, { kind }: DataType): unknown {
  switch (kind) {
    case 'boolean':
      return text !== '0' && text !== '\u0000'
    case 'date':
      return text.split(' ')[0]
    default:
      return text
  }
}
