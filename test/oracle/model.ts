/** Plain documents (model, data, query) as the oracle reads them. Only the parts that it evaluates are declared. */

export type Json = null | string | number | boolean | readonly Json[] | { readonly [key: string]: Json | undefined }

import type { CalendarJson } from './fiscal.js'
import type { Shown } from './shown.js'

export interface ModelJson {
  readonly settings?: {
    readonly weekStart?: 'monday' | 'sunday'
    readonly defaultNumericDataType?: string
    readonly queryTimezone?: string
    readonly defaultTimezone?: string
  }
  readonly dataObjects: Readonly<Record<string, ObjectJson>>
  readonly dimensions?: Readonly<Record<string, DimensionJson>>
  readonly measures?: Readonly<Record<string, MeasureJson>>
  readonly metrics?: Readonly<Record<string, MetricJson>>
  readonly filters?: readonly StaticFilterJson[]
  readonly segments?: Readonly<Record<string, { readonly filters: readonly FilterJson[] }>>
  readonly views?: Readonly<Record<string, ViewJson>>
  readonly calendars?: Readonly<Record<string, CalendarJson>>
  readonly exposeCounts?: boolean
  readonly countLabelPattern?: string
  readonly version?: number
  readonly name?: string
  readonly parameters?: Readonly<Record<string, ParameterJson>>
}

export interface ParameterJson {
  readonly type: string
  readonly list?: boolean
  readonly default?: Json
  readonly nullable?: boolean
}

export interface ObjectJson {
  readonly code: string
  readonly columns: Readonly<Record<string, ColumnJson>>
  readonly joins?: readonly JoinJson[]
  readonly countable?: boolean
  readonly countLabel?: string
  readonly nestedIn?: ColumnAddress
  /** An association of other objects, without its own facts. */
  readonly bridge?: boolean
  /** The column with the fraction of a row on the other side that a row of the bridge represents. */
  readonly weight?: string
  /** Its rows are days. */
  readonly calendar?: CalendarTableJson
  readonly uniqueKeys?: readonly (readonly string[])[]
  /** Its rows are the pairs of a row and one above it. */
  readonly closure?: ClosureJson
}

export interface ClosureJson {
  readonly dataObject: string
  readonly key: string
  readonly parent: string
  readonly maxDepth?: number
}

/** The column with the day, and the periods of which other columns are functions: `month`, `month_of_year`, `fiscal_year`. */
export interface CalendarTableJson {
  /** Without it the calendar is generated. */
  readonly key?: string
  readonly grain?: 'day'
  readonly from?: Json
  readonly to?: Json
  readonly periods?: Readonly<Record<string, string>>
  /** Of the oracle: a table that was made of a generated calendar. */
  readonly isGenerated?: true
}

export interface ColumnJson {
  readonly code?: string
  readonly expression?: string
  readonly abstractType: string
  readonly sqlType?: string
  readonly trueValues?: readonly string[] | readonly number[]
  readonly primaryKey?: boolean
  /** For the time of a fact: the data have one value for each such period. */
  readonly granularity?: string
  /** Sums are divided among the days of a period. */
  readonly spread?: 'even' | { readonly over: string }
  /** A measure of the rows that belong to a row. */
  readonly measure?: string
  readonly grain?: string
  readonly usePathNames?: readonly { readonly source: string; readonly target: string; readonly pathName: string }[]
  /** The object of which a row that meets `filters` connects, or none does. */
  readonly exists?: string
  readonly pathName?: string
  readonly filters?: readonly FilterJson[]
  /** A window function over the rows of the object. */
  readonly window?: WindowedJson
}

export interface WindowedJson {
  readonly function: 'row_number' | 'rank' | 'dense_rank' | 'lag' | 'lead' | 'first_value' | 'last_value' | 'sum' | 'count'
  readonly partitionBy?: readonly string[]
  readonly orderBy?: readonly string[]
  readonly column?: string
  readonly direction?: 'asc' | 'desc'
  readonly offset?: number
  /** All hold for the rows that it sees. */
  readonly filters?: readonly FilterJson[]
}

export interface JoinJson {
  readonly joinType: 'many-to-one' | 'one-to-one' | 'many-to-many'
  readonly joinTo: string
  readonly columnsFrom: readonly string[]
  readonly columnsTo: readonly string[]
  readonly secondary?: boolean
  readonly pathName?: string
  readonly required?: boolean
  readonly foreignKey?: boolean
  readonly granularity?: string
  readonly spread?: 'even' | { readonly over: string }
  readonly during?: DuringJson
  readonly asOf?: AsOfJson
}

/** The interval of one side in which a time of the other must be. */
export interface DuringJson {
  readonly interval?: 'there' | 'here'
  readonly time: string
  readonly from: string
  readonly to: string
  readonly includesEnd?: boolean
  readonly zone?: string
}

/** The row of the target that is the last at or before a time, or the first at or after it. */
export interface AsOfJson {
  readonly time: string
  readonly to: string
  readonly direction?: 'backward' | 'forward'
  readonly within?: string
  readonly zone?: string
}

