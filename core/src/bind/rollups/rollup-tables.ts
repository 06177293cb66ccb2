/** The rule of requests that reads rollup tables in place of the rows of data objects. */
import { grouped } from '../../grouped.js'
import type { NonEmpty } from '../../invariant.js'
import type { TableSource } from '../../model/semantic-model.js'
import type { AggregateQuery, ResolvedAggregate } from '../../resolve/resolved-query.js'
import type { BindContext } from '../bind-context.js'
import type { BlockRequest } from '../block-request.js'
import type { PlannedRequest } from '../block-requests.js'
import type { RequestRule } from '../request-rule.js'
import { type HeldTable, heldTable, modelOfTable } from './held-table.js'
import { type OfTable, readTable, requestOf, type SharedReads } from './read-table.js'
import { allTables, type TablesRead } from './table-sources.js'
import { isUnread } from './unread.js'

/** A table that can be read for an aggregate, and what is read. */
interface Choice {
  readonly name: string
  readonly table: HeldTable
  readonly source: TableSource
  readonly read: OfTable
}

/**
 * Each aggregate is read from the first table that holds its parts; the others are read from rows. Aggregates of one request that are read from
 * different tables become separate requests, whose groups are combined like those of any requests.
 */
export const rollupTables = (context: BindContext): RequestRule => ({
  name: ROLLUP_TABLES,
  rewrite: (requests, query) => withTables(requests, query, context),
})

/** As in `--without rollup-tables`. */
export const ROLLUP_TABLES = 'rollup-tables'

/** Where the aggregates of requests are read after the rule. */
export const tablesOfRequests = (requests: readonly PlannedRequest[]): TablesRead =>
  allTables(
    requests.map(({ request: { rollup, aggregates } }) =>
      rollup ? { rollups: [rollup.name], facts: [] } : { rollups: [], facts: aggregates.map(({ measure }) => measure.name) },
    ),
  )

/** No table reads the clock. */
const AT_NO_TIME = new Date(0)

function withTables(requests: readonly PlannedRequest[], query: AggregateQuery, context: BindContext): readonly PlannedRequest[] {
  if (!context.rollups || context.rollups.sources.size === 0) return requests
  const { sources, timezone, hasQuotients } = context.rollups
  const options = { functions: context.functions, aggregates: context.aggregates, now: AT_NO_TIME }
  const how = { model: context.model, timezone, options, storedAs: context.storedAs }
  const bases = new Set(requests.flatMap(({ request }) => request.aggregates.map(({ base }) => base)))
  const tables = [...sources].flatMap(([name, source]) => {
    const rollup = context.model.rollups.get(name)
    if (!rollup || !bases.has(rollup.dataObject)) return []
    return [{ name, source, table: heldTable(rollup, how) }]
  })
  const choose = (aggregate: ResolvedAggregate, request: BlockRequest, shared: SharedReads): Choice | undefined => {
    for (const one of tables) {
      const read = readTable(
        aggregate,
        request,
        { table: one.table, graph: query.graph, model: context.model, time: query.time, hasQuotients },
        context.functions,
        shared,
      )
      if (!isUnread(read)) return { ...one, read }
    }
    return undefined
  }
  return requests.flatMap((planned) => parted(planned, choose, context))
}

function parted(
  planned: PlannedRequest,
  choose: (aggregate: ResolvedAggregate, request: BlockRequest, shared: SharedReads) => Choice | undefined,
  { model }: BindContext,
): readonly PlannedRequest[] {
  const { request } = planned
  const shared: SharedReads = new Map()
  const chosen = request.aggregates.map((aggregate) => ({ aggregate, choice: choose(aggregate, request, shared) }))
  if (chosen.every(({ choice }) => choice === undefined)) return [planned]
  const parts = grouped(chosen, ({ choice }) => choice?.name ?? '')
  return [...parts.values()].map((part) => {
    const own = { ...request, aggregates: part.map(({ aggregate }) => aggregate) }
    const contributesRows = planned.contributesRows && part.some(({ aggregate }) => aggregate.contributesRows)
    const [first, ...rest] = part.flatMap(({ choice }) => choice ?? [])
    if (!first) return { ...planned, contributesRows, request: own }
    const read: NonEmpty<OfTable> = [first.read, ...rest.map((one) => one.read)]
    const { name, table, source } = first
    const rollup = { name, base: table.base.name, request: requestOf(own, read), model: modelOfTable(table, model, source) }
    return { ...planned, contributesRows, request: { ...own, rollup } }
  })
}
