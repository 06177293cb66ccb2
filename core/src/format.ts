/** What the author of a result format needs: the contract of formats, and the values in record batches, as text and bytes. Names here are stable. */
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
export { type ArrowIpc, type ArrowMessage, loadArrowIpc, writeBody } from './result/arrow-ipc.js'
export { batchFromRows } from './result/column-builder.js'
export { formatDecimal, powerOfTen } from './result/decimal.js'
export { writeDigits, writeHundredths, writePadded, writePair } from './result/digits.js'
export { withDisplay } from './result/display/with-display.js'
export { DOUBLE_BYTES, writeDouble } from './result/double-digits.js'
export type { Encodable, ResultFormat } from './result/formats/format.js'
export { builtInFormats } from './result/formats/index.js'
export { encodeJsonRows, type JsonColumn, jsonColumns } from './result/json-rows.js'
export type { ColumnVector, RecordBatch, ResultColumn, ResultSchema } from './result/record-batch.js'
export { type Slice, slices } from './result/slices.js'
export { civilFromDays, formatDate, formatTime, formatTimestamp, INFINITE_DAYS, INFINITE_MICROS } from './result/temporal.js'
export { isPresent } from './result/validity.js'
export { decimalAt, textAt, type Value, valueAt } from './result/value-at.js'
export { type Made, WholeBatches, wholeOf } from './result/whole-batches.js'
export { type ZoneOffset, zoneOffset } from './result/zone-offset.js'
export { answerMetadata } from './service/answer-metadata.js'