export interface DimensionJson {
  readonly dataObject: string
  readonly column?: string
  readonly expression?: string
  readonly resultType?: string
  readonly timeGrain?: string
  readonly via?: string
  /** The column of its object that orders its values. */
  readonly sortBy?: string
  readonly bins?: BinsJson
  /** Of the oracle: a time that the answer does not show, for which these dimensions stand. */
  readonly toldBy?: readonly string[]
}

export interface BinsJson {
  readonly size?: number
  readonly edges?: readonly number[]
  readonly labels?: readonly string[]
}

export interface ColumnAddress {
  readonly dataObject: string
  readonly column: string
}

export interface MeasureJson {
  readonly aggregation: string
  readonly columns?: readonly ColumnAddress[]
  readonly expression?: string
  readonly distinct?: boolean
  readonly dataType?: string
  readonly resultType?: string
  readonly filters?: readonly MeasureFilterJson[]
  readonly anchor?: string
  readonly allowFanOut?: boolean
  readonly defaultValue?: string | number | boolean
  readonly delimiter?: string
  /** The fraction of `percentile`. */
  readonly percentile?: number
  readonly withinGroup?: { readonly column: ColumnAddress; readonly order?: string }
  readonly total?: boolean
  readonly grain?: GrainJson
  readonly filterContext?: GrainJson
  readonly semiAdditive?: SemiAdditiveJson
  readonly orderBy?: readonly { readonly column: ColumnAddress; readonly order?: string }[]
}

export interface SemiAdditiveJson {
  readonly timeDimension: string
  readonly take: 'last' | 'first' | 'avg' | 'min' | 'max'
  readonly per?: readonly string[]
}

/** The dimensions of `grain` and `filterContext`. */
export interface GrainJson {
  readonly mode?: 'FIXED' | 'RELATIVE'
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
  readonly keepOnly?: readonly string[]
}

export interface TypedValueJson {
  readonly dataType: string
  readonly valueString?: string
  readonly valueInt?: number
  readonly valueFloat?: number
  readonly valueBoolean?: boolean
  readonly valueDate?: string
}

/** A negative operator or negated group may keep what is unknown. */
export interface OrMissing {
  readonly orMissing?: boolean
}

export type MeasureFilterJson =
  | ({ readonly column: ColumnAddress; readonly operator: string; readonly values: readonly TypedValueJson[] } & OrMissing)
  | LeafJson
  | { readonly expression: string }
  | ({ readonly logic: 'and' | 'or'; readonly filters: readonly MeasureFilterJson[]; readonly negated?: boolean } & OrMissing)

export interface MetricJson {
  readonly type?: string
  readonly expression?: string
  readonly dataType?: string
  readonly measure?: string
  readonly timeDimension?: string
  readonly partitionBy?: readonly string[]
  readonly windowFunction?: string
  readonly offset?: number
  readonly buckets?: number
  readonly orderDirection?: 'asc' | 'desc'
  readonly defaultValue?: string | number | boolean
  readonly periodOverPeriod?: PeriodJson
  readonly cumulativeType?: string
  /** Periods; for a conversion a length of time such as `7d`. */
  readonly window?: number | string
  readonly windowGrain?: string
  readonly grainToDate?: string
  readonly onlyFull?: boolean
  readonly untilNow?: boolean
  readonly aggregation?: string
  readonly per?: readonly string[]
  readonly base?: string
  readonly conversion?: string
  readonly entity?: string
  readonly conversionTimeDimension?: string
  readonly calculation?: 'rate' | 'count' | 'rateOfPrevious'
  readonly steps?: readonly { readonly measure: string; readonly timeDimension: string }[]
  readonly step?: number
  readonly distinct?: boolean
}

export interface PeriodJson {
  /** Of the oracle: the column of a table whose periods an offset counts. */
  readonly offsetPeriods?: string
  readonly timeDimension: string
  readonly grain?: string
  readonly offset?: number
  readonly offsetGrain?: string
  readonly offsetToGrain?: string
  readonly comparison?: string
  /** `whole`: a period that the query cuts is compared with a whole one. */
  readonly compare?: 'elapsed' | 'whole'
  /** `current`: rows of the compared period create none. */
  readonly rows?: 'all' | 'current'
  readonly untilNow?: boolean
}

/** Fields of the model under other names. */
export interface ViewJson {
  readonly fields: readonly { readonly field: string; readonly as: string }[]
  readonly where?: readonly WrittenJson[]
}

export interface StaticFilterJson extends OrMissing {
  readonly dataObject: string
  readonly column: string
  readonly operator: string
  readonly value?: Json
  readonly values?: readonly Json[]
}

