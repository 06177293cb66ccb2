import { fail } from '../errors.js'
import { grouped } from '../grouped.js'
import { entryOf, type NonEmpty } from '../invariant.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { columnsOf } from '../resolve/conditions.js'
import { shiftOf } from '../resolve/elsewhere.js'
import { pinHint } from '../resolve/helpful-pins.js'
import { bridgesOf, fieldLeaves, isFieldOutOfReach, isLocated, locate } from '../resolve/locate.js'
import {
  type AggregateQuery,
  type Conjunct,
  type Conversion,
  hasDimension,
  isOfTime,
  type PeriodWindow,
  type ResolvedAggregate,
  type ResolvedDimension,
  type RowsAt,
  type SemiAdditive,
  type Shift,
} from '../resolve/resolved-query.js'
import { isSame, ValueMap, ValueSet } from '../same.js'
import { type BlockRequest, type ConversionRequests, semiAdditiveKeys } from './block-request.js'
import { connectAdvice, reachInWords } from './connect-advice.js'
import { isDivisible } from './divided-time.js'
import { multiFactRequest } from './multi-fact-request.js'
import { conjunctsForMeasure, NO_REACH, type Reach, reachOfAll } from './reach.js'

export interface PlannedRequest {
  readonly request: BlockRequest
  /** Its rows are rows of the answer; at another period, their other dimensions are. */
  readonly contributesRows: boolean
  /** Dimensions with several values for one base row. */
  readonly overlapping: readonly string[]
  /** Set if the values of the block are looked up at another period. */
  readonly shift: Shift | undefined
  /** Set if the values are those of one period that the query cuts. */
  readonly rowsAt?: RowsAt | undefined
  /** Set if the block is evaluated over the rows of a window. */
  readonly window: PeriodWindow | undefined
  /** The block has the grain and period of the query, so that its rows are rows of the answer. */
  readonly atQueryGrain: boolean
}

/** Groups aggregates into blocks: those with the same base, filters, grain, shift and effect on the rows of the answer share one. */
export function blockRequests(query: AggregateQuery): PlannedRequest[] {
  const places: Places = {
    model: query.model,
    conjuncts: new ValueMap(query.where.map((conjunct, at) => [conjunct, at] as const)),
    grains: grainNumbers(query.aggregates.map((a) => a.dimensions)),
  }
  const groups = grouped(query.aggregates, (aggregate) => placeOf(aggregate, places))
  return [...groups.values()].flatMap((aggregates) => {
    const { multiFact } = aggregates[0]
    return multiFact ? multiFactRequests(aggregates, multiFact, query) : baseRequests(aggregates, query)
  })
}

/** Which conditions reach which blocks, and which conditions all aggregates ignore. */
export function reachOf(requests: readonly PlannedRequest[], { aggregates, where }: AggregateQuery): Reach {
  const seen = new ValueSet(aggregates.flatMap((a) => a.conjuncts))
  const ignored = aggregates.length > 0 ? where.filter((conjunct) => !seen.has(conjunct)) : []
  return reachOfAll([{ ...NO_REACH, ignored }, ...requests.map((r) => r.request.reach)])
}

/** Common properties of many aggregates, as numbers: conditions, and the dimensions of their groups. */
interface Places {
  readonly model: AggregateQuery['model']
  readonly conjuncts: Pick<ValueMap<Conjunct, number>, 'get'>
  readonly grains: ReadonlyMap<readonly ResolvedDimension[], number>
}

/** A number for each list of dimensions; lists with the same names have the same number. */
function grainNumbers(lists: readonly (readonly ResolvedDimension[])[]): Places['grains'] {
  const different = [...new Set(lists)]
  if (different.length < 2) return new Map(different.map((list) => [list, 0]))
  const named = different.map((list) => [list, JSON.stringify(namesOf(list))] as const)
  const numbers = new Map([...new Set(named.map(([, names]) => names))].map((names, i) => [names, i]))
  return new Map(named.map(([list, names]) => [list, entryOf(numbers, names)]))
}

