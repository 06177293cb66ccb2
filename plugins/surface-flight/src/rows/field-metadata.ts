import type { DataType } from '@grainline/core'
import { formatDataType, type ResultColumn } from '@grainline/core/format'

/** The metadata of a column that drivers read besides the Arrow type: https://arrow.apache.org/docs/format/FlightSql.html */
export function sqlMetadata({ type }: ResultColumn): Record<string, string> {
  const { precision, scale } = sizeOf(type)
  return {
    'ARROW:FLIGHT:SQL:TYPE_NAME': formatDataType(type).replace(/\(.*/, ''),
    ...(precision !== undefined && { 'ARROW:FLIGHT:SQL:PRECISION': String(precision) }),
    ...(scale !== undefined && { 'ARROW:FLIGHT:SQL:SCALE': String(scale) }),
    'ARROW:FLIGHT:SQL:IS_AUTO_INCREMENT': '0',
    'ARROW:FLIGHT:SQL:IS_CASE_SENSITIVE': type.kind === 'string' || type.kind === 'json' ? '1' : '0',
    'ARROW:FLIGHT:SQL:IS_READ_ONLY': '1',
    'ARROW:FLIGHT:SQL:IS_SEARCHABLE': '1',
  }
}

/** The number of digits, and of digits after the point. Texts have no maximum length. */
export function sizeOf(type: DataType): { readonly precision?: number; readonly scale?: number } {
  switch (type.kind) {
    case 'decimal':
      return { precision: type.precision, scale: type.scale }
    case 'int':
      return { precision: 19, scale: 0 }
    case 'float':
      return { precision: 15 }
    case 'boolean':
      return { precision: 1 }
    case 'date':
      return { precision: 10 }
    case 'time':
      return { precision: 15, scale: 6 }
    case 'timestamp':
    case 'timestamp_tz':
      return { precision: 26, scale: 6 }
    case 'string':
    case 'json':
      return {}
  }
}
