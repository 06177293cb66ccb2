/** Values between our columns and DuckDB's. */
import type * as Api from '@duckdb/node-api'
import type { DataType } from '@grainline/core'
import { type ColumnVector, type Value, valueAt } from '@grainline/core/vendor'

/** One value of a column. */
interface Cell {
  readonly column: ColumnVector
  readonly row: number
  readonly type: DataType
}

/** Appends one value of a column. */
export function appendTo(appender: Api.DuckDBAppender, { column, row, type }: Cell, api: typeof Api): void {
  const value = valueAt(column, row, type)
  if (value === null) {
    appender.appendNull()
    return
  }
  switch (type.kind) {
    case 'boolean':
      appender.appendBoolean(value as boolean)
      break
    case 'int':
      appender.appendBigInt(value as bigint)
      break
    case 'float':
      appender.appendDouble(value as number)
      break
    case 'decimal':
      appender.appendDecimal(new api.DuckDBDecimalValue(unscaled(String(value)), type.precision, type.scale))
      break
    case 'date':
      appender.appendDate(new api.DuckDBDateValue((column as ColumnVector & { kind: 'date32' }).values[row]!))
      break
    case 'time':
      appender.appendTime(new api.DuckDBTimeValue(micros(column, row)))
      break
    case 'timestamp':
      appender.appendTimestamp(new api.DuckDBTimestampValue(micros(column, row)))
      break
    case 'timestamp_tz':
      appender.appendTimestampTZ(new api.DuckDBTimestampTZValue(micros(column, row)))
      break
    default:
      appender.appendVarchar(value as string)
      break
  }
}

const micros = (column: ColumnVector, row: number): bigint => (column as ColumnVector & { kind: 'int64' }).values[row]!

const unscaled = (text: string): bigint => BigInt(text.replace('.', ''))

/** A value of an answer in the form of a column builder. */
export function answerValue(value: Api.DuckDBValue, type: DataType): Value {
  if (value === null) return null
  switch (type.kind) {
    case 'boolean':
      return value as boolean
    case 'int':
      return BigInt(value as number | bigint)
    case 'float':
      return value as number
    case 'date':
      return (value as Api.DuckDBDateValue).days
    case 'time':
      return (value as Api.DuckDBTimeValue).micros
    case 'timestamp':
    case 'timestamp_tz':
      return microsOf(value as Api.DuckDBTimestampValue)
    default:
      return String(value)
  }
}

/** Whatever the unit that DuckDB counts in. */
function microsOf(value: object): bigint {
  if ('micros' in value) return value.micros as bigint
  if ('nanoseconds' in value) return (value.nanoseconds as bigint) / 1000n
  return 'milliseconds' in value
    ? (value.milliseconds as bigint) * 1000n
    : (value as { readonly seconds: bigint }).seconds * 1_000_000n
}
