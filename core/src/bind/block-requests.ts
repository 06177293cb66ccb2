import { fail } from '../errors.js'
import type { ModelCondition } from '../model/semantic-model.js'
import { columnsOf } from '../resolve/condition-columns.js'
import { pinHint } from '../resolve/helpful-pins.js'
import { bridgesOf, fieldLeaves, isLocated, locate } from '../resolve/locate.js'
import type {
  AggregateQuery,
  Atom,
  Balance,
  Conjunct,
  Conversion,
  PeriodWindow,
  ResolvedDimension,
  Shift,
} from '../resolve/resolved-query.js'
import { isSame, ValueMap, ValueSet } from '../same.js'
import { acrossRequest } from './across-request.js'
import type { BlockRequest, ConversionRequests } from './block-request.js'
import { balanceKeys } from './block-request.js'
import { connectAdvice, reachInWords } from './connect-advice.js'
import { conjunctsFor, NO_REACH, type Reach, reachOfAll } from './reach.js'

export interface PlannedRequest {
  readonly request: BlockRequest
  readonly present: boolean
  /** Dimensions of which one home row can have several values. */
  readonly overlapping: readonly string[]
  /** Set when the block's values are looked up at another period. */
  readonly shift: Shift | undefined
  /** Set when the block is evaluated over the rows of a window. */
  readonly window: PeriodWindow | undefined
  /** The block is at the query's grain and period, so that its rows are rows of the answer. */
  readonly atQueryGrain: boolean
}

/** Atoms sorted into blocks: those share one that have the same home, filters, grain, shift and the same say in the answer's rows. */
export function blockRequests(query: AggregateQuery): PlannedRequest[] {
  const places = new ValueMap(query.where.map((conjunct, at) => [conjunct, at] as const))
  const groups = groupBy(query.atoms, (atom) => placeOf(atom, places))
  return [...groups.values()].flatMap((atoms) => (atoms[0]!.across ? acrossRequests(atoms, query) : homeRequests(atoms, query)))
}

/** Which conditions reach which blocks, and which ones all atoms look past. */
export function reachOf(requests: readonly PlannedRequest[], { atoms, where }: AggregateQuery): Reach {
  const seen = new ValueSet(atoms.flatMap((a) => a.conjuncts))
  const ignored = atoms.length > 0 ? where.filter((conjunct) => !seen.has(conjunct)) : []
  return reachOfAll([{ ...NO_REACH, ignored }, ...requests.map((r) => r.request.reach)])
}

function placeOf(atom: Atom, places: ValueMap<Conjunct, number>): string {
  const { home, dimensions, conjuncts, shift, window, balance, across, filters } = atom
  const seen = conjuncts.map((c) => places.get(c) ?? explained(c.expression))
  const over = window && [
    window.period.name,
    window.period.grain,
    window.partition.map((d) => d.name),
    window.own,
    window.periods,
    window.unit,
    window.toDate,
    window.apart.map((d) => d.name),
  ]
  // Names are many and hold no bigint, so that they need no replacer.
  const grain = JSON.stringify([home, dimensions.map((d) => d.name)])
  const rest = explained([
    seen,
    // Another period without any row of a count is absent, not 0, whatever rows its neighbours find there.
    shift && [shift.dimension.name, explained(shift.key), atom.emptyIsZero && filters],
    over,
    balance && [kindOf(balance), filters],
    across && [across.assumed, across.facts.map((f) => f.object), filters],
  ])
  return grain + rest
}

const kindOf = (balance: Balance) => [balance.take, balance.perTime, balanceKeys(balance).map((d) => d.name)]

const explained = (value: unknown): string => JSON.stringify(value, (_, v) => (typeof v === 'bigint' ? String(v) : v))

const isAtQueryGrain = ({ shift, window, dimensions }: Atom, query: AggregateQuery): boolean =>
  shift === undefined && isSame(window, query.over) && dimensions.length === query.dimensions.length

