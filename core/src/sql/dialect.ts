/** How an engine writes SQL and what it supports: data, not classes. `defineDialect(base, differences)` contains only the differences. */
import { fail } from '../errors.js'
import type { SystemNames } from '../model/author-rights.js'
import type { DataType } from '../model/data-type.js'
import type { BuiltInFunction } from '../model/functions/catalogue.js'
import type { Arguments, SpellFunction, Spelling } from '../model/functions/function-spec.js'
import type { TimeGrain } from '../model/grain.js'
import type { PhysicalKind } from '../model/physical-type.js'
import type { PlannerHints } from '../plan/planner-hints.js'
import type { InternalFunction } from './internal-functions.js'
import { SEMANTICS, type Semantics } from './semantics.js'

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

type Decimal = Extract<DataType, { readonly kind: 'decimal' }>

/** How an engine writes SQL, what it supports and how it computes. `defineDialect` creates one from its nearest relative. */
export interface Dialect {
  readonly name: string
  readonly capabilities: Capabilities
  readonly semantics: Semantics
  readonly planner: PlannerHints
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
  /** What a function does otherwise than the catalogue says, in a few words for the reference page; each must be documented. */
  readonly exceptions?: Readonly<Record<string, string>>
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
  /** The name of a common table expression, before its AS, in a statement in which one reads itself; `null` if the engine has none. */
  readonly recursiveTable: ((name: string, columns: readonly string[]) => string) | null
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

/** The SQL that most engines share. It says nothing about what an engine does. */
export type SharedSql = Omit<Dialect, 'semantics'>

type Named = Differences<Dialect> & { readonly name: string }

/**
 * A dialect from its nearest relative and the differences. Tables and records are merged key by key. Throws `INCOMPLETE_DIALECT` if a key of
 * `semantics` is neither stated nor inherited.
 */
export function defineDialect(base: Dialect, differences: Named & ThisType<Dialect>): Dialect
export function defineDialect(base: SharedSql, differences: Named & Pick<Dialect, 'semantics'> & ThisType<Dialect>): Dialect
export function defineDialect(base: SharedSql & Partial<Dialect>, differences: Named): Dialect {
  const semantics = { ...base.semantics, ...differences.semantics }
  const missing = SEMANTICS.filter((key) => typeof semantics[key] !== 'boolean')
  if (missing.length > 0)
    fail(
      'INCOMPLETE_DIALECT',
      `the dialect '${differences.name}' does not state ${missing.map((key) => `semantics.${key}`).join(', ')}`,
    )
  return Object.freeze({
    ...base,
    ...differences,
    capabilities: { ...base.capabilities, ...differences.capabilities },
    semantics,
    planner: { ...base.planner, ...differences.planner },
    system: { ...base.system, ...(differences.system as Dialect['system']) },
    literals: { ...base.literals, ...differences.literals },
    functions: { ...base.functions, ...differences.functions },
    aggregates: { ...base.aggregates, ...(differences.aggregates as Dialect['aggregates']) },
  }) as Dialect
}
