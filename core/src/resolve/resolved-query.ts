import type { ErrorDetails, Finding } from '../errors.js'
import { entryOf, type NonEmpty } from '../invariant.js'
import type { DataType } from '../model/data-type.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Grain, TimeGrain } from '../model/grain.js'
import type {
  Column,
  DataObject,
  FilterValue,
  Measure,
  ModelCondition,
  SemanticModel,
  SemiAdditiveTake,
  WindowFunction,
} from '../model/semantic-model.js'
import type { Unit } from '../model/unit/unit.js'
import type { ColumnRole } from '../result/record-batch.js'
import { ValueMap } from '../same.js'
import type { Range } from '../time-zones/ranges.js'
import type { TimeContext } from './clock.js'
import type { JoinGraph } from './join-graph.js'
import type { NamedColumn } from './named-column.js'
import type { RowExpr } from './relation-column.js'
import type { TimeCondition } from './time-condition.js'

/** A query with every name replaced by the thing that it names. It depends on no dialect and contains no SQL. */
export type ResolvedQuery = AggregateQuery | GroupedQuery | DimensionQuery | RawQuery | BehindQuery

export interface QueryBase {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly time: TimeContext
  readonly where: readonly Conjunct[]
  readonly order: readonly ResolvedOrder[]
  readonly limit: number | undefined
  readonly offset: number | undefined
  readonly strictFilters: boolean
  readonly warnings: readonly Finding[]
  /** Present if a dimension has `top`: the query that returns the values with their own groups. */
  readonly top?: AggregateQuery | undefined
  /** The names of the columns of row sets, here and in inner queries. The planner gives its own columns other names. */
  readonly columnNames: ReadonlySet<string>
  /** The data object whose tuples are rows of the answer, whatever is selected. */
  readonly rowsOf?: string | undefined
  /** The current periods that its relative conditions use. */
  readonly clockUnits: readonly Grain[]
}

/** Measures and metrics by dimensions; without selected measures the rows are the tuples of the dimensions. */
export interface AggregateQuery extends QueryBase {
  readonly kind: 'aggregate'
  readonly dimensions: readonly ResolvedDimension[]
  /** Evaluations over rows, each once, however many fields need it. */
  readonly aggregates: readonly ResolvedAggregate[]
  /** Metrics in dependency order: each reads dimensions, aggregates and earlier steps of the row set. */
  readonly steps: readonly MetricStep[]
  readonly folds: readonly Fold[]
  readonly nested: readonly Nested[]
  /** Values that only sort rows, looked up by selected dimensions. What nothing reads is not computed. */
  readonly sorts: readonly ResolvedAggregate[]
  /** Set if the answer's rows are those of the windows of another query's rows. */
  readonly over: PeriodWindow | undefined
  readonly fill: Fill | undefined
  readonly outputs: readonly Output[]
  readonly having: RowExpr | undefined
  readonly fanOut: boolean
  /** One row for each row of this data object; only dimensions are selected then. */
  readonly everyRowOf: string | undefined
  /** The times of its selected metrics over time, for people who read the answer. */
  readonly timeRanges?: readonly TimeRange[] | undefined
}

/** Two ends as text: a first and a last day, or moments, of which the second is no longer in it; `null` is an open end. */
export interface TimeRangeText {
  readonly from: string | null
  readonly to: string | null
}

/** The times of a metric over time at one level of an answer. */
export interface TimeRange extends TimeRangeText {
  readonly metric: string
  /** The time dimension along which the metric runs. */
  readonly time: string
  /** The dimensions that group the level; none for the total. */
  readonly level: readonly string[]
  /** From the first to the last time with which the level is compared. */
  readonly compared?: TimeRangeText
}

