import { type Finding, fail, warning } from '../errors.js'
import { firstOf } from '../invariant.js'
import { shiftOf } from '../resolve/elsewhere.js'
import {
  type AggregateQuery,
  type Fold,
  hasDimension,
  isDimension,
  type Nested,
  type PeriodWindow,
  type ResolvedAggregate,
  type ResolvedDimension,
} from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import { bindBlock } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { BlockRequest } from './block-request.js'
import { blockRequests, isWhole, type PlannedRequest, reachOf, tupleRequest } from './block-requests.js'
import type { BoundAggregateQuery, BoundFold, BoundLeg, BoundNested } from './bound-query.js'
import { calendarColumns, daysOfGaps } from './calendar-columns.js'
import { differingWays } from './differing-ways.js'
import { bindInWindows } from './facts-in-windows.js'
import { atFineness, inDays } from './in-days.js'
import { type LegOf, withOwnRows } from './own-rows.js'
import { NO_REACH, type Reach, reachOfAll } from './reach.js'
import { applyRequestRules, requestRules } from './request-rules.js'
import { rollupTables, tablesOfRequests } from './rollups/rollup-tables.js'
import { allTables, NO_TABLES, type TablesRead } from './rollups/table-sources.js'
import { isOfAllRowsOf } from './rows-of-requests.js'
import { readSorts, sortLookups } from './sort-lookups.js'
import { tupleRequests } from './tuples.js'

/** Bound rows and their warnings. */
export interface Bound<T> {
  readonly rows: T
  readonly reach: Reach
  readonly warnings: readonly Finding[]
  /** The base of every block, in the order of the plan. */
  readonly bases: readonly string[]
  /** The rules for speed that changed a request. */
  readonly rules?: readonly string[]
  /** Where its aggregates are read. */
  readonly tablesRead?: TablesRead
}

/**
 * Measures and metrics by dimensions: the blocks that create the rows, and the blocks whose values are looked up for these rows. Throws
 * `INVALID_QUERY`, `NO_JOIN_PATH`, `AMBIGUOUS_JOIN`, `KEY_REQUIRED`, `FILTER_NOT_APPLICABLE`.
 */
export function bindAggregate(query: AggregateQuery, context: BindContext): Bound<BoundAggregateQuery> {
  const all = atFineness(blockRequests(query), query)
  const { requests, rules } = applyRequestRules(all, query, context.rules, [...requestRules, rollupTables(context)])
  const nested = query.nested.filter((one) => !isOverRows(one, query)).map((one) => bindNested(one, context))
  const nestedLegs = nested.filter(({ rows }) => !isLookedUp(rows, query))
  const { legs: found, reach } = legsOf(requests, nestedLegs, query, context)
  if (found.length + nestedLegs.length === 0) refuseRowless()
  const beside = requests.filter((r) => !r.atQueryGrain)
  const lookedUp = beside
    .filter((r) => !isWindowed(r))
    .map((r) => ({
      block: bindBlock(r.request, context),
      shift: r.shift,
      rowsAt: r.rowsAt,
      isWhole: isWhole(r, query),
      addsRows: r.contributesRows && shiftOf(r) !== undefined,
    }))
  const tuples = (name: string, isElsewhere: boolean): BoundLeg => bindTuples({ name, isElsewhere }, all, query, context)
  const answer = { legs: found, nested: nested.map((n) => n.rows), lookups: lookedUp }
  const own = withOwnRows(answer, query, tuples)
  const { legs } = own
  const sorts = readSorts(query)
  const lookups = [...own.lookups, ...sortLookups(sorts, context)]
  const cumulative = beside.filter(isWindowed).map(({ request, window }) => bindInWindows(request, window, context))
  const folds = query.folds.map((fold) => bindFold(fold, context))
  const overRows = query.nested.filter((one) => isOverRows(one, query)).map((one) => bindNested(one, context))
  const { dimensions, outputs, having, order, over, fill, aggregates, time } = query
  return {
    rows: {
      kind: 'aggregate',
      dimensions,
      steps: own.steps,
      outputs,
      having,
      order,
      over,
      fill: fill && {
        ...fill,
        clocks: { zone: time.zone, naiveZone: time.naiveZone, weekStart: time.weekStart },
        calendars: calendarColumns(fill, context),
        days: daysOfGaps(fill, context),
      },
      values: [...aggregates, ...query.nested, ...own.marks, ...sorts].map(({ name, type }) => ({ name, type })),
      legs,
      nested: own.nested,
      lookups,
      cumulative,
      folds: folds.map((f) => f.rows),
      nestedOverRows: overRows.map((n) => n.rows),
    },
    reach: reachOfAll([reachOf(all, query), ...[...nested, { reach }, ...folds, ...overRows].map((part) => part.reach)]),
    warnings: [
      ...overlapWarnings(requests),
      ...entityWarnings(requests),
      ...anchorWarnings(requests),
      ...differingWays(query),
      ...nested.flatMap((n) => n.warnings),
    ],
    bases: [...legs.map((leg) => leg.block.base), ...nestedLegs.map((n) => n.rows.base), ...beside.map((r) => r.request.base)],
    rules: [...rules, ...[...nested, ...folds, ...overRows].flatMap((part) => part.rules ?? [])],
    tablesRead: allTables([
      tablesOfRequests(requests),
      ...[...nested, ...folds, ...overRows].map((part) => part.tablesRead ?? NO_TABLES),
    ]),
  }
}

