/** The validated, indexed model. References never dangle here; everything is readonly and shared between sessions. */
import type { CalendarTable, RelativeDay } from './calendar-table.js'
import type { DataType } from './data-type.js'
import type { Described, FilterValue } from './described.js'
import type { FieldStatus, ModelDocument, WindowColumnFunction } from './document.js'
import { type ColumnRef, type Expr, type FieldRef, type HeldForm, leavesOf } from './expression/ast.js'
import type { Grain, TimeGrain, WeekStart } from './grain.js'
import type { Granularity } from './granularity.js'
import type { Term } from './join-term.js'
import type { Operator } from './operators.js'
import type { ModelParameter, ParameterReference, ParameterValues } from './parameter.js'
import type { RefreshContract } from './refresh.js'
import type { Unit } from './unit/unit.js'

/** A validated model: every name that it uses exists, and every map is in the order of the document. */
export interface SemanticModel {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly owner: string | undefined
  readonly version: string | number | undefined
  /** SHA-256 of the canonical merged document: the same content gives the same hash in any process. */
  readonly contentHash: string
  readonly settings: ModelSettings
  readonly dataObjects: ReadonlyMap<string, DataObject>
  readonly dimensions: ReadonlyMap<string, Dimension>
  /** Declared measures, then the row counts that `exposeCounts` adds. */
  readonly measures: ReadonlyMap<string, Measure>
  readonly metrics: ReadonlyMap<string, Metric>
  readonly filters: readonly StaticFilter[]
  readonly segments: ReadonlyMap<string, Segment>
  readonly views: ReadonlyMap<string, View>
  /** Its rollup tables. The view of a principal whom access rules bind has none. */
  readonly rollups: ReadonlyMap<string, Rollup>
  /** By name: the standard ones, and those of its calendars. */
  readonly grains: ReadonlyMap<string, Grain>
  /** What queries give values for, by name. */
  readonly parameters: ReadonlyMap<string, ModelParameter>
  readonly examples: readonly Example[]
  /** The access rules. The view of a principal does not have them. */
  readonly access?: ModelAccess | undefined
  /** In the view of a principal: what binds it. */
  readonly restriction?: Restriction | undefined
  /** In the view of a principal: what is hidden from it. */
  readonly hiding?: Hiding | undefined
  /** Fields that the query writes itself. They read what the asker sees. */
  readonly own?: ReadonlySet<string> | undefined
  /** The merged document (after `extends` and `inherits`). */
  readonly document: ModelDocument
}

export interface ModelSettings {
  readonly defaultDialect: string | undefined
  readonly defaultNumericDataType: DataType | undefined
  readonly defaultTimezone: string | undefined
  readonly overrideDatabaseTimezone: boolean
  readonly queryTimezone: string | undefined
  readonly weekStart: WeekStart
  readonly defaultLocale: string | undefined
  readonly expressionMode: 'permissive' | 'portable'
  readonly strictFilters: boolean
  readonly strictJoins: boolean
  readonly assumedJoins: boolean
  readonly strictUnits: boolean
  /** The data object whose rows the model represents in SQL, if the document names it. */
  readonly mainFact: string | undefined
}

export type { Described, FilterValue }

/** The status of a field. */
export interface Graded {
  /** The status of a metric is limited by that of its components. */
  readonly status: FieldStatus | undefined
  /** The name of the field that replaces a deprecated one. */
  readonly use: string | undefined
  /** Usable in queries and expressions, but not offered. */
  readonly hidden?: boolean
}

/** Whether a field is offered in lists, catalogues and suggestions. */
export const isOffered = ({ hidden }: Pick<Graded, 'hidden'>): boolean => hidden !== true

export type TableSource =
  | { readonly kind: 'table'; readonly database: string | undefined; readonly schema: string | undefined; readonly name: string }
  /** The days of a calendar without a table. */
  | { readonly kind: 'days' }
  /** The pairs of a closure. */
  | { readonly kind: 'closure' }
  /** A SELECT, as the author of the model wrote it, without its parentheses. */
  | { readonly kind: 'sql'; readonly sql: string }

