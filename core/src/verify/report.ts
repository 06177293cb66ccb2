/** What `verify` answers: the counts of every check, and a finding for each that is not as the model says. */
import type { Finding } from '../errors.js'

/** What the data says about a model: keys, joins, weights, examples, and a finding for each that does not hold. */
export interface VerifyReport {
  readonly model: string | null
  /** ISO 8601, UTC. */
  readonly checked_at: string
  readonly status: 'ok' | 'findings'
  readonly objects: readonly ObjectReport[]
  readonly edges: readonly EdgeReport[]
  readonly weights: readonly WeightReport[]
  readonly dimensions: readonly DimensionReport[]
  readonly measures: readonly MeasureReport[]
  readonly findings: readonly Finding[]
}

/** A value as JSON has it; integers beyond 2^53 and decimals are text. */
export type JsonValue = string | number | boolean | null
/** The value of a key of one column, the values of a key of several. */
export type KeyExample = JsonValue | readonly JsonValue[]

export interface ObjectReport {
  readonly name: string
  readonly key: readonly string[]
  readonly rows: number
  /** Keys that more than one row has. */
  readonly duplicate_keys: number
  /** Rows of which a part of the key is NULL. */
  readonly null_keys: number
  /** Up to five duplicate keys, those with the most rows first. */
  readonly examples: readonly KeyExample[]
}

export interface EdgeReport {
  readonly from_object: string
  readonly to_object: string
  readonly columns_from: readonly string[]
  readonly columns_to: readonly string[]
  readonly join_type: string
  readonly path_name: string | null
  readonly rows: number
  /** Rows whose link is not NULL and finds no row there. */
  readonly without_parent: number
  /** Different links among them. */
  readonly missing_parents: number
  /** Rows of which a part of the link is NULL. */
  readonly null_links: number
  /** Links that more than one row there has. */
  readonly duplicate_targets: number
  /** Links that more than one row here has. */
  readonly duplicate_sources: number
  /** Up to five links without a row there, those with the most rows first. */
  readonly examples: readonly KeyExample[]
  /** Up to five links that break the declared cardinality. */
  readonly duplicate_examples: readonly KeyExample[]
}

export interface WeightReport {
  readonly bridge: string
  /** The side whose rows must each be given away whole. */
  readonly to_object: string
  readonly columns: readonly string[]
  readonly weight: string
  /** Different links of the bridge to that side. */
  readonly groups: number
  /** Those of which the weights do not add up to 1, to within a thousandth. */
  readonly off: number
  /** Up to five of them. */
  readonly examples: readonly KeyExample[]
}

export interface DimensionReport {
  readonly name: string
  readonly distinct: number
  /** Rows of its data object. */
  readonly rows: number
}

export interface MeasureReport {
  readonly name: string
  readonly type: string
  readonly rows: number
  /** Least and greatest of the values that are summed; `null` without any. */
  readonly min: string | null
  readonly max: string | null
  /** No sum of these rows can be farther from zero. */
  readonly bound: string
  /** The greatest number of the type. */
  readonly limit: string
}