/** Measures over the same facts, that meet in the same object. */
function acrossRequests(atoms: readonly Atom[], query: AggregateQuery): PlannedRequest[] {
  const { home, dimensions, shift, window, balance } = atoms[0]!
  const sums = new Map(
    atoms.flatMap((a) => a.across!.facts).flatMap((f) => f.sums.map((sum) => [sum.name, { ...sum, object: f.object }])),
  )
  const all = [...sums.values()]
  const facts = atoms[0]!.across!.facts.map(({ object }) => ({ object, sums: all.filter((s) => s.object === object) }))
  const whole = { ...atoms[0]!, across: { ...atoms[0]!.across!, facts } }
  const read = acrossRequest(whole, [...dimensions, ...(balance ? balanceKeys(balance) : [])], query)
  const atQueryGrain = isAtQueryGrain(whole, query)
  const parts =
    atQueryGrain && window === undefined ? byPresence(atoms, query) : [{ members: atoms, present: atoms.some((a) => a.present) }]
  return parts.map(({ members, present }) => ({
    present,
    overlapping: [],
    shift,
    window,
    atQueryGrain,
    request: { home, atoms: members, dimensions, bridges: new Set(), apart: new Set(), fanOut: false, balance, ...read },
  }))
}

function homeRequests(atoms: readonly Atom[], query: AggregateQuery): PlannedRequest[] {
  const { home, dimensions, shift, window, balance, conjuncts: seen } = atoms[0]!
  const reached = conjunctsFor(home, { ...query, where: seen }, `'${atoms[0]!.measure.name}'`)
  const bridged = dimensions.map((dimension) => ({ dimension, nodes: dimensionBridges(dimension, atoms[0]!, query) }))
  const keyed = (balance ? balanceKeys(balance) : []).flatMap((key) => [...dimensionBridges(key, atoms[0]!, query)])
  const bridges = [...reached.bridges, ...bridged.flatMap(({ nodes }) => [...nodes]), ...keyed]
  const atQueryGrain = isAtQueryGrain(atoms[0]!, query)
  const groups = groupBy(atoms, (atom) =>
    JSON.stringify([query.fanOut || atom.measure.allowFanOut, atom.weights, bridgeFilters(atom, query)]),
  )
  return [...groups.values()].flatMap((group) => {
    const filters = bridgeFilters(group[0]!, query)
    const own = new Set([...bridges, ...filters.flatMap((f) => [...filterBridges(f, group[0]!, query)])])
    const fanOut = query.fanOut || group[0]!.measure.allowFanOut
    const { weights } = group[0]!
    // Parts of a row add up to the row, however many groups it is in; means over times do not add up.
    const isParted = (node: string): boolean => balance?.take !== 'avg' && weights.some((w) => w.bridge === node)
    const overlapping = bridged.flatMap(({ dimension, nodes }) => ([...nodes].every(isParted) ? [] : [dimension.label]))
    const parts =
      atQueryGrain && window === undefined
        ? byPresence(group, query)
        : [{ members: group, present: group.some((a) => a.present) }]
    const conversions = new Map(group.flatMap((atom) => (atom.converts ? [[atom.name, eventsOf(atom.converts, query)]] : [])))
    const events = [...conversions.values()].flatMap(({ base, conversion }) => [base.reach, conversion.reach])
    const reach = reachOfAll([reached.reach, ...events])
    return parts.map(({ members, present }) => ({
      present,
      overlapping,
      shift,
      window,
      atQueryGrain,
      request: {
        home,
        atoms: members,
        dimensions,
        conjuncts: reached.conjuncts,
        bridges: own,
        apart: reached.apart,
        bridgeFilters: filters,
        fanOut,
        weights,
        balance,
        conversions,
        reach,
      },
    }))
  })
}

const eventsOf = ({ base, conversion }: Conversion, query: AggregateQuery): ConversionRequests => ({
  base: tupleRequest(base, base.dimensions, query),
  conversion: tupleRequest(conversion, conversion.dimensions, query),
})

