import type { Granularity } from '../model/granularity.js'
import type { ModelCondition, SemanticModel } from '../model/semantic-model.js'
import type { Conjunct, ResolvedAggregate, ResolvedDimension, SemiAdditive, Weight } from '../resolve/resolved-query.js'
import type { Reach } from './reach.js'

/** A conjunct; one that `isNear` only leaves out periods that no row of the answer looks up. */
export interface RequestedConjunct extends Conjunct {
  readonly isNear?: boolean
}

/** The request of one block: aggregates that share one scan, with the same base, path, filters, grain and shift. Without aggregates, the distinct tuples of the dimensions. */
export interface BlockRequest {
  readonly base: string
  readonly aggregates: readonly ResolvedAggregate[]
  readonly dimensions: readonly ResolvedDimension[]
  readonly conjuncts: readonly RequestedConjunct[]
  /** Bridges on which dimensions, conjuncts and measure filters are read; those of `separate` must be separate relations. */
  readonly bridges: ReadonlySet<string>
  readonly separate: ReadonlySet<string>
  /** Conditions of all aggregates that are read on bridges; they then hold for the whole block. */
  readonly bridgeFilters: readonly ModelCondition[]
  /** The filters of its aggregates exclude no row, so that its rows are those of another block. */
  readonly ofAllRows?: boolean
  /** One contribution per connection instead of one per group (`allowFanOut`). */
  readonly fanOut: boolean
  /** The weights of bridges for its aggregates: each connection has its part of a row. */
  readonly weights?: readonly Weight[]
  /** Values are taken per entity from one time, or aggregated over times, and then summed. */
  readonly semiAdditive?: SemiAdditive | undefined
  /** The events of aggregates that only count conversions, by the names of the aggregates. */
  readonly conversions?: ReadonlyMap<string, ConversionRequests>
  readonly multiFact?: MultiFactRequest | undefined
  /** Its rows are the days of the periods of its data, each with its part of a sum. */
  readonly inDays?: DividedTime
  /** The conditions of the query that reach it, and the blocks within it. */
  readonly reach: Reach
  /** Set if it is read from a rollup table. */
  readonly rollup?: RollupRead | undefined
  /** Its rows are those of a table, to which static filters and required joins of the model were applied when it was built. */
  readonly isOfTable?: true
}

/** How a request is read from a rollup table: as a request to a model in which the rows of its base are those of the table. */
export interface RollupRead {
  readonly name: string
  readonly base: string
  readonly model: SemanticModel
  readonly request: BlockRequest
}

/** The time of a fact along which its sums are spread. */
export interface DividedTime {
  readonly object: string
  readonly column: string
  readonly granularity: Granularity
}

/** A block over several facts that are joined at its base. */
export interface MultiFactRequest {
  readonly keys: readonly ResolvedDimension[]
  /** Dimensions that the facts provide, because the base does not reach them. */
  readonly dimensions: readonly ResolvedDimension[]
  /** The keys of the base rows, which are rows of the block unless the facts provide dimensions. */
  readonly own: BlockRequest
  readonly facts: readonly BlockRequest[]
}

export interface ConversionRequests {
  readonly base: BlockRequest
  readonly later: readonly BlockRequest[]
}

/** The additional grouping of a balance, until one value of each entity is taken. */
export const semiAdditiveKeys = ({ time, per }: SemiAdditive): readonly ResolvedDimension[] => [
  time,
  ...per.filter((d) => d.name !== time.name),
]

/** The block of a balance before values are taken: also grouped by time and entity. */
export const inTimes = (request: BlockRequest, semiAdditive: SemiAdditive): BlockRequest => ({
  ...request,
  aggregates: request.aggregates.map((aggregate) => ({ ...aggregate, type: semiAdditive.perTime, semiAdditive: undefined })),
  dimensions: [...request.dimensions, ...semiAdditiveKeys(semiAdditive)],
  semiAdditive: undefined,
})
