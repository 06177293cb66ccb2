/** Further exports for our own packages and tests. Any release may change them. */

export { credentialsOf } from './auth/credential.js'
export { bindQuery } from './bind/bind-query.js'
export { factsOf, measuresAt } from './discovery/main-fact.js'
export { type FieldCatalogues, modelColumns } from './discovery/model-columns.js'
export type { Change, ModelDiff, Touched } from './discovery/model-diff.js'
export { errorCatalog } from './error-catalog.js'
export type { PluginEntry, PluginEntryObject, PluginList, PreloadEntry } from './host/config.js'
export type { Hook, Implication } from './host/plugin.js'
export { both, codeOf, entryOf, firstOf, itemAt, lastOf, messageOf, onlyOf, zip } from './invariant.js'
export {
  type Binary,
  type BinaryOperator,
  type Call,
  type Case,
  type Cast,
  type ColumnRef,
  type Expr,
  type FieldRef,
  type InList,
  type InnerNode,
  type IsNull,
  isLiteral,
  type Like,
  type Literal,
  type Unary,
  type UnaryOperator,
} from './model/expression/ast.js'
export { formatExpression } from './model/expression/format.js'
export { COMPARISONS as COMPARISON_SIGNS, parseExpression } from './model/expression/parse.js'
export { typeOf } from './model/expression/type-of.js'
export { type Typed, TypeFault, typed } from './model/expression/typed.js'
export { isoTimestamp, negate, numberLiteral, signedNumber } from './model/expression/written-literal.js'
export { FUNCTION_ALIASES, TIME_UNITS } from './model/functions/catalogue.js'
export { type Grain, lengthOfGrain, staysWithin, TIME_GRAINS } from './model/grain.js'
export { parseModelSync } from './model/load-model.js'
export { type LanguageFunction, type ModelLanguage, modelLanguage } from './model/model-language.js'
export { OPERATORS, type Operator, operatorOf } from './model/operators.js'
export {
  type AggregateMetric,
  type AggregateName,
  COMPARISONS,
  type Column,
  type ConversionMetric,
  type CumulativeMetric,
  type DataObject,
  type DerivedMetric,
  type Described,
  type Dimension,
  type Example,
  type Graded,
  type Join,
  type Measure,
  type MeasureFilterContext,
  type MeasureGrain,
  type Metric,
  type ModelCondition,
  type ModelSettings,
  type PeriodMetric,
  type SemiAdditiveTake,
  type StaticFilter,
  type TableSource,
  type WindowFunction,
  type WindowMetric,
} from './model/semantic-model.js'
export type { PhysicalColumn, PhysicalTypes, StoredColumn } from './model/stored-column.js'
export { shown } from './nearest.js'
export type { ExistsSubquery, Grouping, QueryDimension, QueryFilter, QueryOrder, RelativeRange } from './query/query-object.js'
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
export { resolveQuery } from './resolve/resolve-query.js'
export { knownNames, suggestedFields } from './resolve/suggested-fields.js'
export {
  dateText,
  floor as floorTime,
  type Micros,
  parseTime as microsOf,
  shift as shiftTime,
  timestampText,
} from './resolve/time.js'
export { builtInFormats } from './result/formats/index.js'
export { coreVariables } from './settings/core-variables.js'
export { readSettings, reportSettings } from './settings/read-settings.js'
export { withInternalFunctions } from './sql/internal-functions.js'
