/** How an engine spells SQL and what it can do: data, not classes. `defineDialect(base, differences)` states only what differs. */
import type { DataType } from '../model/data-type.js'
import type { Spelling } from '../model/functions/function-spec.js'
import type { TimeGrain } from '../model/semantic-model.js'

/** Each flag has one plain sentence. */
export interface Capabilities {
  /** Common table expressions. */
  readonly supports_cte: boolean
  /** A QUALIFY clause after window functions. */
  readonly supports_qualify: boolean
  /** Array columns and UNNEST. */
  readonly supports_arrays: boolean
  /** FILTER (WHERE …) behind an aggregate or window call. */
  readonly supports_window_filters: boolean
  /** A case-insensitive ILIKE. */
  readonly supports_ilike: boolean
  /** Reading a table as of an earlier time. */
  readonly supports_time_travel: boolean
  /** Paths into JSON or struct columns. */
  readonly supports_semi_structured: boolean
}

export interface Dialect {
  readonly name: string
  readonly capabilities: Capabilities
  /** Quotes one identifier, whatever it contains. */
  readonly quote: (identifier: string) => string
  /** Longest identifier in bytes; longer aliases are shortened and made unique. */
  readonly maxIdentifierBytes: number
  /** The parts of a table's name that this engine writes, outermost first. */
  readonly tablePath: (parts: {
    readonly database?: string | undefined
    readonly schema?: string | undefined
    readonly name: string
  }) => readonly string[]
  readonly type: (type: DataType) => string
  readonly literals: {
    readonly string: (value: string) => string
    readonly boolean: (value: boolean) => string
    readonly date: (iso: string) => string
    readonly time: (iso: string) => string
    readonly timestamp: (iso: string) => string
    /** From `YYYY-MM-DD HH:MM:SS[.ffffff]` in UTC. */
    readonly timestamp_tz: (iso: string) => string
  }
  /** Scalar functions of the catalogue; `null` refuses by name. A missing entry is spelled `NAME(args)`. */
  readonly functions: Readonly<Record<string, Spelling>>
  /** Aggregates: arguments arrive rendered. `distinct` and orderings are handled by `aggregate`. */
  readonly aggregates: Readonly<Record<string, AggregateSpelling>>
  /** Start of the period that `value` (a rendered DATE or TIMESTAMP of type `type`) lies in; a DATE for day and coarser. */
  readonly truncate: (grain: TimeGrain, value: string, type: DataType, weekStart: 'monday' | 'sunday') => string
  /** `value` moved by `count` (rendered integer) units; month ends clamp; keeps the type. */
  readonly dateAdd: (unit: TimeGrain, count: string, value: string, type: DataType) => string
  /** A naive wall-clock timestamp in `zone` (a literal) from an instant. */
  readonly instantToZone: (value: string, zone: string) => string
  /** An instant from a naive wall-clock timestamp in `zone`. */
  readonly zoneToInstant: (value: string, zone: string) => string
  /** Wraps a text expression so that it orders and compares by code point; identity where the engine does so already. */
  readonly collate: (value: string) => string
}

export interface AggregateCall {
  readonly name: string
  readonly args: readonly string[]
  readonly distinct: boolean
  /** Rendered `expr [DESC] NULLS LAST`, in order. */
  readonly orderBy: readonly string[]
  readonly percentile: number | undefined
  readonly delimiter: string | undefined
}

/** `null` refuses the aggregate by name. */
export type AggregateSpelling = ((call: AggregateCall) => string) | null

type Differences<T> = {
  readonly [K in keyof T]?: T[K] extends (...args: never[]) => unknown ? T[K] : T[K] extends object ? Partial<T[K]> : T[K]
}

/** A dialect from its nearest relative and what differs. Tables and flags are merged key by key. */
export function defineDialect(base: Dialect, differences: Differences<Dialect> & { readonly name: string }): Dialect {
  return Object.freeze({
    ...base,
    ...differences,
    capabilities: { ...base.capabilities, ...differences.capabilities },
    literals: { ...base.literals, ...differences.literals },
    functions: { ...base.functions, ...(differences.functions as Dialect['functions']) },
    aggregates: { ...base.aggregates, ...(differences.aggregates as Dialect['aggregates']) },
  }) as Dialect
}
