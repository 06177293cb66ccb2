/** For the author of a vendor or an evaluator: connections, rows and record batches. Names here are stable. */

export type { AnswerReader } from './execute/answer-reader.js'
export { availableMemory, bytesOfSize } from './execute/available-memory.js'
export { cancellable, type Limits } from './execute/cancellable.js'
export {
  addressOptions,
  type ConnectionPlan,
  certificatesOf,
  plansByName,
  readPemFiles,
  runOptions,
  type TlsFiles,
  tlsOption,
  type Unplaced,
  vendorOptions,
} from './execute/connection-options.js'
export { type ConnectionPool, createPool, type PoolOptions } from './execute/connection-pool.js'
export { CONNECTION_LOST, type DriverFault, driverFault, isLostByCode, oneLine } from './execute/driver-fault.js'
export type { IntrospectedColumn, IntrospectedForeignKey, IntrospectedTable } from './execute/introspection.js'
export { loadDriver } from './execute/load-driver.js'
export type {
  ArrivedColumn,
  Portion,
  RowConnectionOptions,
  RowDriver,
  RowSession,
  TextRow,
} from './execute/row-connection.js'
export { type RowVendorOptions, rowVendor } from './execute/row-vendor.js'
export {
  addressOf,
  agreed,
  readUrl,
  type ServerAddress,
  type ServerOptions,
  servedAt,
  type UrlForm,
} from './execute/server-address.js'
export { type StatementFault, statementError } from './execute/statement-fault.js'
export { type CatalogueColumn, type CatalogueKey, recordsOf, tablesOf } from './execute/tables-of.js'
export type {
  RollupStorage,
  RollupWriter,
  TypedColumn,
  Vendor,
  VendorConnection,
  VendorContext,
  VendorQuery,
} from './execute/vendor.js'
export { grouped } from './grouped.js'
export type { EvaluatedRelation, Evaluation, EvaluationRequest, Evaluator, EvaluatorFunction } from './language/evaluator.js'
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
export type { WeekStart } from './model/grain.js'
export { endWithServer, type ProcessOptions, startBeside } from './process-beside.js'
export { batchFromRows, type ColumnBuilder, columnBuilder, grown } from './result/column-builder.js'
export { fitsPrecision, formatDecimal, parseDecimal, powerOfTen, rescale } from './result/decimal.js'
export type { ColumnRole, ColumnVector, RecordBatch, ResultColumn, ResultSchema } from './result/record-batch.js'
export {
  floorDivide,
  formatDate,
  formatTime,
  formatTimestamp,
  INFINITE_DAYS,
  INFINITE_MICROS,
  parseTimestamp,
} from './result/temporal.js'
export { isPresent, ValidityBuilder } from './result/validity.js'
export { type Value, valueAt } from './result/value-at.js'
export { type ZoneOffset, zoneOffset } from './result/zone-offset.js'
