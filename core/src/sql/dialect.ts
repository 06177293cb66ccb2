/** How an engine writes SQL and what it supports: data, not classes. `defineDialect(base, differences)` contains only the differences. */
import type { SystemNames } from '../model/author-rights.js'
import type { DataType } from '../model/data-type.js'
import type { BuiltInFunction } from '../model/functions/catalogue.js'
import type { Arguments, SpellFunction, Spelling } from '../model/functions/function-spec.js'
import type { TimeGrain } from '../model/grain.js'
import type { PhysicalKind } from '../model/physical-type.js'
import type { InternalFunction } from './internal-functions.js'

/** Each flag has one plain sentence. */
export interface Capabilities {
  /** Common table expressions. */
  readonly supports_cte: boolean
  /** A QUALIFY clause after window functions. */
  readonly supports_qualify: boolean
  /** Array columns and UNNEST. */
  readonly supports_arrays: boolean
  /** FILTER (WHERE …) after an aggregate or window call. */
  readonly supports_window_filters: boolean
  /** A case-insensitive ILIKE. */
  readonly supports_ilike: boolean
  /** Reading a table as of an earlier time. */
  readonly supports_time_travel: boolean
  /** Paths into JSON or struct columns. */
  readonly supports_semi_structured: boolean
}

/** What an engine lacks, so that a statement is rewritten before it is rendered. Each flag has one plain sentence. */
export interface Lacks {
  /** `=`, GROUP BY and DISTINCT take some texts for others (by case, accents or trailing spaces): they are collated too. */
  readonly exactText: boolean
  /** ORDER BY cannot say where NULLs go, and NULL is the least value: `x NULLS LAST` → `x IS NULL, x`. */
  readonly nullsOrder: boolean
  /** A SELECT with HAVING or GROUPING SETS can only be ordered by selected columns: a derived table selects the sort keys. */
  readonly hiddenOrder: boolean
  /** An expression in ORDER BY reads a selected column by its output name alone: `CASE WHEN t.x = …` → `CASE WHEN x = …`. */
  readonly shownOrder: boolean
  /** LAG and LEAD take no third argument: `LAG(x, 1, 0)` → `CASE WHEN LAG(1, 1) IS NULL THEN 0 ELSE LAG(x, 1) END`. */
  readonly lagDefault: boolean
  /** ROW_NUMBER, RANK and similar functions are unsigned, so that a difference of two fails: they are cast. */
  readonly signedRanks: boolean
  /** DISTINCT goes into counts, sums and averages alone: other aggregates get each value once from a derived table. */
  readonly distinctStatistics: boolean
  /** DISTINCT does not go into a list of values: it gets each value once from a derived table. */
  readonly distinctLists: boolean
  /** A list of values takes no ORDER BY: the place of each value, from a derived table, is its second argument. */
  readonly orderedLists: boolean
  /** The first value is that of the least or the greatest tuple of keys: if some keys ascend and others descend, rows are numbered. */
  readonly mixedOrders: boolean
  /** IN takes only values that the type on its left holds: a decimal with more digits is compared with the left side as a decimal that holds it. */
  readonly mixedLists: boolean
  /** A choice between a double and another number has no type of its own: the others are cast to doubles. */
  readonly mixedChoices: boolean
  /** LAG and LEAD of what is never NULL give 0 where there is no row: the value is cast, to a type that may be NULL. */
  readonly lagNull: boolean
  /** COUNT is unsigned, so that no UNION takes it with a signed number: it is cast. */
  readonly signedCounts: boolean
  /** A window over groups does not know a computed key of theirs: any of its values is all of them, `x + 1` → `MAX(x + 1)`. */
  readonly keysInWindows: boolean
  /** Nor does a condition on groups. */
  readonly keysInHaving: boolean
  /** A UUID is compared with no text: it is converted to a text first. */
  readonly comparedUuids: boolean
  /** Windows take no doubles as partitions: they are partitioned by their text. */
  readonly doublePartitions: boolean
  /** A sum of whole numbers is no wider than they are: they are cast to the type of the sum. */
  readonly wideSums: boolean
  /** Arithmetic and comparisons of decimals are no wider than they are: one side is cast to the width of the result. */
  readonly wideDecimals: boolean
  /** Decimal arithmetic beyond 38 digits keeps six digits after the point: both sides are cast to as many digits as fit. */
  readonly longScales: boolean
  /** Whole numbers that leave 64 bits start again at the other end silently: what is computed of two of them is computed of decimals, and fails. */
  readonly overflowGuard: boolean
  /** A cast of NaN or an infinity to a decimal or a whole number fails, or gives one: it is NULL before, by the function `finite`. */
  readonly specialCasts: boolean
  /** Statistics of NaN or an infinity fail or are NULL: they are computed of `finite` values alone, and are NaN where others are among them. */
  readonly specialStatistics: boolean
  /** MODE takes each NaN for a value of its own: it is computed by window functions. */
  readonly specialModes: boolean
  /** A percentile between two infinities is NaN: it is computed by window functions. */
  readonly specialPercentiles: boolean
  /** NaN is not greater than other doubles, nor equal to itself: `x > y` → `x > y OR is_nan(x)`, and so in MAX. */
  readonly comparedNaN: boolean
  /** NaN does not come last in an ORDER BY: `is_nan(x)` is ordered by first. */
  readonly orderedNaN: boolean
  /** SELECT DISTINCT is ordered by nothing but what it selects: NaN stays where the engine puts it there. */
  readonly distinctOrder: boolean
  /** -0 is another group than 0: 0 is added to it. */
  readonly plainZero: boolean
  /** Decimals are doubles: what is computed of them is rounded to its scale, `SUM(x)` → `CAST(SUM(x) AS DECIMAL(38, 2))`. */
  readonly exactDecimals: boolean
  /** No date follows 9999-12-31, and none is passed on the way to an earlier one: the way begins 400 years before. */
  readonly laterDates: boolean
  /** AVG of whole numbers and decimals is not their exact sum as a double: they are cast to doubles. */
  readonly exactAverages: boolean
  /** A common table expression that is read twice may be computed twice. */
  readonly keptTables: boolean
  /** GROUP BY takes no GROUPING SETS, or what they mean here is not known: each level of an answer is a SELECT of its own. */
  readonly groupingSets: boolean
  /** GROUPING SETS takes columns alone: if another key is among them, the keys are columns of a derived table. */
  readonly groupedExpressions: boolean
  /** The set without keys has no row over no rows, or that is not known: the grand total is a SELECT of its own. */
  readonly emptySets: boolean
  /** Two keys of GROUPING SETS that are one column are one key, even as two columns of a derived table: each level is a SELECT of its own. */
  readonly repeatedKeys: boolean
  /** ROLLUP of no rows has no row for the grand total: its sets are written one by one. */
  readonly emptyRollup: boolean
  /** A key of GROUPING SETS that is never NULL is 0 or an empty text in the rows of other sets: the function `nullable` allows NULL. */
  readonly nullKeys: boolean
  /** A window over an order of times has no frame from an interval before: the values of the last seven days are joined by a range of days. */
  readonly rangeFrames: boolean
  /** A planner that expects few rows may compare every row of a join with every other, a full join takes no NULL-safe equality, or neither is known: facts meet by their union. */
  readonly hashJoins: boolean
  /** A correlated EXISTS is refused, or evaluated again for each row: it becomes a join. */
  readonly correlated: boolean
  /** A join passes no keys to a table that is grouped, so that all of its groups are computed: its rows are limited to the keys that are asked for. */
  readonly passedKeys: boolean
  /** `IN` with a subquery is evaluated after all outer joins, for each of their rows: it moves into an inner join before them. */
  readonly earlySubqueries: boolean
}

