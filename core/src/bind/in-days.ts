import type { ColumnRef } from '../model/expression/ast.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { columnsOf } from '../resolve/conditions.js'
import type { AggregateQuery, ResolvedAggregate } from '../resolve/resolved-query.js'
import { hasDimension } from '../resolve/resolved-query.js'
import type { BlockRequest } from './block-request.js'
import type { PlannedRequest } from './block-requests.js'
import { dividedTime, isDivisible } from './divided-time.js'
import { type Finer, finerThanData, refuseFiner } from './finer-than-data.js'
import { granularRead, hasCoarseData } from './granular-reads.js'

/**
 * The requests of a question with the fineness of their data. A block whose question is finer is read in days if its data are spread over them; otherwise
 * the question is refused. Throws `FINER_THAN_DATA`.
 */
export const atFineness = (requests: readonly PlannedRequest[], query: AggregateQuery): readonly PlannedRequest[] =>
  hasCoarseData(query.model)
    ? requests.map((planned) => ({ ...planned, request: inDays(planned.request, planned.request.aggregates, query) }))
    : requests

/** The same for one block, whose rows are those of `aggregates`. */
export function inDays(request: BlockRequest, aggregates: readonly ResolvedAggregate[], query: AggregateQuery): BlockRequest {
  if (!hasCoarseData(query.model)) return request
  const { multiFact, conversions } = request
  for (const { base, later } of conversions?.values() ?? [])
    for (const events of [base, ...later]) for (const finer of finerThanData(events, query)) refuse(finer, aggregates)
  if (!multiFact) return divided(request, aggregates, query)
  const { dimensions, facts } = multiFact
  const atBase = { ...request, dimensions: request.dimensions.filter((d) => !hasDimension(dimensions, d)) }
  for (const finer of finerThanData(atBase, query)) refuse(finer, aggregates)
  return { ...request, multiFact: { ...multiFact, facts: facts.map((fact) => inDays(fact, fact.aggregates, query)) } }
}

function divided(request: BlockRequest, aggregates: readonly ResolvedAggregate[], query: AggregateQuery): BlockRequest {
  const finer = finerThanData(request, query)
  const time = dividedTime(request.base, query.model)
  const isSum = aggregates.length > 0 && aggregates.every((aggregate) => isDivisible(aggregate, query.model))
  const other = finer.find(({ read }) => !isSum || !time || read.time.object !== time.object || read.time.column !== time.column)
  if (other) refuse(other, aggregates)
  if (!isSum || !time || (finer.length === 0 && !filtersDays(request, aggregates, query))) return request
  return { ...request, inDays: time }
}

const refuse = (finer: Finer, [first]: readonly ResolvedAggregate[]): never => refuseFiner(first?.measure.name ?? '', finer)

/** Whether a filter of the model or of a measure tests days: then each day of a period is tested, in every question. */
function filtersDays(
  { base }: BlockRequest,
  aggregates: readonly ResolvedAggregate[],
  { model, graph }: AggregateQuery,
): boolean {
  const reads = (ref: ColumnRef): boolean => {
    if (!graph.reaches(base, ref.object, undefined)) return false
    const read = granularRead({ object: ref.object, via: undefined, expression: ref }, base, undefined, graph)
    return read !== undefined && read.says !== 'whole'
  }
  const isOfDays = (condition: ModelCondition): boolean => columnsOf(condition).some(reads)
  return model.filters.some(({ condition }) => isOfDays(condition)) || aggregates.some(({ filters }) => filters.some(isOfDays))
}