export interface DataObject extends Described {
  readonly name: string
  readonly source: TableSource
  readonly columns: ReadonlyMap<string, Column>
  /** Names of the `primaryKey` columns, in document order; empty when none is declared. */
  readonly key: readonly string[]
  /** Further keys, whose columns may be NULL. */
  readonly uniqueKeys: readonly (readonly string[])[]
  readonly joins: readonly Join[]
  readonly comment: string | undefined
  readonly countable: boolean
  readonly countLabel: string | undefined
  /** Rows are the elements of an array column. Codes of columns are fields of an element; `*` is the element, `#` its position from 1. */
  readonly nestedIn: { readonly dataObject: string; readonly column: string } | undefined
  /** An association of other objects, without its own facts. */
  readonly bridge: boolean
  /** For a bridge: the column with the fraction of a fact that each row of the bridge represents. */
  readonly weight: string | undefined
  /** Set if its rows are days. */
  readonly calendar: CalendarTable | undefined
  /** Set if its rows are the pairs of rows of a tree. */
  readonly closure: Closure | undefined
  readonly refresh: RefreshContract | undefined
}

/** The pairs of a row and one above it, of an object whose rows name their parents. */
export interface Closure {
  readonly dataObject: string
  readonly key: string
  readonly parent: string
  /** The greatest depth that may occur. */
  readonly maxDepth: number
}

export interface Column extends Described {
  readonly name: string
  readonly source:
    | { readonly kind: 'physical'; readonly code: string }
    | { readonly kind: 'expression'; readonly expression: Expr<ColumnRef> }
    | MeasureSource
    | ExistsSource
    | WindowSource
  readonly type: DataType
  /** False if the model does not say which type it has, and no expression says it either. */
  readonly isTyped: boolean
  readonly abstractType: string
  readonly sqlType: string | undefined
  /** For a boolean that is stored as texts or whole numbers: those that are true. */
  readonly trueValues?: readonly string[] | readonly number[]
  readonly numClass: 'categorical' | 'additive' | 'non-additive' | undefined
  /** The declared one; that of a computed column may follow from others. */
  readonly unit?: Unit | undefined
  readonly primaryKey: boolean
  /** In a generated calendar: the period whose first day it is; its expression is the day itself. */
  readonly grain?: Grain
  /** In a generated calendar: the period whose name it is. */
  readonly names?: Grain
  /** For the time of a fact: how coarse the data are. */
  readonly granularity?: Granularity
  readonly comment: string | undefined
}

/** A measure or metric of the model, for each row of an object by its key. No condition of a query is inside. */
export interface MeasureSource {
  readonly kind: 'measure'
  readonly measure: string
  /** The period of a time. */
  readonly grain: Grain | undefined
  /** The named joins by which it is computed. */
  readonly pins: readonly NamedJoin[]
  /** Those that it reads, itself or through others. */
  readonly parameters: readonly string[]
}

/** Which rows of an object are looked for, and the way to them. */
export interface ExistsTest {
  readonly target: string
  /** The name of a join on the way. */
  readonly pathName: string | undefined
  /** All must be true of a row of the target. */
  readonly filters: readonly ModelCondition[]
}

/** Whether a row is found for each row of an object. No condition or path of a query is inside. */
export interface ExistsSource extends ExistsTest {
  readonly kind: 'exists'
}

/** A window function over the rows of an object that policies and filters of the model leave. No condition or path of a query is inside. */
export interface WindowSource {
  readonly kind: 'window'
  readonly function: WindowColumnFunction
  /** Columns of the object, as the others. */
  readonly partitionBy: readonly ColumnRef[]
  readonly orderBy: readonly ColumnRef[]
  /** What it reads of rows; `undefined` if it only counts or numbers them. */
  readonly column: ColumnRef | undefined
  readonly descending: boolean
  /** For `lag` and `lead`: how many rows away. */
  readonly offset: number
  /** It sees only the rows that meet all; others are NULL. */
  readonly filters: readonly ModelCondition[]
}

