import type { ModelCondition } from '../model/semantic-model.js'
import type { Conjunct, ResolvedAggregate, ResolvedDimension, SemiAdditive, Weight } from '../resolve/resolved-query.js'
import type { Reach } from './reach.js'

/** What is asked of one block: aggregates that share one scan: the same base, path, filters, grain and shift. Without aggregates, the distinct tuples of the dimensions. */
export interface BlockRequest {
  readonly base: string
  readonly aggregates: readonly ResolvedAggregate[]
  readonly dimensions: readonly ResolvedDimension[]
  readonly conjuncts: readonly Conjunct[]
  /** Bridges that dimensions, conjuncts and measure filters are read on; those of `apart` must be relations of their own. */
  readonly bridges: ReadonlySet<string>
  readonly apart: ReadonlySet<string>
  /** Conditions of all aggregates that are read on bridges; they then hold for the whole block. */
  readonly bridgeFilters: readonly ModelCondition[]
  /** Filters of its aggregates leave no row out, so that its rows are those of another block. */
  readonly ofAllRows?: boolean
  /** One contribution per connection instead of one per group (`allowFanOut`). */
  readonly fanOut: boolean
  /** Of the bridges that its aggregates are weighted by: each connection brings its part of a row. */
  readonly weights?: readonly Weight[]
  /** Values are taken per entity from one time, or folded over times, then summed. */
  readonly semiAdditive?: SemiAdditive | undefined
  /** The events of those of its aggregates of which only what converts counts, by their names. */
  readonly conversions?: ReadonlyMap<string, ConversionRequests>
  readonly multiFact?: MultiFactRequest | undefined
  /** Which conditions of the query reach it, and the blocks within it. */
  readonly reach: Reach
}

/** A block over several facts that meet in its base. */
export interface MultiFactRequest {
  readonly keys: readonly ResolvedDimension[]
  /** Dimensions that the facts bring, because the base does not reach them. */
  readonly dimensions: readonly ResolvedDimension[]
  /** The keys of the base's own rows, which are rows of the block unless the facts bring dimensions. */
  readonly own: BlockRequest
  readonly facts: readonly BlockRequest[]
}

export interface ConversionRequests {
  readonly base: BlockRequest
  readonly conversion: BlockRequest
}

/** What a balance is grouped by beside its own groups, until one value of each entity is taken. */
export const semiAdditiveKeys = ({ time, per }: SemiAdditive): readonly ResolvedDimension[] => [
  time,
  ...per.filter((d) => d.name !== time.name),
]

/** The block of a balance before anything is taken: grouped by time and entity, too. */
export const inTimes = (request: BlockRequest, semiAdditive: SemiAdditive): BlockRequest => ({
  ...request,
  aggregates: request.aggregates.map((aggregate) => ({ ...aggregate, type: semiAdditive.perTime, semiAdditive: undefined })),
  dimensions: [...request.dimensions, ...semiAdditiveKeys(semiAdditive)],
  semiAdditive: undefined,
})