type Decimal = Extract<DataType, { readonly kind: 'decimal' }>

/** How an engine writes SQL, what it supports and what it lacks. `defineDialect` creates one from its nearest relative. */
export interface Dialect {
  readonly name: string
  readonly capabilities: Capabilities
  readonly lacks: Lacks
  /** Quotes one identifier, whatever it contains. */
  readonly quote: (identifier: string) => string
  /** Longest identifier in bytes; longer aliases are shortened and made unique. */
  readonly maxIdentifierBytes: number
  /** The maximum number of common table expressions of a statement; `Infinity` if there is no limit. */
  readonly maxCtes: number
  /** Characters that a column name cannot contain; an alias with one is written with `_` and made unique. `null` if all are allowed. */
  readonly forbiddenIdentifierChars: RegExp | null
  /** The parts of a table's name that this engine writes, outermost first. */
  readonly tablePath: (parts: {
    readonly database?: string | undefined
    readonly schema?: string | undefined
    readonly name: string
  }) => readonly string[]
  /** The engine's own schemas and tables, and files by name, which models from clients may not read. */
  readonly system: SystemNames
  readonly type: (type: DataType) => string
  /** Type names with another meaning than on most engines, in lower case and without their parameters. */
  readonly storedKinds: Readonly<Record<string, PhysicalKind>>
  /**
   * The maximum number of digits after the point of a product of decimals, unless one side has more. For more digits, one side is cast to
   * them.
   */
  readonly productScale: number
  /** `dividend / divisor`, NULL where the divisor is 0; `null` writes `dividend / NULLIF(divisor, 0)`. */
  readonly quotient: ((dividend: string, divisor: string) => string) | null
  /**
   * `value`, of type `from`, as a value of type `to`. A double becomes a decimal by its first 15 digits, and so does its text: what follows may depend
   * on the order of rows.
   */
  readonly cast: (value: string, to: DataType, from: DataType) => string
  /** A double as a decimal, NULL where it is NaN or infinite; `null` writes a cast of the function `finite`. */
  readonly finiteDecimal: ((value: string, to: Decimal) => string) | null
  /** A key of ORDER BY, with its direction and the position of NULLs. */
  readonly order: (value: string, descending: boolean, nullsFirst: boolean) => string
  /**
   * A text in lower case: each letter in the simple lower case of Unicode, ς as σ. It is searched for `among`, a text in lower case, if that is known:
   * other letters need no care.
   */
  readonly lowered: (value: string, among: string | undefined) => string
  /** Whether a text matches a pattern: letter by letter, with `%`, `_`, and `\\` as the escape. */
  readonly like: (request: LikeRequest) => string
  /** The same ignoring case, with text and pattern unchanged; `null` compares both in lower case. */
  readonly foldedLike: ((request: LikeRequest) => string) | null
  /** The clauses for limit and offset. */
  readonly page: (limit: number | undefined, offset: number | undefined) => readonly string[]
  readonly literals: {
    readonly string: (value: string) => string
    readonly boolean: (value: boolean) => string
    /** From digits with a point, and a sign before them if it is negative. */
    readonly decimal: (digits: string, type: DataType) => string
    readonly date: (iso: string) => string
    readonly time: (iso: string) => string
    readonly timestamp: (iso: string) => string
    /** From `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC. */
    readonly timestamp_tz: (iso: string) => string
  }
  /** Scalar functions of the catalogue; `null` refuses by name. A missing entry is spelled `NAME(args)`. */
  readonly functions: FunctionTable
  /**
   * Aggregates: arguments arrive rendered. `distinct` and orderings are handled by `aggregate`. `compensated_sum` and `compensated_avg`, if an
   * engine has them, are those of doubles without the errors of rounding, and NaN where an input is not finite.
   */
  readonly aggregates: Readonly<Record<string, AggregateSpelling>>
  /** The call of a window function, before its OVER; NULLs are treated like other rows. */
  readonly windowCall: (name: string, args: readonly string[]) => string
  /**
   * Start of the period that `value` (a rendered DATE or TIMESTAMP of type `type`) lies in; a DATE for day and coarser. Periods of
   * calendars are cut from cut times: a spelling that writes `value` twice doubles all that is inside of it.
   */
  readonly truncate: (grain: TimeGrain, value: string, type: DataType, weekStart: 'monday' | 'sunday') => string
  /**
   * `value` shifted by `count` units, a rendered integer such as `(-1)` or `"t"."n"`; month ends are clamped. A DATE remains one for days
   * and longer units, and becomes a TIMESTAMP for shorter ones.
   */
  readonly dateAdd: (unit: TimeGrain, count: string, value: string, type: DataType) => string
  /** A local time in `zone` (a rendered text literal) from an instant; `null` if the engine does not know the zone. */
  readonly instantToZone: (value: string, zone: string) => string | null
  /**
   * Which of two instants with the same local time `zoneToInstant` returns, if it reads a skipped time with the offset before; `undefined`
   * if that is not known.
   */
  readonly repeatedTimes: 'first' | 'second' | undefined
  /** An instant from a local time in `zone`; `null` if the engine does not know the zone. */
  readonly zoneToInstant: (value: string, zone: string) => string | null
  /**
   * A SELECT of the elements of an array column, one row each, with the key of the row that contains them. `null` if the engine has none;
   * the function returns `null` for unsupported types of the column.
   */
  readonly elements: ((request: ElementsRequest) => string | null) | null
  /** The operator for NULL-safe equality, if joins by it are hashed or use an index; `null` writes a form that can be hashed. */
  readonly nullSafeEqual: string | null
  /** A clause at the end of every statement: settings that it needs to have its meaning. */
  readonly statementSuffix: string | null
  /** Wraps a text expression so that it is ordered and compared by code point; identity if the engine does so already. */
  readonly collate: (value: string) => string
  /** A text of any collation, to be compared by its code points alone; `null` if the engine cannot do that. */
  readonly byCodePoint: ((value: string) => string) | null
}