const addsRowsOf = ({ shift, rowsAt, contributesRows, dimensions }: Omit<Nested, 'path' | 'query'>): boolean =>
  shiftOf({ shift, rowsAt }) !== undefined && contributesRows && dimensions.length > (shift ? 1 : 0)

/** Values of another period, or at a coarser grain, are no rows of the answer. */
export const isLookedUp = (
  { shift, dimensions }: Pick<Nested, 'shift' | 'dimensions'>,
  query: Pick<AggregateQuery, 'dimensions'>,
): boolean => shift !== undefined || dimensions.length < query.dimensions.length

/** Over the windows of rows that must exist before. */
const isOverRows = ({ window }: Nested, { over }: AggregateQuery): boolean => window !== undefined && !isSame(window, over)

/** If the grain of the measure does not include the time, the window restricts nothing. */
const isWindowed = (r: PlannedRequest): r is PlannedRequest & { readonly window: PeriodWindow } =>
  r.window !== undefined && hasDimension(r.request.dimensions, r.window.period)

function bindNested({ query, path, ...nested }: Nested, context: BindContext): Bound<BoundNested> {
  const inner = bindAggregate(query, context)
  const addsRows = addsRowsOf(nested)
  return { ...inner, rows: { query: inner.rows, base: inner.bases[0]!, addsRows, ...nested } }
}

function bindFold({ query, ...fold }: Fold, context: BindContext): Bound<BoundFold> {
  const inner = bindAggregate(query, context)
  return { ...inner, rows: { ...fold, query: inner.rows } }
}

/**
 * The blocks that create the rows, in addition to `nested` queries. If none is at the grain of the query, coarser blocks provide the tuples of their bases;
 * those below a window always do, because its values differ from tuple to tuple. Without any block, the dimensions provide the tuples.
 */
function legsOf(
  requests: readonly PlannedRequest[],
  nested: readonly Bound<BoundNested>[],
  query: AggregateQuery,
  context: BindContext,
): { readonly legs: readonly LegOf[]; readonly reach: Reach } {
  const legOf = (request: BlockRequest, contributesRows: boolean, tuplesOf: readonly string[] = []): LegOf => ({
    leg: bindLeg(request, contributesRows, query, context),
    tuplesOf,
  })
  const legs = requests.filter((r) => r.atQueryGrain).map(({ request, contributesRows }) => legOf(request, contributesRows))
  if (query.dimensions.length === 0) return { legs, reach: NO_REACH }
  const isAnyContributing = legs.some(({ leg }) => leg.contributesRows) || nested.some((n) => n.rows.contributesRows)
  const isBelowWindow = belowWindows(legs, nested, query)
  const isGiver = ({ name }: ResolvedAggregate): boolean => !isAnyContributing || isBelowWindow(name)
  const coarse = coarseTuples(requests, query, isGiver).filter((tuples) => !isHeld(tuples.request, requests))
  const ofDimensions = isAnyContributing || coarse.length > 0 ? [] : tupleRequests(query.dimensions, query)
  const ofRows = ofDimensions.length > 0 ? [] : tuplesOfRows(query)
  const others = [...ofDimensions, ...ofRows.filter((request) => !isHeld(request, requests))]
  return {
    legs: [
      ...coarse.map(({ of, request }) => legOf(request, true, [of])),
      ...others.map((request) => legOf(request, true)),
      ...legs,
    ],
    // Also of rows that another block has: a filter that misses them is not ignored by the query, whatever the measures ignore.
    reach: reachOfAll([...coarse.map(({ request }) => request), ...ofDimensions, ...ofRows].map((t) => t.reach)),
  }
}

