/** Values between our columns and DuckDB's. */
import type * as Api from '@duckdb/node-api'
import { type DataType, fail } from '@grainline/core'
import { type ColumnVector, isPresent, type Value, valueAt } from '@grainline/core/vendor'

/** One value of a column. */
interface Cell {
  readonly column: ColumnVector
  readonly row: number
  readonly type: DataType
}

/** Appends one value of a column. */
export function appendTo(appender: Api.DuckDBAppender, { column, row, type }: Cell, api: typeof Api): void {
  if (!isPresent(column.validity, row)) appender.appendNull()
  else if (column.kind === 'int64') appendWhole(appender, column.values[row]!, type, api)
  else if (column.kind === 'date32') appender.appendDate(new api.DuckDBDateValue(column.values[row]!))
  else appendOther(appender, valueAt(column, row, type), type, api)
}

function appendWhole(appender: Api.DuckDBAppender, value: bigint, { kind }: DataType, api: typeof Api): void {
  if (kind === 'time') appender.appendTime(new api.DuckDBTimeValue(value))
  else if (kind === 'timestamp') appender.appendTimestamp(new api.DuckDBTimestampValue(value))
  else if (kind === 'timestamp_tz') appender.appendTimestampTZ(new api.DuckDBTimestampTZValue(value))
  else appender.appendBigInt(value)
}

function appendOther(appender: Api.DuckDBAppender, value: Value, type: DataType, api: typeof Api): void {
  if (typeof value === 'boolean') appender.appendBoolean(value)
  else if (typeof value === 'number') appender.appendDouble(value)
  else if (type.kind === 'decimal')
    appender.appendDecimal(new api.DuckDBDecimalValue(unscaled(String(value)), type.precision, type.scale))
  else appender.appendVarchar(String(value))
}

const unscaled = (text: string): bigint => BigInt(text.replace('.', ''))

/** A value of an answer in the form of a column builder. */
export function answerValue(value: Api.DuckDBValue, { kind }: DataType): Value {
  if (value === null) return null
  if (typeof value === 'boolean' && kind === 'boolean') return value
  if (typeof value === 'number' && kind === 'float') return value
  if ((typeof value === 'number' || typeof value === 'bigint') && kind === 'int') return BigInt(value)
  if (typeof value === 'object') {
    if (kind === 'date' && 'days' in value) return Number(value.days)
    if (kind === 'time' || kind === 'timestamp' || kind === 'timestamp_tz') return microsOf(value)
  }
  return String(value)
}

/** Whatever the unit that DuckDB counts in. */
function microsOf(value: object): bigint {
  if ('micros' in value && typeof value.micros === 'bigint') return value.micros
  if ('nanoseconds' in value && typeof value.nanoseconds === 'bigint') return value.nanoseconds / 1000n
  if ('milliseconds' in value && typeof value.milliseconds === 'bigint') return value.milliseconds * 1000n
  if ('seconds' in value && typeof value.seconds === 'bigint') return value.seconds * 1_000_000n
  return fail('INTERNAL_ERROR', `A time of DuckDB has none of its units: ${String(value)}`)
}