export interface NamedJoin {
  readonly source: string
  readonly target: string
  readonly pathName: string
}

/** Whether the rows of an object are those of a table or a SELECT: neither elements of an array, nor computed days or pairs. */
export const hasTable = ({ nestedIn, source }: Pick<DataObject, 'nestedIn' | 'source'>): boolean =>
  nestedIn === undefined && (source.kind === 'table' || source.kind === 'sql')

/** The declared keys of an object: its `primaryKey` first. */
export const keysOf = ({ key, uniqueKeys }: Pick<DataObject, 'key' | 'uniqueKeys'>): readonly (readonly string[])[] =>
  key.length > 0 ? [key, ...uniqueKeys] : uniqueKeys

/** How many rows of the two sides of a join match. */
export type Cardinality = 'many-to-one' | 'one-to-one' | 'many-to-many'

export interface Join {
  readonly from: string
  readonly to: string
  readonly cardinality: Cardinality
  /** What it compares: a row matches one of the other side if every term is true. */
  readonly on: readonly Term<string>[]
  readonly secondary: boolean
  readonly pathName: string | undefined
  readonly required: boolean
  /** Each row whose columns in it are not NULL has a match: a promise of the author about the data. */
  readonly foreignKey: boolean
}

/** A dimension of a model. */
export interface Dimension extends Described, Graded {
  readonly name: string
  readonly dataObject: string
  /**
   * The value before bucketing: a column reference, or an expression whose leaves are columns of `dataObject` or of objects that it
   * reaches.
   */
  readonly expression: Expr<ColumnRef>
  readonly column: string | undefined
  /** The type of the value before bucketing. */
  readonly type: DataType
  readonly resultType: string | undefined
  readonly timeGrain: Grain | undefined
  readonly via: string | undefined
  readonly format: string | undefined
  readonly hidden: boolean
  readonly hierarchy: readonly string[]
  /** A sort key for its values, if they are not sorted by themselves. */
  readonly sequence: readonly string[] | undefined
  /** The column of its object that orders its values: of several, the least. */
  readonly sortBy: ColumnRef | undefined
}

export type AggregateName = string

/** A measure of a model. */
export interface Measure extends Described, Graded {
  readonly name: string
  /** Canonical (`stddev` → `stddev_samp`, `variance` → `var_samp`, `sum` + `distinct` stays `sum` with `distinct`). */
  readonly aggregation: AggregateName
  /** Arguments of the aggregate: none for a row count, two for `corr` and similar functions, several for a multi-column `count_distinct`. */
  readonly inputs: readonly Expr<ColumnRef>[]
  readonly distinct: boolean
  /** All conditions must be true, only on the rows of this measure. */
  readonly filters: readonly ModelCondition[]
  readonly dataType: DataType | undefined
  readonly resultType: string | undefined
  /** The object whose rows a row count counts; `undefined` for other measures. */
  readonly rowCountOf: string | undefined
  readonly anchor: string | undefined
  readonly allowFanOut: boolean
  readonly defaultValue: string | number | boolean | undefined
  readonly delimiter: string | undefined
  readonly withinGroup: { readonly column: ColumnRef; readonly descending: boolean } | undefined
  readonly orderBy: readonly { readonly column: ColumnRef; readonly descending: boolean }[]
  readonly percentile: number | undefined
  readonly format: string | undefined
  /** The declared one; otherwise it follows from those of its columns. */
  readonly unit?: Unit | undefined
  readonly total: boolean
  readonly grain: MeasureGrain | undefined
  readonly filterContext: MeasureFilterContext | undefined
  readonly semiAdditive:
    | { readonly timeDimension: string; readonly take: SemiAdditiveTake; readonly per: readonly string[] }
    | undefined
}

/** Which value of a semi-additive measure represents a range of time. */
export type SemiAdditiveTake = 'last' | 'first' | 'avg' | 'min' | 'max'

