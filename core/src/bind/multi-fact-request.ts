import { fail } from '../errors.js'
import { columnsOf } from '../resolve/conditions.js'
import { fieldLeaves } from '../resolve/locate.js'
import type {
  AggregateQuery,
  Conjunct,
  FactSum,
  FieldSource,
  ReachedLeaf,
  ResolvedAggregate,
  ResolvedDimension,
} from '../resolve/resolved-query.js'
import type { BlockRequest, MultiFactRequest } from './block-request.js'
import { missed, NO_REACH, readLeaves } from './reach.js'

/** Which parts of a block over several facts are read at their common base, and which inside each fact (decision 49). */
export function multiFactRequest(
  aggregate: ResolvedAggregate,
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery,
): Pick<BlockRequest, 'conjuncts' | 'bridgeFilters' | 'reach'> & { readonly multiFact: MultiFactRequest } {
  const { base, measure, path } = aggregate
  const { keys, facts } = aggregate.multiFact!
  const { graph } = query
  const reaches = (object: string, field: FieldSource): boolean => graph.reaches(object, field.object, field.via)
  const reads = (object: string, leaves: readonly ReachedLeaf[]): boolean =>
    leaves.every((leaf) =>
      leaf.kind === 'where-field' ? leaf.members.some((m) => reaches(object, m)) : reaches(object, leaf.subject),
    )
  const inFacts = dimensions.filter((d) => !reads(base, fieldLeaves(d)))
  for (const dimension of inFacts) {
    const missing = facts.find(({ object }) => !reads(object, fieldLeaves(dimension)))
    if (missing) refuseDimension(aggregate, dimension, missing.object)
  }
  const here = aggregate.conjuncts.filter((c) => reads(base, readLeaves(c)))
  const elsewhere = aggregate.conjuncts.filter((c) => !here.includes(c))
  const filters = aggregate.filters.map((filter) => ({ filter, columns: columnsOf(filter) }))
  const meets = (object: string) => (entry: (typeof filters)[number]) =>
    entry.columns.every((c) => graph.reaches(object, c.object, undefined))
  const own = filters.filter(meets(base))
  const idle = filters.find((f) => !own.includes(f) && !facts.some(({ object }) => meets(object)(f)))
  if (idle) {
    const columns = idle.columns.map((c) => `'${c.object}.${c.column}'`).join(', ')
    fail('NO_JOIN_PATH', `none of the facts that '${measure.name}' reads reaches its filter on ${columns}`, {
      path,
    })
  }
  const facted = facts.map(({ object, sums }): BlockRequest => {
    const conjuncts = elsewhere.filter((c) => reads(object, readLeaves(c)))
    const inside = filters.filter((f) => !own.includes(f) && meets(object)(f))
    return plain({
      base: object,
      aggregates: sumAggregates(aggregate, object, sums),
      dimensions: [...keys, ...inFacts],
      conjuncts,
      bridgeFilters: inside.map((f) => f.filter),
    })
  })
  // Other times of a metric are read inside the facts that have the time, like a filter on it.
  const isMissed = (c: Conjunct): boolean =>
    !c.ofMeasure || c.shown !== undefined || facted.every((fact) => !fact.conjuncts.includes(c))
  const skipped = elsewhere
    .filter(isMissed)
    .flatMap((conjunct) =>
      facted
        .filter((fact) => !fact.conjuncts.includes(conjunct))
        .map((fact) => missed(conjunct, { base: fact.base, what: `'${fact.base}' in '${measure.name}'` }, query)),
    )
  return {
    conjuncts: here,
    bridgeFilters: own.map((f) => f.filter),
    multiFact: {
      keys,
      dimensions: inFacts,
      own: plain({ base, aggregates: [], dimensions: keys, conjuncts: [], bridgeFilters: [] }),
      facts: facted,
    },
    reach: { applied: [...here, ...facted.flatMap((fact) => fact.conjuncts)], ignored: [], missed: skipped, through: [] },
  }
}

/** The sums of one fact, as the aggregates of a separate block. */
const sumAggregates = (aggregate: ResolvedAggregate, base: string, sums: readonly FactSum[]): ResolvedAggregate[] =>
  sums.map(({ name, type, measure }) => ({
    ...aggregate,
    name,
    type,
    measure,
    base,
    filters: [],
    semiAdditive: undefined,
    converts: undefined,
    multiFact: undefined,
    weights: [],
  }))

/** Without bridges. */
const plain = (read: Pick<BlockRequest, 'base' | 'aggregates' | 'dimensions' | 'conjuncts' | 'bridgeFilters'>): BlockRequest => ({
  bridges: new Set(),
  separate: new Set(),
  fanOut: false,
  reach: NO_REACH,
  ...read,
})

function refuseDimension({ base, measure }: ResolvedAggregate, { label, path }: ResolvedDimension, fact: string): never {
  return fail(
    'NO_JOIN_PATH',
    `'${measure.name}' is evaluated at the rows of '${base}', which does not reach '${label}', and neither does '${fact}', so it cannot cut the whole`,
    { path, context: { measure: measure.name, dimension: label } },
  )
}
