/** The types of values, the same on every surface (`semantics.md` §10). `int` is 64-bit, `float` a double, timestamps have microseconds. */
export type DataType =
  | { readonly kind: 'string' | 'boolean' | 'int' | 'float' | 'date' | 'time' | 'timestamp' | 'timestamp_tz' | 'json' }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }

export type TypeKind = DataType['kind']

const simple = (kind: Exclude<TypeKind, 'decimal'>): DataType => Object.freeze({ kind })

export const STRING = simple('string')
export const BOOLEAN = simple('boolean')
export const INT = simple('int')
export const FLOAT = simple('float')
export const DATE = simple('date')
export const TIME = simple('time')
export const TIMESTAMP = simple('timestamp')
export const TIMESTAMP_TZ = simple('timestamp_tz')
export const JSON_TYPE = simple('json')
export const decimal = (precision: number, scale: number): DataType => Object.freeze({ kind: 'decimal', precision, scale })

export const isNumeric = (type: DataType): boolean => type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal'
export const isTemporal = (type: DataType): boolean => type.kind === 'date' || type.kind === 'timestamp' || type.kind === 'timestamp_tz'

/** `decimal(18,2)`, `int`, …: the spelling that responses and `parseDataType` share. */
export function formatDataType(type: DataType): string {
  return type.kind === 'decimal' ? `decimal(${type.precision},${type.scale})` : type.kind
}

export function sameType(a: DataType, b: DataType): boolean {
  return formatDataType(a) === formatDataType(b)
}