function placeOf(aggregate: ResolvedAggregate, { model, conjuncts: places, grains }: Places): string {
  const { base, dimensions, conjuncts, isPastRange, shift, isElsewhere, rowsAt, window, semiAdditive, multiFact, filters } =
    aggregate
  const seen = conjuncts.map((c) => places.get(c) ?? explained([c.expression, c.shown && namesOf(c.shown)], 'path'))
  const over = window && [
    window.period.name,
    window.period.grain,
    namesOf(window.partition),
    explained(window.own),
    window.periods,
    window.unit,
    explained(window.since),
    window.toDate,
    namesOf(window.groupBy),
  ]
  return JSON.stringify([
    base,
    grains.get(dimensions),
    seen,
    isPastRange,
    shift ? [shift.dimension.name, explained([shift.key, shift.apart])] : isElsewhere,
    rowsAt && explained([rowsAt.from, rowsAt.isOwn]),
    over,
    semiAdditive && [kindOf(semiAdditive), explained(filters)],
    isDivisible(aggregate, model),
    multiFact && [multiFact.assumed, multiFact.facts.map((f) => f.object), explained(filters)],
  ])
}

const namesOf = (dimensions: readonly ResolvedDimension[]): readonly string[] => dimensions.map((d) => d.name)

const kindOf = (semiAdditive: SemiAdditive) => [semiAdditive.take, semiAdditive.perTime, namesOf(semiAdditiveKeys(semiAdditive))]

/** `but` is a key of no meaning: where something was asked for. */
const explained = (value: unknown, but?: string): string =>
  JSON.stringify(value, (key, v) => (typeof v === 'bigint' ? String(v) : key === but ? undefined : v))

const isAtQueryGrain = ({ shift, window, dimensions, isPastRange }: ResolvedAggregate, query: AggregateQuery): boolean =>
  shift === undefined &&
  isSame(window, query.over) &&
  dimensions.length === query.dimensions.length &&
  (isPastRange === undefined || dimensions.length === 0)

/** Measures over the same facts, joined at the same object. */
function multiFactRequests(
  aggregates: NonEmpty<ResolvedAggregate>,
  multiFact: NonNullable<ResolvedAggregate['multiFact']>,
  query: AggregateQuery,
): PlannedRequest[] {
  const [first] = aggregates
  const { dimensions, semiAdditive } = first
  const sums = new Map(
    aggregates
      .flatMap((a) => a.multiFact?.facts ?? [])
      .flatMap((f) => f.sums.map((sum) => [sum.name, { ...sum, object: f.object }])),
  )
  const all = [...sums.values()]
  const facts = multiFact.facts.map(({ object }) => ({ object, sums: all.filter((s) => s.object === object) }))
  const whole = { ...first, multiFact: { ...multiFact, facts } }
  const read = multiFactRequest(whole, [...dimensions, ...(semiAdditive ? semiAdditiveKeys(semiAdditive) : [])], query)
  return parted(aggregates, query, {
    shared: first,
    overlapping: [],
    own: { bridges: new Set(), separate: new Set(), fanOut: false, ...read },
  })
}