/** Subtotals: every level is a separate answer, recomputed from rows; their rows are united, then sorted and paged. */
export interface GroupedQuery extends QueryBase {
  readonly kind: 'grouped'
  /** The detail level first. Each has the same outputs under the same names: `outputs`, then hidden sort keys. */
  readonly levels: readonly AggregateQuery[]
  /** Set if only the rows of the tuples that it returns count (`of: shown`): its outputs are all dimensions of the query, by their names. */
  readonly shown?: AggregateQuery | undefined
  /** The rows of each level are those of these tuples, whatever its aggregates have. */
  readonly rowsAreShown?: boolean
  readonly outputs: readonly Output[]
}

/** The tuples of dimensions that never occur together (`dimensions_exclude`). */
export interface DimensionQuery extends QueryBase {
  readonly kind: 'exclude'
  readonly dimensions: readonly ResolvedDimension[]
  readonly sorts: readonly ResolvedAggregate[]
  readonly outputs: readonly Output[]
}

export interface RawQuery extends QueryBase {
  readonly kind: 'raw'
  readonly base: string
  readonly fields: readonly { readonly name: string; readonly column: ColumnRef; readonly type: DataType }[]
  readonly outputs: readonly Output[]
  readonly distinct: boolean
}

/** The rows from which a cell of an answer was computed, their total, or their number. */
export interface BehindQuery extends QueryBase {
  readonly kind: 'behind'
  /** The level of the query that contains the cell, with only the requested measure. */
  readonly level: AggregateQuery
  /** The condition of the cell on each dimension of the level, over its column. */
  readonly cell: readonly { readonly dimension: ResolvedDimension; readonly condition: RowExpr }[]
  readonly shown?: AggregateQuery | undefined
  readonly shows: CellView['shows']
  /** The columns of a row, in place of all that its object has. */
  readonly columns?: readonly NamedColumn[] | undefined
}

/** A cell of an answer, and the requested view of it. */
export interface CellView {
  /** Values of dimensions, by their names in the answer. Dimensions that a subtotal aggregates are absent. */
  readonly cell: Readonly<Record<string, FilterValue>>
  readonly shows: 'rows' | 'value' | 'count'
  /** The columns that rows show, as `Object.Column`; by default the groups and all columns of their object. */
  readonly columns?: readonly string[] | undefined
}

/** Where a value of the model is read: from an object, on the path that `via` names. */
export interface FieldSource {
  /** For messages. */
  readonly name: string
  readonly object: string
  readonly via: string | undefined
  /** Before bucketing; its columns belong to `object` or to objects that it reaches. */
  readonly expression: Expr<ColumnRef>
  readonly type: DataType
}

/** A column of the answer's key. `name` is unique among all columns of the row set, in any case; `label` is its name in the answer. */
export interface ResolvedDimension {
  readonly name: string
  readonly label: string
  readonly type: DataType
  /** One member, or those of a coalesce dimension in order, or all that an ad-hoc dimension reads. */
  readonly members: NonEmpty<FieldSource>
  /** For an ad-hoc dimension: its value, instead of that of its members. */
  readonly expression?: Expr<FieldLeaf>
  readonly grain: Grain | undefined
  /** Grouped by the period whose range, moved so, contains the time. */
  readonly movedBy?: readonly FinerMove[] | undefined
  /** A sort key for its values, if they are not sorted by themselves. */
  readonly sequence?: readonly string[] | undefined
  /** The column of its object that orders its values. */
  readonly sortBy?: ColumnRef | undefined
  readonly format: string | undefined
  /** The type of the time that the answer shows in place of its date or local time, and its zone. */
  readonly shownAs?: { readonly type: DataType; readonly zone: string } | undefined
  /** Set if only the values of `top` are kept, and the others become NULL, or are left out without `others`. */
  readonly top?: { readonly others: string | undefined } | undefined
  /** Set if the result does not show it: the columns of a calendar that together identify this time. */
  readonly periodColumns?: readonly ResolvedDimension[]
  /** Set if its values are numbers of periods that only a table of days knows. */
  readonly ofTable?: TableGrain
  readonly path: string
}

/** A grain of a table of days itself, and the column that names its periods. */
export interface TableGrain {
  readonly calendar: string
  readonly own: number
  readonly column: string
  /** Set if the numbers are those of places in periods of this longer grain of the table. */
  readonly placedIn?: number
}

