import { type Finding, fail, warning } from '../errors.js'
import {
  type AggregateQuery,
  type Fold,
  hasDimension,
  isDimension,
  type Nested,
  type PeriodWindow,
} from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import { bindBlock } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { BlockRequest } from './block-request.js'
import { blockRequests, type PlannedRequest, reachOf, tupleRequest } from './block-requests.js'
import type { BoundAggregateQuery, BoundFold, BoundLeg, BoundNested } from './bound-query.js'
import { differingWays } from './differing-ways.js'
import { bindInWindows } from './facts-in-windows.js'
import { nearPeriods } from './near-periods.js'
import { NO_REACH, type Reach, reachOfAll } from './reach.js'
import { withSharedRows } from './shared-rows.js'
import { tupleRequests } from './tuples.js'
import { windowTotals } from './window-totals.js'

/** Rows that are bound, and what there is to say of them. */
export interface Bound<T> {
  readonly rows: T
  readonly reach: Reach
  readonly warnings: readonly Finding[]
  /** The base of every block, in the order of the plan. */
  readonly bases: readonly string[]
}

/**
 * Measures and metrics by dimensions: the blocks that make the rows, and those whose values are looked up for them. Throws
 * `INVALID_QUERY`, `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `KEY_REQUIRED`, `FILTER_NOT_APPLICABLE`.
 */
export function bindAggregate(query: AggregateQuery, context: BindContext): Bound<BoundAggregateQuery> {
  const all = blockRequests(query)
  const blocks = withSharedRows(nearPeriods(all, query))
  // Rows of periods without any are no rows of a block, so that what is folded over rows is looked up beside them.
  const { requests, calls: totals } = query.fill ? { requests: blocks, calls: [] } : windowTotals(blocks, query)
  const nested = query.nested.filter((one) => !isOverRows(one, query)).map((one) => bindNested(one, context))
  const nestedLegs = nested.filter(({ rows }) => rows.shift === undefined)
  const { legs, reach } = legsOf(requests, nestedLegs, query, context)
  if (legs.length + nestedLegs.length === 0) refuseRowless()
  const found = requests.filter((r) => !r.atQueryGrain)
  const lookups = found.filter((r) => !isWindowed(r)).map(({ request, shift }) => ({ block: bindBlock(request, context), shift }))
  const cumulative = found.filter(isWindowed).map(({ request, window }) => bindInWindows(request, window, context))
  const folds = query.folds.map((fold) => bindFold(fold, context))
  const overRows = query.nested.filter((one) => isOverRows(one, query)).map((one) => bindNested(one, context))
  const { dimensions, steps, outputs, having, order, over, fill, aggregates, time } = query
  return {
    rows: {
      kind: 'aggregate',
      dimensions,
      steps,
      outputs,
      having,
      order,
      over,
      fill: fill && { ...fill, clocks: { zone: time.zone, naiveZone: time.naiveZone } },
      values: [...aggregates, ...query.nested].map(({ name, type }) => ({ name, type })),
      legs,
      nested: nested.map((n) => n.rows),
      totals,
      lookups,
      cumulative,
      folds: folds.map((f) => f.rows),
      nestedOverRows: overRows.map((n) => n.rows),
    },
    reach: reachOfAll([reachOf(all, query), ...[...nested, { reach }, ...folds, ...overRows].map((part) => part.reach)]),
    warnings: [
      ...overlapWarnings(requests),
      ...anchorWarnings(requests),
      ...differingWays(query),
      ...nested.flatMap((n) => n.warnings),
    ],
    bases: [...legs.map((leg) => leg.block.base), ...nestedLegs.map((n) => n.rows.base), ...found.map((r) => r.request.base)],
  }
}

/** Over the windows of rows that must be there before. */
const isOverRows = ({ window }: Nested, { over }: AggregateQuery): boolean => window !== undefined && !isSame(window, over)

/** Where the time is not in the measure's grain, the window restricts nothing. */
const isWindowed = (r: PlannedRequest): r is PlannedRequest & { readonly window: PeriodWindow } =>
  r.window !== undefined && hasDimension(r.request.dimensions, r.window.period)

function bindNested({ query, path, ...nested }: Nested, context: BindContext): Bound<BoundNested> {
  const inner = bindAggregate(query, context)
  return { ...inner, rows: { ...nested, query: inner.rows, base: inner.bases[0]! } }
}

function bindFold({ query, ...fold }: Fold, context: BindContext): Bound<BoundFold> {
  const inner = bindAggregate(query, context)
  return { ...inner, rows: { ...fold, query: inner.rows } }
}

/**
 * The blocks that make the rows, beside `nested` queries. Where none is at query grain, coarser ones give the tuples of their bases;
 * where there is none at all, the dimensions do.
 */
function legsOf(
  requests: readonly PlannedRequest[],
  nested: readonly Bound<BoundNested>[],
  query: AggregateQuery,
  context: BindContext,
): { readonly legs: readonly BoundLeg[]; readonly reach: Reach } {
  const bindLeg = (request: BlockRequest, contributesRows: boolean): BoundLeg =>
    query.over
      ? { ...bindInWindows(request, query.over, context), contributesRows }
      : { block: bindBlock(request, context), over: undefined, contributesRows }
  const legs = requests.filter((r) => r.atQueryGrain).map(({ request, contributesRows }) => bindLeg(request, contributesRows))
  const isAnyContributing = legs.some((leg) => leg.contributesRows) || nested.some((n) => n.rows.contributesRows)
  if (isAnyContributing || query.dimensions.length === 0) return { legs, reach: NO_REACH }
  const tuples = tuplesOf(requests, query)
  return { legs: [...tuples.map((request) => bindLeg(request, true)), ...legs], reach: reachOfAll(tuples.map((t) => t.reach)) }
}

function tuplesOf(requests: readonly PlannedRequest[], query: AggregateQuery): readonly BlockRequest[] {
  const { over } = query
  const coarse = requests.filter((r) => !r.atQueryGrain && r.shift === undefined && isSame(r.window, over) && r.contributesRows)
  const givers = coarse.flatMap((r) => r.request.aggregates.filter((a) => a.contributesRows))
  const dimensions = query.dimensions.map((d) => (over && isDimension(d, over.time) ? over.period : d))
  return givers.length > 0
    ? givers.map((aggregate) => tupleRequest(aggregate, dimensions, query))
    : tupleRequests(query.dimensions, query)
}

const refuseRowless = (): never =>
  fail('INVALID_QUERY', 'the selected metrics read no measure, so there are no rows to answer with', { path: 'select.measures' })

function overlapWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const { request, overlapping } of requests) {
    for (const dimension of overlapping) {
      const message = `a row of '${request.base}' can stand in several groups of '${dimension}', so the groups need not add up to the total`
      found.set(message, warning('OVERLAPPING_GROUPS', message, { context: { dataObject: request.base, dimension } }))
    }
  }
  return [...found.values()]
}

/** What a careful reader must know of an expression over several facts. */
function anchorWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const aggregates = requests.flatMap(({ request }) => request.aggregates.filter((a) => a.multiFact?.assumed))
  return [...new Map(aggregates.map((a) => [a.measure.name, a])).values()].map(({ measure, base, path }) => {
    const message = `'${measure.name}' reads facts that meet in '${base}', so it is evaluated per row of '${base}'; name an anchor to say so`
    return warning('CONFORMED_GRAIN_ASSUMED', message, { path, context: { measure: measure.name, dataObject: base } })
  })
}