function baseRequests(aggregates: NonEmpty<ResolvedAggregate>, query: AggregateQuery): PlannedRequest[] {
  const [first] = aggregates
  const { base, dimensions, semiAdditive, conjuncts: seen } = first
  const conditions = conjunctsForMeasure(base, { ...query, where: seen }, first.measure)
  const bridged = dimensions.map((dimension) => ({ dimension, nodes: dimensionBridges(dimension, first, query) }))
  const keyed = (semiAdditive ? semiAdditiveKeys(semiAdditive) : []).flatMap((key) => [...dimensionBridges(key, first, query)])
  const bridges = [...conditions.bridges, ...bridged.flatMap(({ nodes }) => [...nodes]), ...keyed]
  // A count of another period without rows is NULL, not 0. Through a bridge, rows show that only for the measure that they are kept for.
  const isApart = (onBridges: number, { emptyIsZero, isElsewhere }: ResolvedAggregate): boolean =>
    isElsewhere && emptyIsZero && bridges.length + onBridges > 0
  const groups = grouped(aggregates, (aggregate) => {
    const onBridges = bridgeFilters(aggregate, query)
    const whole = isApart(onBridges.length, aggregate) && explained(aggregate.filters)
    return JSON.stringify([query.fanOut || aggregate.measure.allowFanOut, aggregate.weights, onBridges, whole])
  })
  return [...groups.values()].flatMap((group) => {
    const [member] = group
    const filters = bridgeFilters(member, query)
    const own = new Set([...bridges, ...filters.flatMap((f) => [...filterBridges(f, member, query)])])
    const fanOut = query.fanOut || member.measure.allowFanOut
    const { weights } = member
    // The parts of a row add up to the row, whatever its number of groups; averages over times do not add up.
    const isParted = (node: string): boolean => semiAdditive?.take !== 'avg' && weights.some((w) => w.bridge === node)
    const overlapping = bridged.flatMap(({ dimension, nodes }) => ([...nodes].every(isParted) ? [] : [dimension.label]))
    const conversions = new Map(
      group.flatMap((aggregate) => (aggregate.converts ? [[aggregate.name, eventsOf(aggregate.converts, query)]] : [])),
    )
    const events = [...conversions.values()].flatMap(({ base, later }) => [base, ...later].map((events) => events.reach))
    const reach = reachOfAll([conditions.reach, ...events])
    const { conjuncts, separate } = conditions
    return parted(group, query, {
      shared: first,
      overlapping,
      own: { conjuncts, bridges: own, separate, bridgeFilters: filters, fanOut, weights, conversions, reach },
    })
  })
}

/** The request of a block without its aggregates. */
interface Parts {
  /** An aggregate whose base, dimensions, shift, window and balance are those of all aggregates of the block. */
  readonly shared: ResolvedAggregate
  readonly overlapping: readonly string[]
  readonly own: Omit<BlockRequest, 'base' | 'aggregates' | 'dimensions' | 'semiAdditive'>
}

/** The requests of aggregates that read the same rows. Requests whose rows are rows of the answer are separate from those that only provide values. */
function parted(
  aggregates: readonly ResolvedAggregate[],
  query: AggregateQuery,
  { shared, overlapping, own }: Parts,
): PlannedRequest[] {
  const { base, dimensions, shift, rowsAt, window, semiAdditive } = shared
  const atQueryGrain = isAtQueryGrain(shared, query)
  const parts =
    (atQueryGrain || shiftOf(shared) !== undefined) && window === undefined
      ? byPresence(aggregates, query)
      : [{ members: aggregates, contributesRows: aggregates.some((a) => a.contributesRows) }]
  return parts.map(({ members, contributesRows }) => {
    const request = { base, aggregates: members, dimensions, semiAdditive, ...own }
    const isMade = shiftOf(shared) === undefined || isWhole({ request, shift, rowsAt, window }, query)
    return { contributesRows: contributesRows && isMade, overlapping, shift, rowsAt, window, atQueryGrain, request }
  })
}

/** Whether a block at another period has all other dimensions of the query, and there are some. */
export function isWhole(
  { request, shift, rowsAt, window }: Pick<PlannedRequest, 'request' | 'shift' | 'rowsAt' | 'window'>,
  query: AggregateQuery,
): boolean {
  const of = shiftOf({ shift, rowsAt })
  if (of === undefined || window !== undefined) return false
  const others = query.dimensions.filter((d) => !isOfTime(d, of))
  const keys = shift ? [shift.period, ...others] : others
  return others.length > 0 && keys.every((d) => hasDimension(request.dimensions, d))
}

const eventsOf = ({ base, later }: Conversion, query: AggregateQuery): ConversionRequests => ({
  base: tupleRequest(base, base.dimensions, query),
  later: later.map((events) => tupleRequest(events, events.dimensions, query)),
})