/** By how much the ranges of periods are moved: by units that are finer than the periods, and by others after such a one. */
export interface FinerMove {
  readonly unit: Grain
  readonly count: number
}

/** One distinct aggregate: a measure at its base, with its filters. `name` is unique in the row set. */
export interface ResolvedAggregate {
  readonly name: string
  readonly measure: Measure
  readonly base: string
  readonly type: DataType
  /** A count: 0 if there are rows but none counts. */
  readonly emptyIsZero: boolean
  /** Selected, or an input of a selected metric: its rows are rows of the answer; at another period, their other dimensions are. */
  readonly contributesRows: boolean
  readonly filters: readonly ModelCondition[]
  /** The dimensions by which it is grouped: those of the query, or fewer if the measure has its own grain. */
  readonly dimensions: readonly ResolvedDimension[]
  /** The conjuncts of the query that apply to it. */
  readonly conjuncts: readonly Conjunct[]
  /** Those that apply to the tuples of its rows, if its grain is coarser than a row of the answer. */
  readonly conjunctsOfTuples: readonly Conjunct[]
  /** Set if it reads rows past the range that chooses the rows of its query: it is looked up for those of its tuples. */
  readonly isPastRange?: true | undefined
  /** Looked up at another period than the row's own. */
  readonly shift: Shift | undefined
  /** Read at another time than the row's own: without a row there it is NULL, for counts, too. */
  readonly isElsewhere: boolean
  /** Set if the value is that of one period only: the other dimensions of its rows are rows of the answer in that period. */
  readonly rowsAt?: RowsAt | undefined
  /** Evaluated over the rows of a window of periods that ends with the row's own. */
  readonly window: PeriodWindow | undefined
  /** Set if values cannot be summed over time: they are selected per entity from one time, or aggregated over times, then summed. */
  readonly semiAdditive: SemiAdditive | undefined
  /** Set if the rows are events of which only the converting ones count. */
  readonly converts: Conversion | undefined
  /** The funnel whose entities it counts instead of rows. */
  readonly ofEntities?: string | undefined
  /** Set if it reads facts that are joined only at its base. */
  readonly multiFact: MultiFact | undefined
  /** For the bridges through which it is read: the share of each connection of a row. */
  readonly weights: readonly Weight[]
  readonly path: string
}

/** An aggregate of the rows of its base at their own time, as they are. */
export const OF_OWN_ROWS = {
  shift: undefined,
  isElsewhere: false,
  window: undefined,
  semiAdditive: undefined,
  converts: undefined,
  multiFact: undefined,
  weights: [],
} as const satisfies Partial<ResolvedAggregate>

/** The column of a bridge with the fraction of a fact that each of its rows represents. */
export interface Weight {
  readonly bridge: string
  readonly column: string
}

/** Facts that are summed per row of the object where they are joined, before an expression over them is evaluated there. */
export interface MultiFact {
  /** The key of that object. */
  readonly keys: readonly ResolvedDimension[]
  readonly facts: readonly { readonly object: string; readonly sums: readonly FactSum[] }[]
  /** True if the model does not name the object. */
  readonly assumed: boolean
}

export interface FactSum {
  readonly column: ColumnRef
  readonly name: string
  readonly type: DataType
  readonly measure: Measure
}

/**
 * Base events that are followed by later ones of the same entity within `count` units: by one of each kind, in their order. All are grouped by entity
 * and time.
 */
export interface Conversion {
  readonly base: ResolvedAggregate
  readonly later: readonly ResolvedAggregate[]
  /** The events of a funnel, which have a time. */
  readonly inOrder: boolean
  readonly unit: TimeGrain
  readonly count: number
}

/** The time and the entities of a semi-additive measure, at their declared grains. */
export interface SemiAdditive {
  readonly time: ResolvedDimension
  readonly per: readonly ResolvedDimension[]
  readonly take: SemiAdditiveTake
  /** The type of the measure at one time. */
  readonly perTime: DataType
}