export interface MeasureGrain {
  readonly mode: 'FIXED' | 'RELATIVE'
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly keepOnly: readonly string[]
}
export type MeasureFilterContext = MeasureGrain

/** A condition on columns, for measure filters and static filters. */
export type ModelCondition =
  | {
      readonly kind: 'leaf'
      readonly column: ColumnRef
      /** For a dimension: its declared grain, whose buckets are compared. */
      readonly grain?: Grain | undefined
      readonly operator: Operator
      /** A parameter that is a list represents all of its values. */
      readonly values: readonly (FilterValue | ParameterReference)[]
      /** Whether rows without a value are kept. */
      readonly orMissing?: true | undefined
      readonly path: string
    }
  | { readonly kind: 'expression'; readonly expression: Expr<ColumnRef> }
  /** Only filters of measures and policies have it. */
  | ExistsCondition
  | {
      readonly kind: 'group'
      readonly logic: 'and' | 'or'
      readonly filters: readonly ModelCondition[]
      readonly negated: boolean
      /** Whether rows are kept for which the opposite of its members is unknown. */
      readonly orMissing?: true | undefined
    }

/** Whether a row that meets the test connects with the row of the subject, or with `negated` none does. */
export interface ExistsCondition extends ExistsTest {
  readonly kind: 'exists'
  readonly subject: { readonly object: string; readonly via: string | undefined }
  readonly negated: boolean
  readonly path: string
}

/** Whether a part of a condition looks for other rows. */
export const looksForRows = (condition: ModelCondition): boolean =>
  condition.kind === 'exists' || (condition.kind === 'group' && condition.filters.some(looksForRows))

export interface StaticFilter {
  readonly dataObject: string
  readonly condition: ModelCondition
}

/** The access rules of a model. */
export interface ModelAccess {
  /** What the policies read of a principal, by name. */
  readonly attributes: ReadonlyMap<string, ModelParameter>
  /** The days with which policies compare, which the present decides, by what stands for them in a condition. */
  readonly relatives: ReadonlyMap<string, RelativeDay>
  readonly rows: readonly RowPolicy[]
  /** The objects that no policy binds on purpose. */
  readonly unbound: readonly string[]
  readonly fields: readonly FieldRule[]
  /** The roles that see SQL although policies bind them. */
  readonly sql: readonly string[]
}

/** Which fields do not exist for a principal. */
export interface FieldRule {
  /** The roles from which it hides nothing. */
  readonly unless: readonly string[]
  /** What it names, and all that reads it, except what it publishes. */
  readonly hidden: HiddenNames
}

export interface HiddenNames {
  /** With all their columns. */
  readonly objects: ReadonlySet<string>
  /** `object\0column`. */
  readonly columns: ReadonlySet<string>
  /** Dimensions, measures and metrics. */
  readonly fields: ReadonlySet<string>
  readonly segments: ReadonlySet<string>
}

/** The part of a view that only the compiler reads. */
export interface Hiding {
  /** The same view with what is hidden, under names that nobody can write: queries are computed by it. */
  readonly computed: SemanticModel
  /** The measures and metrics that are shown although they read what is hidden: their definitions are not. */
  readonly published: ReadonlySet<string>
  /** Those of the whole model, by which facts about the database are kept. */
  readonly dataObjects: ReadonlyMap<string, DataObject>
}

/** The model by which queries are computed. In lists of names and in what people read, the view itself is used. */
export const computedModel = (model: SemanticModel): SemanticModel => model.hiding?.computed ?? model

/** The objects of the whole model, also those that are hidden. Facts about the database are kept by them. */
export const declaredObjects = ({ dataObjects, hiding }: SemanticModel): SemanticModel['dataObjects'] =>
  hiding?.dataObjects ?? dataObjects

