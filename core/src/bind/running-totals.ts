import { Aliases } from '../resolve/aliases.js'
import { type AggregateQuery, hasDimension, type PeriodWindow, type ResolvedAggregate } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { PlannedRequest } from './block-requests.js'
import type { RunningTotal } from './bound-query.js'
import { REFOLD } from './refold.js'
import { isRunning, runs, showsPeriod } from './running-windows.js'

export interface RunningTotals {
  /** The blocks that still need a scan. */
  readonly requests: readonly PlannedRequest[]
  readonly calls: readonly RunningTotal[]
}

/**
 * Running values as windows over the rows of the answer, instead of a second scan, if that gives exactly the same result: a block has a
 * row for every group from the same rows of the same base, each of which is in one group, and the values aggregate without rounding.
 */
export function runningTotals(requests: readonly PlannedRequest[], query: AggregateQuery): RunningTotals {
  const detail = requests.filter((r) => r.atQueryGrain && r.contributesRows && isPlain(r) && makesEveryGroup(r))
  if (query.over || detail.length === 0 || requests.every((r) => r.atQueryGrain)) return { requests, calls: [] }
  const calls: RunningTotal[] = []
  const names = new Aliases(undefined, query.columnNames)
  const added = new Map<PlannedRequest, ResolvedAggregate[]>()
  const kept = requests.flatMap((coarse): PlannedRequest[] => {
    const { window } = coarse
    const giver = coarse.atQueryGrain || !runsOverRows(coarse) ? undefined : detail.find((r) => sameRows(r, coarse))
    if (!giver || !window) return [coarse]
    const { dimensions } = giver.request
    const folding = coarse.request.aggregates.filter(foldsInOrder)
    for (const aggregate of folding) {
      const own = [...giver.request.aggregates, ...(added.get(giver) ?? [])].find((a) => isSameAggregate(a, aggregate))
      const fine = own ?? { ...aggregate, name: names.column(`${aggregate.name} (detail)`), dimensions, window: undefined }
      if (!own) added.set(giver, [...(added.get(giver) ?? []), fine])
      calls.push(windowOf(aggregate, fine, window))
    }
    const rest = coarse.request.aggregates.filter((a) => !folding.includes(a))
    return rest.length === 0 ? [] : [{ ...coarse, request: { ...coarse.request, aggregates: rest } }]
  })
  const widened = kept.map((r) => {
    const more = added.get(r)
    return more ? { ...r, request: { ...r.request, aggregates: [...r.request.aggregates, ...more] } } : r
  })
  return { requests: widened, calls }
}

/** Over all rows of the base itself. */
const isPlain = (planned: PlannedRequest): boolean => planned.window === undefined && isOfAllRows(planned)

/** Over the rows of all groups up to the period of each group, which the groups show. */
const runsOverRows = (planned: PlannedRequest): boolean =>
  planned.window !== undefined &&
  isRunning(planned.window) &&
  showsPeriod(planned.window) &&
  hasDimension(planned.request.dimensions, planned.window.period) &&
  isOfAllRows(planned)

const isOfAllRows = ({ request, shift }: PlannedRequest): boolean =>
  shift === undefined &&
  request.bridges.size === 0 &&
  !request.fanOut &&
  request.semiAdditive === undefined &&
  request.dimensions.every((d) => !d.top || d.top.others !== undefined) &&
  request.multiFact === undefined

/** One of its measures counts all its rows, so that no group is missing. */
const makesEveryGroup = ({ request }: PlannedRequest): boolean =>
  request.aggregates.some((a) => a.contributesRows && a.filters.length === 0 && a.converts === undefined)

function sameRows({ request: a }: PlannedRequest, { request: b }: PlannedRequest): boolean {
  const same = a.conjuncts.length === b.conjuncts.length && a.conjuncts.every((c, i) => isSame(c, b.conjuncts[i]))
  return a.base === b.base && same && b.dimensions.every((d) => hasDimension(a.dimensions, d))
}

const foldsInOrder = ({ measure, type, converts }: ResolvedAggregate): boolean =>
  REFOLD[measure.aggregation] !== undefined && !measure.distinct && converts === undefined && runs(type)

function isSameAggregate(a: ResolvedAggregate, b: ResolvedAggregate): boolean {
  const said = ({ measure: { aggregation, inputs, distinct }, filters, type }: ResolvedAggregate) =>
    JSON.stringify([aggregation, inputs, distinct, filters, type], (_, v) => (typeof v === 'bigint' ? `${v}n` : v))
  return said(a) === said(b) && a.converts === undefined
}

function windowOf(
  { name, type, measure, dimensions }: ResolvedAggregate,
  { name: value, type: typeOfValue }: ResolvedAggregate,
  window: PeriodWindow,
): RunningTotal {
  const partition = window.partition.filter((d) => hasDimension(dimensions, d))
  return {
    name,
    type,
    function: REFOLD[measure.aggregation] ?? 'sum',
    value: { name: value, type: typeOfValue },
    partitionBy: partition.map((d) => ({ name: d.name, type: d.type })),
    upTo: { time: { name: window.time.name, type: window.time.type }, since: window.toDate },
  }
}