/** The periods that a row includes, and the dimensions whose values its rows share. */
export interface PeriodWindow {
  readonly time: ResolvedDimension
  /** The time in whole periods: the dimension itself if it has a grain. */
  readonly period: ResolvedDimension
  /** The period of a row, from the time that it shows. */
  readonly own: RowExpr
  readonly partition: readonly ResolvedDimension[]
  readonly grain: Grain
  /** The number of periods, including the row's own. Without it: from the start of `toDate`, or else all up to the row's own. */
  readonly periods: number | undefined
  /** The unit of `periods`, if it is not `grain`. A period counts if it begins after the row's own period shifted back by so many units. */
  readonly unit: Grain | undefined
  /** The first period of a window that ends with a part of a row, in place of a number of periods. */
  readonly since?: RowExpr
  readonly toDate: Grain | undefined
  /** The dimensions that group the rows within the window. */
  readonly groupBy: readonly ResolvedDimension[]
}

/** Periods without rows that become rows of the answer. */
export interface Fill {
  /** A dimension with a grain. */
  readonly time: ResolvedDimension
  /** Other dimensions of the same time, which follow its period: coarser grains, and columns of a calendar, which have none. */
  readonly siblingGrains: readonly ResolvedDimension[]
  /** From the first to the last period of each tuple of the other dimensions, instead of all rows. */
  readonly perTuple: boolean
  /** From the first to the last period of these times, with rows or without, instead of those of the rows. */
  readonly range?: GapRange
}

/** Local times; an end that is absent is that of the rows, or that of `reached` if it is further out. */
export interface GapRange {
  readonly from: bigint | undefined
  readonly to: bigint | undefined
  /** Ends of some of the aggregates, where others have none. */
  readonly reached: Range
  /** Conditions on columns of a calendar table, whose days are further ends. */
  readonly named: readonly Conjunct[]
  /** Conditions on attributes of a calendar: only the periods with a day that they leave. */
  readonly attributes: readonly Conjunct[]
}

/** Per-period values, aggregated over the window of each row. */
export interface Fold {
  readonly name: string
  readonly type: DataType
  readonly aggregate: 'sum' | 'avg' | 'min' | 'max' | 'count'
  /** Groups by the window's time and partition; its last output is the value. */
  readonly query: AggregateQuery
  readonly window: PeriodWindow
}

/** An inner query: its values are aggregated per row of the answer, or looked up at another period. */
export interface Nested {
  readonly name: string
  readonly type: DataType
  /** Its last output is the value. */
  readonly query: AggregateQuery
  /** Those of its dimensions that the rows of the answer have, too. */
  readonly dimensions: readonly ResolvedDimension[]
  /** How the values of one row are aggregated; `undefined` if there is one. */
  readonly aggregate: string | undefined
  readonly emptyIsZero: boolean
  /** A count at another time, which is NULL without groups. */
  readonly emptyIsNull?: boolean
  /** Its rows are rows of the answer. */
  readonly contributesRows: boolean
  readonly shift: Shift | undefined
  readonly rowsAt?: RowsAt | undefined
  readonly window: PeriodWindow | undefined
  readonly path: string
}

/** The key of another period, over the row set, instead of the time dimension's own. */
export interface Shift {
  readonly dimension: ResolvedDimension
  /** The time in whole periods, by which the other rows are grouped: the dimension itself if it has a grain. */
  readonly period: ResolvedDimension
  /** The grain for offsets: that of the whole query, also on a coarser level of subtotals. */
  readonly finest: Grain
  /** Other dimensions of the same time; they are not keys of the lookup. */
  readonly siblingGrains: readonly ResolvedDimension[]
  readonly key: RowExpr
  /** The distance of the key from the row's own period: the sum of these. */
  readonly steps: readonly ShiftStep[]
  /** Whether the period of a row is one that the query cuts and whose part is read apart: what is found at the key is no row of that period. */
  readonly apart?: RowExpr | undefined
}