type KnownFunction = BuiltInFunction | InternalFunction
type ArityOf<Name> = Extract<KnownFunction, { readonly name: Name }>['arity']

/** The SQL of a function of the catalogue, with the arguments of that function. */
export type SpellingOf<Name extends KnownFunction['name']> = SpellFunction<Arguments<ArityOf<Name>>>

type KnownSpellings = { readonly [Name in KnownFunction['name']]?: Spelling<Arguments<ArityOf<Name>>> }

/** The SQL of functions, by name. Those of the catalogue get the arguments that their specification requires. */
export interface FunctionTable extends KnownSpellings {
  readonly [name: string]: Spelling | undefined
}

/** An aggregate to be written. Its arguments are SQL already. */
export interface AggregateCall {
  readonly name: string
  readonly args: readonly string[]
  readonly distinct: boolean
  /** Rendered `expr [DESC] NULLS LAST`, in order. */
  readonly orderBy: readonly string[]
  /** The same keys without what ORDER BY adds to them. */
  readonly keys: readonly { readonly value: string; readonly descending: boolean }[]
  readonly percentile: number | undefined
  readonly delimiter: string | undefined
  /** That of the result. */
  readonly type: DataType
}

/** A comparison with a pattern. Both sides are SQL already. */
export interface LikeRequest {
  readonly value: string
  readonly pattern: string
  /** The pattern itself, if it is a literal in the query or in the model. */
  readonly literal: string | undefined
  /** Both sides are in lower case, a literal in that of Unicode. */
  readonly folded: boolean
  readonly negated: boolean
}

