import type { DataType } from '../model/data-type.js'

/** A value of a type that replaces any other while columns are described. */
export function sampleOf({ kind }: DataType): string {
  switch (kind) {
    case 'date':
      return '2000-01-01'
    case 'timestamp':
    case 'timestamp_tz':
      return '2000-01-01 00:00:00'
    case 'time':
      return '00:00:00'
    case 'boolean':
      return 'true'
    case 'string':
    case 'json':
      return ''
    default:
      return '1'
  }
}