/** Which rows of an object remain, and with them the rows that lead to these. */
export interface RowPolicy extends StaticFilter {
  readonly name: string
  /** How people who are bound by it see it. */
  readonly label: string
  /** The roles that it does not bind. */
  readonly unless: readonly string[]
  /** The attributes and the days that it reads. */
  readonly reads: readonly string[]
  /** What lists who may see its rows: the objects that it looks into, and all that reads these. */
  readonly hidden: HiddenNames
}

/** The policies that bind a principal, with its values in them. */
export interface Restriction {
  readonly rows: readonly (StaticFilter & Pick<RowPolicy, 'label'>)[]
  /** The objects of which they remove rows: no promise that a join finds such a row counts. */
  readonly removesFrom: ReadonlySet<string>
  /** The attributes that the policies read and the principal lacks: no query has an answer. */
  readonly missing: readonly string[]
  /** Whether the principal sees no SQL. */
  readonly withholdsSql: boolean
  /** The same view with nothing hidden: policies read hidden columns and objects by their names. */
  readonly whole?: SemanticModel | undefined
  /** What the policies read that no plan depends on: its values are given when a statement is written. */
  readonly held?: ReadonlyMap<string, Held> | undefined
  /** The values of these for a principal; absent in the view that principals share. */
  readonly values?: ParameterValues | undefined
}

/** A value of access rules in a plan: of a list, the number of its values. */
export interface Held {
  readonly type: DataType
  readonly count: number | undefined
  readonly form: HeldForm
}

/** Conditions that a query may use under one name. */
export interface Segment extends Described {
  readonly name: string
  /** As in the `where` of a query. */
  readonly filters: readonly unknown[]
}

/** A selection of fields under the names that its readers use. */
export interface View extends Described {
  readonly name: string
  /** The fields of the model, by their names in the view. */
  readonly fields: ReadonlyMap<string, string>
  /** As in the `where` of a query, over the fields of the model. */
  readonly where: readonly unknown[]
  /** The data object whose rows it represents, if the author chose it. */
  readonly mainFact: string | undefined
  /** Statements without FROM read it. */
  readonly isDefault: boolean
}

/** A table with the answer of one query of the model. */
export interface Rollup extends Described {
  readonly name: string
  /** The base of its measures. */
  readonly dataObject: string
  readonly dimensions: readonly RollupDimension[]
  /** As written: metrics stand for the measures below them. */
  readonly measures: readonly string[]
  /** As in the `where` of a query. */
  readonly where: readonly unknown[]
  /** The beginnings of the names of columns, by the measures of which they are parts. */
  readonly codes: ReadonlyMap<string, string>
  readonly table: { readonly database: string | undefined; readonly schema: string | undefined; readonly name: string }
}

export interface RollupDimension {
  readonly field: string
  readonly grain: Grain | undefined
  /** The name of its column. */
  readonly code: string
}

interface MetricBase extends Described, Graded {
  readonly name: string
  readonly dataType: DataType | undefined
  readonly format: string | undefined
  /** The declared one; otherwise it follows from those of its measures. */
  readonly unit?: Unit | undefined
}

export interface DerivedMetric extends MetricBase {
  readonly type: 'derived'
  readonly expression: Expr<FieldRef>
}

export const WINDOW_FUNCTIONS = ['rank', 'dense_rank', 'row_number', 'ntile', 'lag', 'lead', 'first_value', 'last_value'] as const
export type WindowFunction = (typeof WINDOW_FUNCTIONS)[number]

/** A window function over the rows of the answer. */
export interface WindowMetric extends MetricBase {
  readonly type: 'window'
  readonly function: WindowFunction
  readonly measure: string
  readonly offset: number
  readonly buckets: number | undefined
  readonly descending: boolean | undefined
  readonly timeDimension: string | undefined
  readonly partitionBy: readonly string[]
  readonly defaultValue: string | number | boolean | undefined
}

export const COMPARISONS = ['previousValue', 'difference', 'ratio', 'percentChange'] as const

