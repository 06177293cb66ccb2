/** The types of values, the same on every surface (docs/column-types.md). `int` is 64-bit, `float` a double, timestamps have microseconds. */
export type DataType =
  | { readonly kind: 'string' | 'boolean' | 'int' | 'float' | 'date' | 'time' | 'timestamp_tz' | 'json' }
  | {
      readonly kind: 'timestamp'
      /** Of a stored column: as local time in the default zone of the model, or of a zone that is not known. Any other timestamp is a local time in the zone of the query. */
      readonly written?: 'in-default-zone' | 'in-unknown-zone'
    }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }

/** The name of a type without its parameters. */
export type TypeKind = DataType['kind']

const simple = (kind: Exclude<TypeKind, 'decimal'>): DataType => Object.freeze({ kind })

/** The type of texts. */
export const STRING = simple('string')
/** The type of TRUE and FALSE. */
export const BOOLEAN = simple('boolean')
/** The type of whole numbers of 64 bits. */
export const INT = simple('int')
/** The type of doubles (IEEE 754). */
export const FLOAT = simple('float')
/** The type of days, without a time. */
export const DATE = simple('date')
/** The type of times of day. */
export const TIME = simple('time')
/** The type of wall-clock times, without a zone. */
export const TIMESTAMP = simple('timestamp')
/** The type of wall-clock times as a column stores them. */
export const writtenTimestamp = (hasDefaultZone: boolean): DataType =>
  hasDefaultZone ? WRITTEN_IN_DEFAULT_ZONE : WRITTEN_IN_UNKNOWN_ZONE
const WRITTEN_IN_DEFAULT_ZONE: DataType = Object.freeze({ kind: 'timestamp', written: 'in-default-zone' })
const WRITTEN_IN_UNKNOWN_ZONE: DataType = Object.freeze({ kind: 'timestamp', written: 'in-unknown-zone' })
/** The type of instants. */
export const TIMESTAMP_TZ = simple('timestamp_tz')
/** The type of JSON texts. */
export const JSON_TYPE = simple('json')
/** The type of exact numbers with `precision` digits, `scale` of them after the point. */
export const decimal = (precision: number, scale: number): DataType => Object.freeze({ kind: 'decimal', precision, scale })

/** True of whole numbers, doubles and decimals. */
export const isNumeric = (type: DataType): boolean => type.kind === 'int' || type.kind === 'float' || type.kind === 'decimal'
/** True of dates, timestamps and instants; not of times of day. */
export const isTemporal = (type: DataType): boolean =>
  type.kind === 'date' || type.kind === 'timestamp' || type.kind === 'timestamp_tz'

/** `decimal(18,2)`, `int`, …: the spelling that responses and `parseDataType` share. */
export function formatDataType(type: DataType): string {
  return type.kind === 'decimal' ? `decimal(${type.precision},${type.scale})` : type.kind
}

/** True if both are one type, with the same precision and scale. */
export function sameType(a: DataType, b: DataType): boolean {
  return formatDataType(a) === formatDataType(b)
}

/** True if both are one type, and its times are read by one clock. */
export const sameClock = (a: DataType, b: DataType): boolean => sameType(a, b) && isInDefaultZone(a) === isInDefaultZone(b)

/** True of timestamps that are instants as soon as their zone is. */
export const isInDefaultZone = (type: DataType): boolean => type.kind === 'timestamp' && type.written === 'in-default-zone'

/** The common type of values of several types: numbers are widened, a date becomes a timestamp, other different types become string. */
export function commonType(types: readonly DataType[]): DataType {
  const [first, ...rest] = types
  return first === undefined ? STRING : rest.reduce(widen, first)
}

function widen(a: DataType, b: DataType): DataType {
  if (sameType(a, b)) return a
  if (isNumeric(a) && isNumeric(b)) return widenNumeric(a, b)
  if (isTemporal(a) && isTemporal(b)) return a.kind === 'timestamp_tz' || b.kind === 'timestamp_tz' ? TIMESTAMP_TZ : TIMESTAMP
  return STRING
}

/** The maximum number of digits of a decimal. */
export const MAX_PRECISION = 38

function widenNumeric(a: DataType, b: DataType): DataType {
  if (a.kind === 'float' || b.kind === 'float') return FLOAT
  const [x, y] = [asDecimal(a), asDecimal(b)]
  const scale = Math.max(x.scale, y.scale)
  return decimal(Math.min(MAX_PRECISION, Math.max(x.precision - x.scale, y.precision - y.scale) + scale), scale)
}

/** Precision and scale of an exact number; an int counts as 19 digits. */
export function asDecimal(type: DataType): { readonly precision: number; readonly scale: number } {
  return type.kind === 'decimal' ? type : { precision: 19, scale: 0 }
}

const SPELLINGS: ReadonlyMap<string, DataType> = new Map(
  (
    [
      [STRING, 'string varchar char character text nvarchar nchar bpchar character_varying uuid enum clob'],
      [BOOLEAN, 'boolean bool bit logical'],
      [
        INT,
        'int integer bigint smallint tinyint mediumint hugeint int2 int4 int8 int16 int32 int64 uint8 uint16 uint32 long short byteint serial bigserial',
      ],
      [FLOAT, 'float double real float4 float8 float32 float64 double_precision'],
      [DATE, 'date date32'],
      [TIME, 'time time_tz timetz time_without_time_zone time_with_time_zone'],
      [TIMESTAMP, 'timestamp datetime timestamp_ntz timestamp_without_time_zone datetime64 datetime2 smalldatetime'],
      [
        TIMESTAMP_TZ,
        'timestamp_tz timestamptz timestamp_ltz timestamp_with_time_zone timestamp_with_local_time_zone datetimeoffset',
      ],
      [JSON_TYPE, 'json jsonb variant object'],
    ] as const
  ).flatMap(([type, names]) => names.split(' ').map((name): [string, DataType] => [name, type])),
)

const DECIMAL_NAMES = new Set(['decimal', 'numeric', 'number', 'dec', 'bignumeric', 'money'])

/**
 * The type of a spelling such as `decimal(18, 2)`, `VARCHAR(20)`, `double precision` or `bigint`; `undefined` for other texts and a
 * precision out of bounds (1–38, scale at most the precision). A decimal without precision is `decimal(18,0)`, as in SQL.
 */
export function parseDataType(text: string): DataType | undefined {
  if (text.length > 100) return undefined
  // At most one blank between two words: blanks that several parts could match are tried in every way.
  const match =
    /^([A-Za-z][\w ]{0,40}?) ?(?:\( ?(\d{1,5}) ?(?:, ?(\d{1,5}) ?)?\))? ?((?:with|without)(?: local)? time zone)?$/i.exec(
      text.trim().replaceAll(/\s+/g, ' '),
    )
  if (!match) return undefined
  const name = [match[1], match[4]].filter(Boolean).join('_').toLowerCase().replaceAll(/\s+/g, '_')
  if (!DECIMAL_NAMES.has(name)) return SPELLINGS.get(name)
  const precision = match[2] === undefined ? 18 : Number(match[2])
  const scale = match[3] === undefined ? 0 : Number(match[3])
  return precision >= 1 && precision <= MAX_PRECISION && scale <= precision ? decimal(precision, scale) : undefined
}
