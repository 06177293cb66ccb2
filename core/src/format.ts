/** What the author of a result format needs: the contract of formats, and the values in record batches. Names here are stable. */
export {
  BOOLEAN,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  formatDataType,
  INT,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
  type TypeKind,
} from './model/data-type.js'
export { batchFromRows } from './result/column-builder.js'
export { formatDecimal } from './result/decimal.js'
export type { Encodable, ResultFormat } from './result/formats/format.js'
export type { ColumnVector, RecordBatch, ResultColumn, ResultSchema } from './result/record-batch.js'
export { type Slice, slices } from './result/slices.js'
export { formatDate, formatTime, formatTimestamp } from './result/temporal.js'
export { isPresent } from './result/validity.js'
export { decimalAt, textAt, type Value, valueAt } from './result/value-at.js'
export { type ZoneOffset, zoneOffset } from './result/zone-offset.js'
