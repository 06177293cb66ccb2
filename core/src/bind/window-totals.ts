import { isTemporal, sameType } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import { Aliases } from '../resolve/aliases.js'
import {
  type AggregateQuery,
  columnOf,
  hasDimension,
  type ResolvedAggregate,
  type ResolvedDimension,
} from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { PlannedRequest } from './block-requests.js'
import type { WindowTotal } from './bound-query.js'
import { isRunning, runs, showsPeriod } from './running-windows.js'

export interface WindowTotals {
  /** The blocks that still need a scan. */
  readonly requests: readonly PlannedRequest[]
  readonly calls: readonly WindowTotal[]
}

/**
 * Coarser values as windows over the rows of the answer, instead of a second scan, if that gives exactly the same result: a block has a
 * row for every group from the same rows of the same base, each of which is in one group, and the values aggregate without rounding.
 */
export function windowTotals(requests: readonly PlannedRequest[], query: AggregateQuery): WindowTotals {
  const detail = requests.filter((r) => r.atQueryGrain && r.contributesRows && isPlain(r) && makesEveryGroup(r))
  if (query.over || detail.length === 0 || requests.every((r) => r.atQueryGrain)) return { requests, calls: [] }
  const calls: WindowTotal[] = []
  const names = new Aliases(undefined, query.columnNames)
  const added = new Map<PlannedRequest, ResolvedAggregate[]>()
  const kept = requests.flatMap((coarse): PlannedRequest[] => {
    const giver =
      coarse.atQueryGrain || !(isPlain(coarse) || runsOverRows(coarse)) ? undefined : detail.find((r) => sameRows(r, coarse))
    if (!giver) return [coarse]
    const { dimensions } = giver.request
    const folding = coarse.request.aggregates.filter(
      coarse.window ? foldsInOrder : (a) => folds(a) || countsApart(a, dimensions, query.model),
    )
    for (const aggregate of folding) {
      const own = [...giver.request.aggregates, ...(added.get(giver) ?? [])].find((a) => isSameAggregate(a, aggregate))
      const fine = own ?? { ...aggregate, name: names.column(`${aggregate.name} (detail)`), dimensions, window: undefined }
      if (!own) added.set(giver, [...(added.get(giver) ?? []), fine])
      calls.push(windowOf(aggregate, fine, coarse))
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

/** Sums of floats depend on the order of addition; texts have their own order. */
function folds({ measure, type, converts }: ResolvedAggregate): boolean {
  const fold = REFOLD[measure.aggregation]
  if (fold === undefined || measure.distinct || converts !== undefined) return false
  return type.kind === 'int' || type.kind === 'decimal' || (fold !== 'sum' && (type.kind === 'float' || isTemporal(type)))
}

/**
 * A distinct count of the column that distinguishes the groups of one coarser row: no value of it is in two groups. Approximate counts depend on what they
 * count at once.
 */
function countsApart(
  { measure, converts, dimensions }: ResolvedAggregate,
  groups: readonly ResolvedDimension[],
  model: SemanticModel,
): boolean {
  const { aggregation, distinct, inputs } = measure
  if (converts !== undefined || !(aggregation === 'count_distinct' || (aggregation === 'count' && distinct))) return false
  const beside = groups.filter((d) => !hasDimension(dimensions, d))
  return beside.every((d) => inputs.some((input) => isSame(columnShown(d, model), input)))
}

/** The column with the values of a dimension, if it is read as a measure reads it. */
function columnShown({ members, expression, grain, top }: ResolvedDimension, model: SemanticModel): ColumnRef | undefined {
  const [{ expression: shown, type, via }] = members
  if (members.length > 1 || expression || grain || top || via !== undefined || shown.kind !== 'column') return undefined
  return sameType(columnOf(model, shown).type, type) ? shown : undefined
}

function isSameAggregate(a: ResolvedAggregate, b: ResolvedAggregate): boolean {
  const said = ({ measure: { aggregation, inputs, distinct }, filters, type }: ResolvedAggregate) =>
    JSON.stringify([aggregation, inputs, distinct, filters, type], (_, v) => (typeof v === 'bigint' ? `${v}n` : v))
  return said(a) === said(b) && a.converts === undefined
}

function windowOf(
  { name, type, measure, dimensions }: ResolvedAggregate,
  { name: value, type: typeOfValue }: ResolvedAggregate,
  { window }: PlannedRequest,
): WindowTotal {
  const partition = window ? window.partition.filter((d) => hasDimension(dimensions, d)) : dimensions
  return {
    name,
    type,
    // A distinct count can be summed only if the groups share no value.
    function: REFOLD[measure.aggregation] ?? 'sum',
    value: { name: value, type: typeOfValue },
    partitionBy: partition.map((d) => ({ name: d.name, type: d.type })),
    upTo: window && { time: { name: window.time.name, type: window.time.type }, since: window.toDate },
  }
}

/** How the values of disjoint sets of rows combine to the value of their union. */
export const REFOLD: Readonly<Record<string, string>> = {
  sum: 'sum',
  count: 'sum',
  count_if: 'sum',
  min: 'min',
  max: 'max',
  any_value: 'min',
  bool_and: 'bool_and',
  bool_or: 'bool_or',
}