/** The only period whose rows look up a value that is read for it: one that the query cuts. */
export interface RowsAt {
  readonly shift: Shift
  readonly from: bigint
  /** Whether the row is of the period. */
  readonly isOwn: RowExpr
}

/** The minimum and maximum number of periods of a grain; negative for earlier ones. */
export interface ShiftStep {
  readonly grain: Grain
  readonly from: number
  readonly to: number
}

export type MetricStep = ExpressionStep | WindowStep

interface StepBase {
  readonly name: string
  readonly type: DataType
  readonly path: string
  /** That of the metric, if the model declares one. */
  readonly unit?: Unit | undefined
}

export interface ExpressionStep extends StepBase {
  readonly kind: 'expression'
  readonly expression: RowExpr
}

/** A window function over the rows of the answer in which its own measure has a row; other rows are NULL, and it does not see them. */
export interface WindowStep extends StepBase {
  readonly kind: 'window'
  readonly function: WindowFunction | 'min' | 'max'
  /** The columns of the values whose rows these are: aggregates and inner queries. */
  readonly rowsOf: readonly string[]
  /** The same at the periods with which its measure compares. */
  readonly rowsComparedWith: readonly string[]
  /** Whether the query selects it: it then adds the rows of its measure to the answer. */
  readonly addsRows: boolean
  /** The periods that would be reported for its measure alone. */
  readonly gaps?: Pick<GapRange, 'from' | 'to' | 'reached'>
  /** Rows that do not meet this are NULL. */
  readonly where?: RowExpr
  /** Empty, or the value and the further arguments of the function. */
  readonly args: readonly RowExpr[]
  readonly partitionBy: readonly RowExpr[]
  readonly orderBy: readonly SortKey<RowExpr>[]
}

/** A sort key over expressions of a stage. */
export interface SortKey<E> {
  readonly expression: E
  readonly type: DataType
  readonly descending: boolean
  readonly nullsFirst: boolean
  /** The texts of the key in sort order, if they are not sorted by themselves. */
  readonly sequence?: readonly string[] | undefined
}

export const ascending = <E>(expression: E, type: DataType): SortKey<E> => ({
  expression,
  type,
  descending: false,
  nullsFirst: false,
})

export interface Output {
  readonly name: string
  readonly role: ColumnRole
  readonly type: DataType
  /** Over the row set; the declared type is applied by `displayAs`, once. */
  readonly expression: RowExpr
  readonly displayAs: DataType | undefined
  readonly format: string | undefined
  /** The text that is displayed for NULL. */
  readonly ofNull?: string | undefined
  /** The order of the values, as for a dimension. */
  readonly sequence?: readonly string[] | undefined
}

export interface ResolvedOrder extends SortKey<RowExpr> {
  /** The output column that it names, if it names one. */
  readonly output: string | undefined
  /** Identifies a key that is no output and whose expression is not the same on every level of subtotals. */
  readonly of?: string
}

/** A top-level condition of `where`: it applies to an aggregate as a whole or not at all. */
export interface Conjunct {
  readonly expression: Expr<WhereLeaf>
  /** All fields that it reads, also if the expression is constant. */
  readonly leaves: readonly ReachedLeaf[]
  readonly path: string
  /** The fields it reads, for messages. */
  readonly fields: readonly string[]
  /** The query does not write it: it is part of what the measure means. */
  readonly ofMeasure?: true
  /** The parts of its expression that compare times. */
  readonly times?: readonly TimedPart[]
  /** It is an expression over the present. */
  readonly ofClock?: true
  /** It is no expression: the values of these dimensions are those of a detail row that the answer shows (`of: shown`). */
  readonly shown?: readonly ResolvedDimension[]
  /** The times for which some of these stand, such as a year and a month number. */
  readonly calendarTimes?: readonly ResolvedDimension[]
}

/** A part of an expression, and the comparison of times in it. */
export interface TimedPart {
  readonly expression: Expr<WhereLeaf>
  readonly condition: TimeCondition<WhereLeaf>
}