/** Of a coarser aggregate: whether a selected window runs over its tuples, because the measure of the window has no row at the grain of the query. */
function belowWindows(
  legs: readonly LegOf[],
  nested: readonly Bound<BoundNested>[],
  { steps }: AggregateQuery,
): (name: string) => boolean {
  const atGrain = new Set([
    ...legs.flatMap(({ leg }) => (leg.contributesRows ? leg.block.aggregates.map((a) => a.name) : [])),
    ...nested.flatMap(({ rows }) => (rows.contributesRows && shiftOf(rows) === undefined ? [rows.name] : [])),
  ])
  const below = steps.flatMap((step) =>
    step.kind === 'window' && step.addsRows && !step.rowsOf.some((of) => atGrain.has(of)) ? step.rowsOf : [],
  )
  return (name) => below.includes(name)
}

const bindLeg = (request: BlockRequest, contributesRows: boolean, { over }: AggregateQuery, context: BindContext): BoundLeg =>
  over
    ? { ...bindInWindows(request, over, context), contributesRows }
    : { block: bindBlock(request, context), over: undefined, contributesRows }

/** The tuples of the object that the query names. */
const tuplesOfRows = (query: AggregateQuery): readonly BlockRequest[] =>
  query.rowsOf === undefined ? [] : tupleRequests(query.dimensions, query)

/** Whether a block of the answer has a row for each of the tuples. */
const isHeld = (tuples: BlockRequest, requests: readonly PlannedRequest[]): boolean =>
  requests.some((r) => r.atQueryGrain && r.contributesRows && isOfAllRowsOf(r, tuples))

/** The tuples of those coarser aggregates that give them, each with its name. */
function coarseTuples(
  requests: readonly PlannedRequest[],
  query: AggregateQuery,
  isGiver: (aggregate: ResolvedAggregate) => boolean,
): readonly { readonly of: string; readonly request: BlockRequest }[] {
  const coarse = requests.filter(
    (r) => !r.atQueryGrain && shiftOf(r) === undefined && isSame(r.window, query.over) && r.contributesRows,
  )
  const givers = coarse.flatMap((r) => r.request.aggregates.filter((a) => a.contributesRows && isGiver(a)))
  return givers.map((aggregate) => ({ of: aggregate.name, request: tuplesAt(aggregate, ownDimensions(query), query) }))
}

/** The tuples of the rows of an aggregate, at the time of each row or at the one where it is looked up, as a block that adds no rows. */
function bindTuples(
  { name, isElsewhere }: { readonly name: string; readonly isElsewhere: boolean },
  requests: readonly PlannedRequest[],
  query: AggregateQuery,
  context: BindContext,
): BoundLeg {
  const aggregate = firstOf(requests.flatMap(({ request }) => request.aggregates.filter((a) => a.name === name)))
  const dimensions = isElsewhere ? aggregate.dimensions : ownDimensions(query)
  return bindLeg(tuplesAt(aggregate, dimensions, query), false, query, context)
}

const ownDimensions = ({ dimensions, over }: AggregateQuery): readonly ResolvedDimension[] =>
  dimensions.map((d) => (over && isDimension(d, over.time) ? over.period : d))

const tuplesAt = (aggregate: ResolvedAggregate, dimensions: readonly ResolvedDimension[], query: AggregateQuery): BlockRequest =>
  inDays(tupleRequest(aggregate, dimensions, query), [aggregate], query)

const refuseRowless = (): never =>
  fail('INVALID_QUERY', 'the selected metrics read no measure, so the answer has no rows', { path: 'select.measures' })

function overlapWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const { request, overlapping } of requests) {
    for (const dimension of overlapping) {
      const message = `a row of '${request.base}' can be in several groups of '${dimension}', so the groups may not add up to the total`
      found.set(message, warning('OVERLAPPING_GROUPS', message, { context: { dataObject: request.base, dimension } }))
    }
  }
  return [...found.values()]
}

/** The warnings about entities of funnels, whose first events are in several groups. */
function entityWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const counted = requests.flatMap(({ request }) =>
    request.dimensions.length === 0 ? [] : request.aggregates.flatMap(({ ofEntities }) => ofEntities ?? []),
  )
  return [...new Set(counted)].map((of) => {
    const message = `'${of}' counts an entity in each group of its first events, so the groups may not add up to the total`
    return warning('OVERLAPPING_GROUPS', message, { context: { metric: of } })
  })
}

/** The warning about an expression over several facts without an anchor. */
function anchorWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const aggregates = requests.flatMap(({ request }) => request.aggregates.filter((a) => a.multiFact?.assumed))
  return [...new Map(aggregates.map((a) => [a.measure.name, a])).values()].map(({ measure, base, path }) => {
    const message = `'${measure.name}' reads several facts that share '${base}', so it is evaluated per row of '${base}'; set an anchor to confirm this`
    return warning('CONFORMED_GRAIN_ASSUMED', message, { path, context: { measure: measure.name, dataObject: base } })
  })
}