/** The rows that a coarser aggregate adds to an answer without aggregates at the grain of the query: the tuples of its base, with all its filters. */
export function tupleRequest(
  aggregate: ResolvedAggregate,
  dimensions: readonly ResolvedDimension[],
  query: AggregateQuery,
): BlockRequest {
  const { base } = aggregate
  if (aggregate.multiFact) {
    const read = multiFactRequest({ ...aggregate, conjuncts: aggregate.conjunctsOfTuples }, dimensions, query)
    return { base, aggregates: [], dimensions, bridges: new Set(), separate: new Set(), fanOut: false, ...read }
  }
  const conditions = conjunctsForMeasure(base, { ...query, where: aggregate.conjunctsOfTuples }, aggregate.measure)
  const read = [...dimensions, ...(aggregate.semiAdditive ? semiAdditiveKeys(aggregate.semiAdditive) : [])]
  const bridges = new Set([
    ...conditions.bridges,
    ...read.flatMap((dimension) => [...dimensionBridges(dimension, aggregate, query)]),
    ...aggregate.filters.flatMap((filter) => [...filterBridges(filter, aggregate, query)]),
  ])
  return { base, aggregates: [], dimensions, ...conditions, bridges, bridgeFilters: aggregate.filters, fanOut: false }
}

/**
 * Aggregates that only `having` or the order reads join the block of the selected ones if that block has a row for every group anyway. Otherwise
 * they are a separate block, which adds no rows.
 */
function byPresence(
  aggregates: readonly ResolvedAggregate[],
  query: AggregateQuery,
): { readonly members: readonly ResolvedAggregate[]; readonly contributesRows: boolean }[] {
  const contributing = aggregates.filter((a) => a.contributesRows)
  const silent = aggregates.filter((a) => !a.contributesRows)
  const everyGroup = contributing.some((a) => a.filters.length === bridgeFilters(a, query).length)
  if (silent.length === 0 || query.dimensions.length === 0) return [{ members: aggregates, contributesRows: true }]
  if (everyGroup) return [{ members: [...contributing, ...silent], contributesRows: true }]
  return [
    ...(contributing.length > 0 ? [{ members: contributing, contributesRows: true }] : []),
    { members: silent, contributesRows: false },
  ]
}

function dimensionBridges(dimension: ResolvedDimension, aggregate: ResolvedAggregate, { graph }: AggregateQuery): Set<string> {
  const nodes = bridgesOf(aggregate.base, fieldLeaves(dimension), graph, dimension.path)
  if (nodes) return nodes
  const missed = dimension.members.find((m) => isFieldOutOfReach(aggregate.base, m, graph)) ?? dimension.members[0]
  const name = dimension.expression ? missed.name : dimension.label
  const message = `'${aggregate.measure.name}' cannot be grouped by '${dimension.label}': its rows are those of '${aggregate.base}', from which '${name}' on '${missed.object}' cannot be reached; ${reachInWords(aggregate.base, graph)}. To connect them, ${connectAdvice(aggregate.base, missed.object, graph)}`
  return fail('NO_JOIN_PATH', message, {
    path: dimension.path,
    context: { measure: aggregate.measure.name, dimension: dimension.label },
    ...pinHint(graph, (pinned) => isLocated(aggregate.base, missed, pinned)),
  })
}

/** The filters of the aggregate that are read on bridges; the others are read on its rows. */
function bridgeFilters(aggregate: ResolvedAggregate, query: AggregateQuery): readonly ModelCondition[] {
  if (aggregate.multiFact) return aggregate.filters
  return aggregate.filters.filter((f) => filterBridges(f, aggregate, query).size > 0)
}

function filterBridges(filter: ModelCondition, aggregate: ResolvedAggregate, query: AggregateQuery): Set<string> {
  const nodes = new Set<string>()
  for (const column of columnsOf(filter)) {
    const name = `${column.object}.${column.column}`
    const location = locate(aggregate.base, { object: column.object, via: undefined, name }, query.graph, aggregate.path)
    if (!location) {
      fail(
        'NO_JOIN_PATH',
        `the filter of '${aggregate.measure.name}' on '${name}' cannot be reached from the rows of '${aggregate.base}'`,
        { path: aggregate.path },
      )
    }
    if (location.kind === 'bridge') nodes.add(location.node)
  }
  return nodes
}
