import type { Finding } from '../errors.js'
import type { TimeContext } from '../resolve/clock.js'
import type { RowExpr } from '../resolve/relation-column.js'
import type {
  AggregateQuery,
  BehindQuery,
  DimensionQuery,
  Fill,
  Fold,
  GroupedQuery,
  Nested,
  Output,
  PeriodWindow,
  RawQuery,
  ResolvedDimension,
  RowsAt,
  Shift,
} from '../resolve/resolved-query.js'
import type {
  BoundBlock,
  BoundClosure,
  BoundFrom,
  BoundRows,
  Condition,
  FactsInWindows,
  FoundRows,
  NamedExpr,
  RowColumn,
  WindowedRows,
} from './bound-block.js'
import type { TablesRead } from './rollups/table-sources.js'

/** A query whose rows are decided: the joins that it reads, the conditions that reach it, and the grain at which it counts. */
export interface BoundQuery {
  /** Its outputs are the columns of the answer. */
  readonly rows: BoundRowSet
  readonly limit: number | undefined
  readonly offset: number | undefined
  /** Chooses the values of a dimension that are separate groups: a number of its rows, in order. */
  readonly top: BoundTop | undefined
  /** The columns over other rows that it reads, each after those that it reads itself. */
  readonly measureColumns: readonly BoundMeasured[]
  /** The base of every block, in the order of the plan. */
  readonly bases: readonly string[]
  readonly warnings: readonly Finding[]
  /** The tables of the model, in lower case. Relations that a plan creates must not have their names. */
  readonly tables: ReadonlySet<string>
  /** The rules for speed that changed a request. */
  readonly rules: readonly string[]
  /** Where its aggregates are read. */
  readonly tablesRead: TablesRead
}

/** A column over other rows: a query by the key of its object, the rows that are found, those of a window function, or the pairs of a closure. */
export interface BoundMeasured {
  readonly of: string
  readonly rows: BoundAggregateQuery | FoundRows | WindowedRows | BoundClosure
}

export interface BoundTop {
  readonly rows: BoundAggregateQuery
  readonly n: number | undefined
}

export type BoundRowSet = BoundAggregateQuery | BoundGrouped | BoundExclude | BoundRaw | BoundBehind | BoundDimensionRows

/** Blocks at the grain of the query, the values that are looked up for their rows, and the values computed from both. */
export interface BoundAggregateQuery
  extends Pick<AggregateQuery, 'kind' | 'dimensions' | 'steps' | 'outputs' | 'having' | 'order' | 'over'> {
  /** The values of blocks and of inner queries, as the steps read them. */
  readonly values: readonly RowColumn[]
  /** The blocks that create the rows of the answer, or provide values for them. */
  readonly legs: readonly BoundLeg[]
  readonly nested: readonly BoundNested[]
  readonly lookups: readonly BoundLookup[]
  readonly cumulative: readonly BoundCumulative[]
  readonly folds: readonly BoundFold[]
  /** Inner queries that run over the windows of the rows. */
  readonly nestedOverRows: readonly BoundNested[]
  readonly fill: BoundFill | undefined
  /** Its rows are those of shown detail rows: what reads other times has further ones. */
  readonly rowsAreShown?: boolean
}

export interface BoundLeg {
  readonly block: BoundBlock
  /** Set if the query runs over the rows of windows. */
  readonly over: BlockWindow | undefined
  /** Its rows are rows of the answer. */
  readonly contributesRows: boolean
}

/** A block at a coarser grain or another period. */
export interface BoundLookup {
  readonly block: BoundBlock
  readonly shift: Shift | undefined
  readonly rowsAt?: RowsAt | undefined
  /** At another period, with all other dimensions of the query. */
  readonly isWhole: boolean
  /** These other dimensions are rows of the answer. */
  readonly addsRows: boolean
  /** Its groups are values: none is NULL. */
  readonly ofValues?: true | undefined
}

/** A block over the rows of each row's window. */
export interface BoundCumulative {
  readonly block: BoundBlock
  readonly over: BlockWindow
}

