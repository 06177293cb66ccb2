/** Which rollup tables a question could be answered from, and why the others not. */
import { GrainlineError } from '../../errors.js'
import type { Rollup } from '../../model/semantic-model.js'
import type { AggregateQuery, ResolvedAggregate, ResolvedQuery } from '../../resolve/resolved-query.js'
import type { BlockRequest } from '../block-request.js'
import { blockRequests } from '../block-requests.js'
import { atFineness } from '../in-days.js'
import { type HeldTable, heldTable, type TableContext } from './held-table.js'
import { readTable } from './read-table.js'
import { isUnread, type UnreadReason } from './unread.js'

export interface RollupVerdict {
  readonly rollup: string
  /** The measures of the question that could be read from it: each with all that the question asks of it. */
  readonly measures: readonly string[]
  readonly others: readonly string[]
  /** Why the first of the others could not; `null` if there is none. */
  readonly reason: UnreadReason | OtherReason | null
  /** The field because of which. */
  readonly field: string | null
  readonly says: string | null
}

/** Reasons that are no matter of single aggregates: another table would be built for the question, or none can be. */
type OtherReason = 'OTHER_TIME_ZONE' | 'OTHER_PARAMETERS' | 'NOT_BUILDABLE'

export interface VerdictContext extends TableContext {
  readonly hasQuotients: boolean
  /** Whether the table that is built for the model is also that of the question. */
  readonly differs: (rollup: Rollup) => 'OTHER_TIME_ZONE' | 'OTHER_PARAMETERS' | undefined
}

/** A verdict for each rollup of the model, in the order of the document. */
export function rollupVerdicts(query: ResolvedQuery, context: VerdictContext): readonly RollupVerdict[] {
  const all = [...context.model.rollups.values()]
  if (all.length === 0) return []
  const asked = aggregatesOf(query)
  return all.map((rollup) => verdictOn(rollup, asked, context))
}

/** An aggregate, the request of which it is a part, and the query of that. */
interface AggregateOfQuery {
  readonly aggregate: ResolvedAggregate
  readonly request: BlockRequest
  readonly query: AggregateQuery
}

/** Everything that a question aggregates, on each of its levels and in its inner queries. */
function aggregatesOf(query: ResolvedQuery): readonly AggregateOfQuery[] {
  const top = query.top ? aggregatesOf(query.top) : []
  if (query.kind === 'grouped') return [...query.levels.flatMap(aggregatesOf), ...top]
  if (query.kind !== 'aggregate') return top
  const own = atFineness(blockRequests(query), query).flatMap(({ request }) =>
    request.aggregates.map((aggregate) => ({ aggregate, request, query })),
  )
  return [...own, ...[...query.nested, ...query.folds].flatMap((inner) => aggregatesOf(inner.query)), ...top]
}

function verdictOn(rollup: Rollup, asked: readonly AggregateOfQuery[], context: VerdictContext): RollupVerdict {
  const others = [...new Set(asked.map(({ aggregate }) => aggregate.measure.name))]
  const none = { rollup: rollup.name, measures: [], others }
  if (asked.length === 0)
    return { ...none, reason: 'NEEDS_ROWS', field: null, says: 'the question aggregates nothing, so that it reads rows' }
  try {
    const table = heldTable(rollup, context)
    const other = context.differs(rollup)
    if (other) return { ...none, reason: other, field: null, says: SAYS[other] }
    return { rollup: rollup.name, ...judged(table, asked, context) }
  } catch (error) {
    if (!(error instanceof GrainlineError) || error.code === 'INTERNAL_ERROR') throw error
    return { ...none, reason: 'NOT_BUILDABLE', field: null, says: `${error.code}: ${error.message}` }
  }
}

const SAYS = {
  OTHER_TIME_ZONE: 'it is built for the time zone of the model, and the question has another',
  OTHER_PARAMETERS: 'it is built for the defaults of the parameters, and the question gives other values',
} as const

function judged(
  table: HeldTable,
  asked: readonly AggregateOfQuery[],
  { model, options, hasQuotients }: VerdictContext,
): Omit<RollupVerdict, 'rollup'> {
  const found = asked.map(({ aggregate, request, query }) => {
    const reading = { table, graph: query.graph, model, time: query.time, hasQuotients }
    return { name: aggregate.measure.name, read: readTable(aggregate, request, reading, options.functions) }
  })
  const faults = found.filter(({ read }) => isUnread(read))
  const names = [...new Set(found.map(({ name }) => name))]
  const isOther = (name: string): boolean => faults.some((fault) => fault.name === name)
  const [first] = faults.map(({ read }) => read).filter(isUnread)
  return {
    measures: names.filter((name) => !isOther(name)),
    others: names.filter(isOther),
    reason: first?.reason ?? null,
    field: first?.field ?? null,
    says: first?.says ?? null,
  }
}