/** The parts of a conjunct's expression that compare times, by their expression. */
export const timedParts = (times: Conjunct['times'] = []): ValueMap<Expr<WhereLeaf> & object, TimeCondition<WhereLeaf>> =>
  new ValueMap(times.map(({ expression, condition }) => [expression, condition] as const))

export type WhereLeaf = ReachedLeaf | PeriodEndLeaf

/** A part of a condition that a base must reach. */
export type ReachedLeaf = FieldLeaf | ExistsLeaf

/** The unbucketed value of a field. Several members: the coalesce dimension's choice per aggregate. */
export interface FieldLeaf {
  readonly kind: 'where-field'
  readonly members: NonEmpty<FieldSource>
  readonly type: DataType
  readonly name: string
}

/** The first or the last day of a calendar table that satisfies `filter`, over its own columns. Every base can read it. */
export interface PeriodEndLeaf {
  readonly kind: 'where-period-end'
  readonly end: 'first' | 'last'
  readonly calendar: string
  /** The column of its days. */
  readonly day: string
  readonly filter: Expr<WhereLeaf>
}

/** True if a row of `target` that satisfies `filter` is connected to the subject's row. */
export interface ExistsLeaf {
  readonly kind: 'where-exists'
  readonly subject: FieldSource
  readonly target: string
  readonly pathName: string | undefined
  readonly filter: Expr<FieldLeaf> | undefined
  readonly path: string
}

/** A measure or metric as a column of the row set. */
export interface RowField {
  readonly name: string
  /** Reads the value, with the measure's `defaultValue` in place of NULL. */
  readonly expression: RowExpr
  readonly type: DataType
  readonly displayAs: DataType | undefined
  readonly format: string | undefined
  readonly role: 'measure' | 'metric'
}

/** Types of times, by the names of columns. */
export type ShownTypes = Readonly<Record<string, DataType>>

/** The parts of the host that resolving a query needs. */
export interface ResolveOptions {
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly now: Date
  readonly defaultLimit: number | undefined
  /** Instead of the tuples of the dimensions, one row for each row of this data object, in any order. */
  readonly everyRowOf?: string | undefined
  /** Dimensions that the answer shows as times of another type than their periods have, by name. */
  readonly shownAs?: ShownTypes | undefined
  /** Instead of the answer, the rows behind one cell of it. */
  readonly behind?: CellView | undefined
}

/** The context of every resolving step. */
export interface ResolveContext {
  readonly model: SemanticModel
  readonly graph: JoinGraph
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly warn: (code: Finding['code'], message: string, details?: Omit<ErrorDetails, 'findings' | 'cause'>) => void
  /** Notes that the query depends on the current period of a grain. */
  readonly readClock: (unit: Grain) => void
}

export const columnOf = (model: SemanticModel, ref: ColumnRef): Column => entryOf(objectOf(model, ref.object).columns, ref.column)
export const objectOf = (model: SemanticModel, name: string): DataObject => entryOf(model.dataObjects, name)

/** Dimensions are the same if the same column contains them. */
export const isDimension = (a: Pick<ResolvedDimension, 'name'>, b: Pick<ResolvedDimension, 'name'> | undefined): boolean =>
  a.name === b?.name
export const hasDimension = (all: readonly ResolvedDimension[], one: ResolvedDimension): boolean =>
  all.some((d) => isDimension(d, one))

/** A time, and other dimensions of the same time at coarser grains. */
type TimeOfQuery = Pick<Fill, 'time' | 'siblingGrains'> | Pick<Shift, 'dimension' | 'siblingGrains'>

/** Whether a dimension is this time, at any grain in the query. */
export const isOfTime = (one: ResolvedDimension, of: TimeOfQuery): boolean =>
  isDimension(one, 'time' in of ? of.time : of.dimension) || hasDimension(of.siblingGrains, one)

/** The name by which grains, partitions and time dimensions denote a selected dimension, at any grain in the query. */
export const nameOfDimension = ({ members, label, expression }: ResolvedDimension): string =>
  members.length === 1 && !expression ? members[0].name : label