/** A plain value. Decimals are strings, dates and timestamps ISO text. */
export type Cell = string | number | boolean | null
/** The elements of an array column: values, or fields by the code of their columns. */
export type Elements = readonly (Cell | { readonly [code: string]: Cell | Elements | NoList })[]
/** What a JSON column contains instead of an array: it has no elements. */
export type NoList = { readonly [key: string]: number }
/** A row of one object, by the names of its columns. */
export type PlainRow = Readonly<Record<string, Cell | Elements | NoList>>
export type Tables = Readonly<Record<string, readonly PlainRow[]>>

export interface QueryJson {
  readonly select: {
    readonly dimensions?: readonly (
      | string
      | { readonly coalesce: readonly string[]; readonly as: string; readonly grain?: string }
    )[]
    readonly measures?: readonly string[]
    readonly fields?: readonly string[]
    readonly distinct?: boolean
  }
  readonly where?: readonly WrittenJson[]
  readonly having?: readonly HavingJson[]
  readonly order_by?: readonly {
    readonly field: string | number
    readonly direction?: 'asc' | 'desc'
    readonly nulls?: 'first' | 'last'
  }[]
  readonly limit?: number
  readonly offset?: number
  readonly use_path_names?: readonly { readonly source: string; readonly target: string; readonly path_name: string }[]
  readonly allow_fan_out?: boolean
  readonly dimensions_exclude?: boolean
  readonly grouping?:
    | 'rollup'
    | 'cube'
    | { readonly sets: 'rollup' | 'cube' | readonly (readonly string[])[]; readonly of?: 'all' | 'shown' }
  readonly strict_filters?: boolean
  readonly fill_gaps?: boolean | 'range'
  readonly timezone?: string
  /** Each measure beside its value in another period. */
  readonly compare?: {
    readonly time: string
    readonly unit: string
    readonly count?: number
    readonly show?: readonly ('previousValue' | 'difference' | 'ratio' | 'percentChange')[]
    readonly until_now?: boolean
  }
  readonly top?: {
    readonly dimension: string
    readonly by: string
    readonly n: number
    readonly order?: 'asc' | 'desc'
    readonly others?: string
  }
  readonly rows_of?: string
  /** Times for which columns stand in some levels of subtotals only; not written by people. */
  readonly ofLevels?: readonly string[]
  readonly view?: string
  readonly parameters?: Readonly<Record<string, Json>>
}

/** A query with its segments expanded. */
export type PlainQueryJson = Omit<QueryJson, 'where'> & { readonly where?: readonly FilterJson[] }

/** A condition on the rows of the answer. */
export type HavingJson = FilterJson | { readonly expression: string }

export const withoutExpressions = (having: readonly HavingJson[] = []): readonly FilterJson[] =>
  having.filter((f): f is FilterJson => !('expression' in f))

/** No query has it: what holds for the days of a calendar in place of a condition, because these do not have the time of the fact that it reads. */
interface OfDays {
  readonly ofDays?: { readonly calendar: string; readonly filter: FilterJson }
}

export interface LeafJson extends OrMissing, OfDays {
  readonly field: string
  /** The dimension of the column, by which filter contexts name it. */
  readonly as?: string
  readonly op: string
  readonly value?: Json
  readonly subquery?: { readonly dataObject: string; readonly pathName?: string; readonly filter?: readonly FilterJson[] }
  /** No query has it: the row is one behind a detail row that the answer shows. */
  readonly shown?: Shown
  /** No query has it: only the days of a calendar table say the value. */
  readonly ofTable?: true
}
/** As in a query: segments by name among the conditions. */
export type WrittenJson =
  | string
  | { readonly segment: string }
  | FilterJson
  | ({ readonly logic: 'and' | 'or'; readonly filters: readonly WrittenJson[]; readonly negated?: boolean } & OrMissing)
  | (Omit<LeafJson, 'subquery'> & {
      readonly subquery: Omit<NonNullable<LeafJson['subquery']>, 'filter'> & { readonly filter: readonly WrittenJson[] }
    })
/** With the conditions of segments in their place. */
export type FilterJson =
  | LeafJson
  | ({ readonly logic: 'and' | 'or'; readonly filters: readonly FilterJson[]; readonly negated?: boolean } & OrMissing & OfDays)

/** The model as an author writes it: the type of a measure is found, and not written beside a column that is its value; the columns of a closure are known. */
export const asWritten = ({ dataObjects, ...model }: ModelJson): unknown => ({
  ...model,
  dataObjects: Object.fromEntries(
    Object.entries(dataObjects).map(([name, { columns, code, ...object }]) => [
      name,
      {
        ...object,
        ...(object.closure ? {} : { code }),
        columns: Object.fromEntries(
          Object.entries(columns).flatMap(([column, c]) =>
            object.closure && c.code !== undefined ? [] : [[column, untyped(c)]],
          ),
        ),
      },
    ]),
  ),
})

function untyped({ abstractType, sqlType, ...column }: ColumnJson): Partial<ColumnJson> {
  const isFound = column.measure !== undefined || column.exists !== undefined || column.window !== undefined
  return isFound ? column : { ...column, abstractType, ...(sqlType !== undefined && { sqlType }) }
}
