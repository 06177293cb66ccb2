/** What the author of a language needs: the contract of languages, queries as JSON, and types of data. Names here are stable. */
export { warning } from './errors.js'
export { FairLine } from './fair-line.js'
export type { Evaluator } from './language/evaluator.js'
export type {
  Catalogue,
  CatalogueKind,
  Language,
  ModelQuery,
  ModelScope,
  NamedModel,
  OverRelations,
  Preview,
  Program,
  ProgramOptions,
  Reading,
  ReadProgram,
  ReadRequest,
  RelationQuery,
  ShownColumn,
  SqlParameter,
  SqlRelation,
} from './language/language.js'
export type { DimensionJson, FilterJson, OrderJson, QueryJson } from './language/query-json.js'
export { Lru } from './lru.js'
export type { ReadSql, SqlOfAuthors } from './model/author-rights.js'
export {
  BOOLEAN,
  commonType,
  DATE,
  type DataType,
  decimal,
  FLOAT,
  formatDataType,
  INT,
  isNumeric,
  isTemporal,
  JSON_TYPE,
  STRING,
  TIME,
  TIMESTAMP,
  TIMESTAMP_TZ,
} from './model/data-type.js'
export { nameOfGrain } from './model/grain.js'
export { componentsOf, type FilterValue } from './model/semantic-model.js'
export { didYouMean, nearest } from './nearest.js'
export { batchFromRows } from './result/column-builder.js'
export type { RecordBatch, ResultColumn, ResultSchema } from './result/record-batch.js'
export { type ZoneOffset, zoneOffset } from './result/zone-offset.js'
