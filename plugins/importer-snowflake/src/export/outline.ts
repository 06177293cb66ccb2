/** A semantic view that is being written. Names and expressions are SQL. */
import type { Exported } from '@grainline/core'

/** An item of the model. */
type Path = Exported['written'][number]

/** A fact, a dimension, a metric or a filter. */
export interface OutItem {
  /** What of the model it says. */
  readonly path: Path
  readonly name: string
  readonly sql: string
  readonly type?: string | undefined
  readonly description?: string | undefined
  readonly synonyms: readonly string[]
  readonly isPrivate?: boolean
}

export interface OutMetric extends OutItem {
  /** The dimension over which it is not additive, and which end of it counts. */
  readonly nonAdditive?: { readonly table: string; readonly dimension: string; readonly isLast: boolean }
}

export interface OutTable {
  readonly path: Path
  readonly name: string
  /** Database, schema and table, as far as they are known. */
  readonly base: readonly string[]
  readonly description?: string | undefined
  readonly synonyms: readonly string[]
  readonly primaryKey: readonly string[]
  readonly uniqueKeys: (readonly string[])[]
  readonly facts: OutItem[]
  readonly dimensions: OutItem[]
  readonly times: OutItem[]
  readonly metrics: OutMetric[]
  readonly filters: OutItem[]
  /** The columns of a period that do not overlap, for a relationship by time. */
  range?: readonly [string, string]
}

export interface OutPair {
  readonly left: string
  readonly right: string
  readonly isAsOf?: boolean
  readonly until?: string
}

export interface OutRelationship {
  readonly path: Path
  readonly name: string
  readonly left: string
  readonly right: string
  readonly columns: readonly OutPair[]
  readonly isOneToOne: boolean
}

export interface OutView {
  readonly name: string
  readonly description: string | undefined
  readonly tables: readonly OutTable[]
  readonly relationships: readonly OutRelationship[]
  readonly metrics: readonly OutMetric[]
}
