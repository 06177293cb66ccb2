/**
 * What the author of a language needs: the contract of languages, queries as JSON, types of data, expressions of the model, and what a
 * model says of its fields. Names here are stable.
 */
export { combines } from './discovery/combines.js'
export { factsOf, measuresAt } from './discovery/main-fact.js'
export { commentOf, type FieldCatalogues, modelColumns } from './discovery/model-columns.js'
export { textOfUnit, unitOfColumn, unitOfField } from './discovery/units.js'
export { defaultView, viewRelation } from './discovery/view-relation.js'
export { warning } from './errors.js'
export { FairLine } from './fair-line.js'
export { FairShares } from './fair-shares.js'
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
export type { FilterValue } from './model/described.js'
export { type BinaryOperator, type Expr, type FieldRef, isLiteral, type Literal } from './model/expression/ast.js'
export { formatExpression } from './model/expression/format.js'
export { COMPARISONS as COMPARISON_SIGNS } from './model/expression/parse.js'
export { typeOf } from './model/expression/type-of.js'
export { isoTimestamp, negate, numberLiteral, signedNumber } from './model/expression/written-literal.js'
export { FUNCTION_ALIASES, TIME_UNITS } from './model/functions/catalogue.js'
export { type Grain, lengthOfGrain, nameOfGrain, staysWithin, TIME_GRAINS, unitOfGrain, type WeekStart } from './model/grain.js'
export { type Granularity, textOfSpread } from './model/granularity.js'
export { granularityOf } from './model/granularity-of.js'
export type { GivenValue } from './model/parameter.js'
export { componentsOf, computedModel, type Dimension, isOffered, type Measure } from './model/semantic-model.js'
export { didYouMean, nearest, shown } from './nearest.js'
export { aggregateType } from './resolve/aggregate-type.js'
export { bucketType } from './resolve/bucket.js'
export { type Clock, clockAt, currentPeriod } from './resolve/clock.js'
export {
  allOf,
  anyOf,
  binary as binaryOf,
  call as callOf,
  isNull,
  literal as literalOf,
  not as negation,
} from './resolve/expressions.js'
export { splitGrain } from './resolve/fields.js'
export { type JoinGraph, joinGraph } from './resolve/join-graph.js'
export { find as findNamed, findColumn } from './resolve/lookup.js'
export { propagatesNull } from './resolve/propagates-null.js'
export { withQueryColumns } from './resolve/query-columns.js'
export { knownNames, suggestedFields } from './resolve/suggested-fields.js'
export { fieldOfSynonym } from './resolve/synonyms.js'
export {
  dateText,
  floor as floorTime,
  parseTime as microsOf,
  shift as shiftTime,
  timestampText,
} from './resolve/time.js'
export { batchFromRows } from './result/column-builder.js'
export type { RecordBatch, ResultColumn, ResultSchema } from './result/record-batch.js'
export { type ZoneOffset, zoneOffset } from './result/zone-offset.js'
export type { Micros } from './time-zones/ranges.js'
export { instantOf } from './time-zones/wall-clock.js'