/** The base compared with itself in another period. */
export interface PeriodMetric extends MetricBase {
  readonly type: 'period_over_period'
  readonly expression: Expr<FieldRef>
  readonly timeDimension: string
  readonly grain: Grain | undefined
  readonly offset: number
  readonly offsetGrain: Grain | undefined
  /** The offset counts periods of this column of a table of days, which alone knows them. */
  readonly offsetPeriods: ColumnRef | undefined
  /** The offset counts lengths of the times that the query leaves. */
  readonly byRange: boolean
  /** Instead of an offset: the first period of this grain that contains the row. */
  readonly offsetToGrain: Grain | undefined
  readonly comparison: (typeof COMPARISONS)[number]
  /** With what a period that the query cuts is compared: the same part, or the whole period. */
  readonly compare: 'elapsed' | 'whole'
  /** Which rows it creates: also those of the compared period, or only those of the row's own. */
  readonly rows: 'all' | 'current'
  /** The times that the query leaves end at the clock. */
  readonly untilNow: boolean
}

/** The base over a window of periods that ends with the period of the row. */
export interface CumulativeMetric extends MetricBase {
  readonly type: 'cumulative'
  readonly measure: string
  readonly timeDimension: string
  readonly cumulativeType: 'sum' | 'avg' | 'min' | 'max' | 'count' | undefined
  readonly window: number | undefined
  /** The unit of `window`, if it is not the grain of the query. */
  readonly windowGrain: Grain | undefined
  readonly grainToDate: Grain | undefined
  /** NULL while the window begins before the first period in which the base has rows. */
  readonly onlyFull: boolean
  /** The times that the query leaves end at the clock. */
  readonly untilNow: boolean
  /** By default every other selected dimension. */
  readonly partitionBy: readonly string[] | undefined
}

/** An aggregate over the values of the base per group, within each row of the answer. */
export interface AggregateMetric extends MetricBase {
  readonly type: 'aggregate'
  readonly measure: string
  readonly aggregation: AggregateName
  /** Names of the dimensions whose values are the groups. */
  readonly per: readonly string[]
}

/** Events of one measure that are followed by an event of another, of the same entity, within a duration. */
export interface ConversionMetric extends MetricBase {
  readonly type: 'conversion'
  readonly base: string
  readonly conversion: string
  readonly entity: string
  /** By default the only time dimension on the events' own object. */
  readonly timeDimension: string | undefined
  readonly conversionTimeDimension: string | undefined
  readonly window: { readonly count: number; readonly unit: TimeGrain }
  readonly calculation: 'rate' | 'count'
}

/** First events whose entity takes further steps, each later than the one before, within a duration. */
export interface FunnelMetric extends MetricBase {
  readonly type: 'funnel'
  readonly steps: readonly { readonly measure: string; readonly timeDimension: string }[]
  readonly entity: string
  readonly window: { readonly count: number; readonly unit: TimeGrain }
  /** The step that must be reached, counted from 1. */
  readonly step: number
  /** The rate is of the first events, or of those that reach the step before. */
  readonly calculation: 'rate' | 'count' | 'rateOfPrevious'
  /** Entities are counted, and not events. */
  readonly distinct: boolean
}

export type Metric =
  | DerivedMetric
  | WindowMetric
  | PeriodMetric
  | CumulativeMetric
  | AggregateMetric
  | ConversionMetric
  | FunnelMetric

/** Names of the measures and metrics that are the components of a metric, each once. */
export function componentsOf(metric: Metric): readonly string[] {
  switch (metric.type) {
    case 'derived':
    case 'period_over_period':
      return [...new Set(leavesOf(metric.expression).map((leaf) => leaf.name))]
    case 'window':
    case 'cumulative':
    case 'aggregate':
      return [metric.measure]
    case 'conversion':
      return [metric.base, metric.conversion]
    case 'funnel':
      return [...new Set(metric.steps.map(({ measure }) => measure))]
  }
}

export interface Example {
  readonly name: string
  readonly description: string | undefined
  readonly intentTags: readonly string[]
  readonly query: unknown
}