/** The rows that a coarser aggregate gives to an answer without any at query grain: its home's tuples, under all its filters. */
export function tupleRequest(atom: Atom, dimensions: readonly ResolvedDimension[], query: AggregateQuery): BlockRequest {
  const { home } = atom
  if (atom.across) {
    const read = acrossRequest(atom, dimensions, query)
    return { home, atoms: [], dimensions, bridges: new Set(), apart: new Set(), fanOut: false, ...read }
  }
  const reached = conjunctsFor(home, { ...query, where: atom.conjuncts }, `'${atom.measure.name}'`)
  const read = [...dimensions, ...(atom.balance ? balanceKeys(atom.balance) : [])]
  const bridges = new Set([
    ...reached.bridges,
    ...read.flatMap((dimension) => [...dimensionBridges(dimension, atom, query)]),
    ...atom.filters.flatMap((filter) => [...filterBridges(filter, atom, query)]),
  ])
  return { home, atoms: [], dimensions, ...reached, bridges, bridgeFilters: atom.filters, fanOut: false }
}

/**
 * Atoms that only having or order read join the block of the selected ones where that one makes a row of every group anyway; else
 * they are a block of their own, which adds no rows.
 */
function byPresence(
  atoms: readonly Atom[],
  query: AggregateQuery,
): { readonly members: readonly Atom[]; readonly present: boolean }[] {
  const present = atoms.filter((a) => a.present)
  const silent = atoms.filter((a) => !a.present)
  const everyGroup = present.some((a) => a.filters.length === bridgeFilters(a, query).length)
  if (silent.length === 0 || query.dimensions.length === 0) return [{ members: atoms, present: true }]
  if (everyGroup) return [{ members: [...present, ...silent], present: true }]
  return [...(present.length > 0 ? [{ members: present, present: true }] : []), { members: silent, present: false }]
}

function dimensionBridges(dimension: ResolvedDimension, atom: Atom, { graph }: AggregateQuery): Set<string> {
  const nodes = bridgesOf(atom.home, fieldLeaves(dimension), graph, dimension.path)
  if (nodes) return nodes
  const missed = dimension.members.find((m) => locate(atom.home, m, graph, dimension.path) === undefined) ?? dimension.members[0]!
  const message = `'${atom.measure.name}' is counted at the rows of '${atom.home}', from which '${dimension.label}' on '${missed.object}' cannot be reached; ${reachInWords(atom.home, graph)}. To connect them, ${connectAdvice(atom.home, missed.object, graph)}`
  return fail('NO_JOIN_PATH', message, {
    path: dimension.path,
    context: { measure: atom.measure.name, dimension: dimension.label },
    ...pinHint(graph, (pinned) => isLocated(atom.home, missed, pinned)),
  })
}

/** The atom's own filters that are read on bridges; the others are read on its rows. */
function bridgeFilters(atom: Atom, query: AggregateQuery): readonly ModelCondition[] {
  if (atom.across) return atom.filters
  return atom.filters.filter((f) => filterBridges(f, atom, query).size > 0)
}

function filterBridges(filter: ModelCondition, atom: Atom, query: AggregateQuery): Set<string> {
  const nodes = new Set<string>()
  for (const column of columnsOf(filter)) {
    const name = `${column.object}.${column.column}`
    const location = locate(atom.home, { object: column.object, via: undefined, name }, query.graph, atom.path)
    if (!location) {
      fail(
        'NO_JOIN_PATH',
        `the filter of '${atom.measure.name}' on '${name}' cannot be reached from the rows of '${atom.home}'`,
        { path: atom.path },
      )
    }
    if (location.kind === 'bridge') nodes.add(location.node)
  }
  return nodes
}

function groupBy<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const k = key(item)
    const group = groups.get(k)
    if (group) group.push(item)
    else groups.set(k, [item])
  }
  return groups
}