/** A window, as far as a block is grouped by its dimensions. */
export interface BlockWindow {
  readonly window: PeriodWindow
  readonly facts: FactsInWindows | undefined
}

/** An inner query. */
export interface BoundNested extends Omit<Nested, 'query' | 'path'> {
  readonly query: BoundAggregateQuery
  /** The base of its first block. */
  readonly base: string
  /** A column that is one in each row that it has. */
  readonly mark?: RowColumn
  /** At another period: its other dimensions are rows of the answer. */
  readonly addsRows: boolean
}

export interface BoundFold extends Omit<Fold, 'query'> {
  readonly query: BoundAggregateQuery
}

export interface BoundFill extends Fill {
  readonly clocks: Pick<TimeContext, 'zone' | 'naiveZone' | 'weekStart'>
  readonly calendars: readonly CalendarColumns[]
  readonly days: DaysOfGaps
}

/** What a calendar says about the range of periods that are reported. */
export interface DaysOfGaps {
  /** The days of the periods that conditions name; the first and the last are ends. */
  readonly named: CalendarDays | undefined
  /** The days that the conditions on attributes leave, or a condition on the period itself. */
  readonly left: CalendarDays | RowExpr | undefined
}

export interface CalendarDays {
  readonly kind: 'days'
  readonly rows: BoundRows
  readonly where: readonly RowExpr[]
  readonly day: RowExpr
}

/** The columns of a calendar table for the periods of a time. */
export type CalendarColumns = ComputedColumns | LookedUpColumns

interface ColumnsOfCalendar {
  /** A row that shows a period need not have the columns of the period. */
  readonly isApart: boolean
}

/** Over the periods themselves. */
interface ComputedColumns extends ColumnsOfCalendar {
  readonly kind: 'computed'
  readonly columns: readonly NamedExpr[]
}

interface LookedUpColumns extends ColumnsOfCalendar {
  readonly kind: 'looked-up'
  readonly rows: BoundRows
  /** The period of each of its days. */
  readonly period: NamedExpr
  readonly columns: readonly NamedExpr[]
}

export interface BoundGrouped extends Pick<GroupedQuery, 'kind' | 'outputs' | 'order'> {
  readonly levels: readonly BoundAggregateQuery[]
  /** Set if only the rows behind these detail rows count. */
  readonly shown?: BoundTuples
}

/** The detail rows that an answer shows: the values of its dimensions. */
export interface BoundTuples {
  readonly rows: BoundAggregateQuery
  readonly limit: number | undefined
  readonly offset: number | undefined
}

export interface BoundExclude extends Pick<DimensionQuery, 'kind' | 'outputs' | 'order'> {
  readonly dimensions: readonly ResolvedDimension[]
  /** By dimension: the blocks with its values. */
  readonly values: readonly (readonly BoundBlock[])[]
  readonly occurring: readonly BoundBlock[]
  /** What sorts the tuples. */
  readonly lookups: readonly BoundLookup[]
}

export interface BoundRaw extends Pick<RawQuery, 'kind' | 'outputs' | 'order' | 'distinct'> {
  readonly from: BoundFrom
  readonly where: readonly Condition[]
  readonly fields: readonly NamedExpr[]
  readonly key: readonly NamedExpr[]
  /** A row can meet the conditions several times, so its key identifies it. */
  readonly multiplies: boolean
  readonly paged: boolean
}

export interface BoundBehind extends Pick<BehindQuery, 'kind' | 'shows'> {
  readonly block: BoundBlock
  /** For shown rows: groups by their name, and more values as the block reads them. */
  readonly outputs: readonly Output[]
  /** The sort keys of shown rows for paging. */
  readonly ties: readonly Output[]
  readonly tuples?: BoundTuples
}

/** The dimensions of every row of an object, including duplicates. */
export interface BoundDimensionRows {
  readonly kind: 'dimension-rows'
  readonly block: BoundBlock
  readonly outputs: readonly Output[]
}