/** Everything is rendered already. The columns of the SELECT are the aliases of `key`, then the names of `fields`. */
export interface ElementsRequest {
  readonly table: string
  readonly array: string
  /** The type of the array in the model. */
  readonly sqlType: string | undefined
  readonly key: readonly { readonly column: string; readonly alias: string }[]
  readonly fields: readonly {
    /** The field of an element as written; `*` is the element itself, `#` its position, counted from 1. */
    readonly code: string
    readonly name: string
    /** The code as a text literal. */
    readonly text: string
    readonly type: DataType
    readonly sqlType: string
  }[]
}

/** The SQL of an aggregate call. */
export type SpellAggregate = (call: AggregateCall) => string

/**
 * `null` refuses the aggregate by name. `rewritten` computes it with window functions and sums, for an engine without the aggregate:
 * median, percentile, mode, first, and all statistics of deviations from a mean.
 */
export type AggregateSpelling = SpellAggregate | null | 'rewritten'

type Differences<T> = {
  readonly [K in keyof T]?: T[K] extends (...args: never[]) => unknown ? T[K] : T[K] extends object ? Partial<T[K]> : T[K]
}

/** A dialect from its nearest relative and the differences. Tables and flags are merged key by key. */
export function defineDialect(
  base: Dialect,
  differences: Differences<Dialect> & { readonly name: string } & ThisType<Dialect>,
): Dialect {
  return Object.freeze({
    ...base,
    ...differences,
    capabilities: { ...base.capabilities, ...differences.capabilities },
    lacks: { ...base.lacks, ...differences.lacks },
    system: { ...base.system, ...(differences.system as Dialect['system']) },
    literals: { ...base.literals, ...differences.literals },
    functions: { ...base.functions, ...differences.functions },
    aggregates: { ...base.aggregates, ...(differences.aggregates as Dialect['aggregates']) },
  }) as Dialect
}
