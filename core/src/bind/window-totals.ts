import { isTemporal } from '../model/data-type.js'
import { Aliases } from '../resolve/aliases.js'
import { type AggregateQuery, type Atom, hasDimension } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import type { PlannedRequest } from './block-requests.js'
import type { WindowTotal } from './bound-query.js'

export interface WindowTotals {
  /** The blocks that are still scanned. */
  readonly requests: readonly PlannedRequest[]
  readonly calls: readonly WindowTotal[]
}

/**
 * Coarser values as windows over the rows of the answer, instead of a second scan, where that gives exactly the same: a block makes a
 * row of every group from the same rows of the same home, each of which stands in one group, and the values fold without rounding.
 */
export function windowTotals(requests: readonly PlannedRequest[], query: AggregateQuery): WindowTotals {
  const detail = requests.filter((r) => r.atQueryGrain && r.present && isPlain(r) && makesEveryGroup(r))
  if (query.over || detail.length === 0 || requests.every((r) => r.atQueryGrain)) return { requests, calls: [] }
  const calls: WindowTotal[] = []
  const names = new Aliases([], query.columnNames)
  const added = new Map<PlannedRequest, Atom[]>()
  const kept = requests.flatMap((coarse): PlannedRequest[] => {
    const giver = coarse.atQueryGrain || !isPlain(coarse) ? undefined : detail.find((r) => sameRows(r, coarse))
    if (!giver) return [coarse]
    const folding = coarse.request.atoms.filter(folds)
    for (const atom of folding) {
      const own = [...giver.request.atoms, ...(added.get(giver) ?? [])].find((a) => isSameAtom(a, atom))
      const fine = own ?? { ...atom, name: names.column(`${atom.name} (detail)`), dimensions: giver.request.dimensions }
      if (!own) added.set(giver, [...(added.get(giver) ?? []), fine])
      calls.push(windowOf(atom, fine))
    }
    const rest = coarse.request.atoms.filter((a) => !folding.includes(a))
    return rest.length === 0 ? [] : [{ ...coarse, request: { ...coarse.request, atoms: rest } }]
  })
  const widened = kept.map((r) => {
    const more = added.get(r)
    return more ? { ...r, request: { ...r.request, atoms: [...r.request.atoms, ...more] } } : r
  })
  return { requests: widened, calls }
}

/** Over all rows of the home itself, as they are. */
const isPlain = ({ request, shift, window }: PlannedRequest): boolean =>
  shift === undefined &&
  window === undefined &&
  request.bridges.size === 0 &&
  !request.fanOut &&
  request.balance === undefined &&
  request.dimensions.every((d) => !d.top || d.top.others !== undefined) &&
  request.across === undefined

/** Some measure of it counts all its rows, so that no group is left out. */
const makesEveryGroup = ({ request }: PlannedRequest): boolean =>
  request.atoms.some((a) => a.present && a.filters.length === 0 && a.converts === undefined)

function sameRows({ request: a }: PlannedRequest, { request: b }: PlannedRequest): boolean {
  const same = a.conjuncts.length === b.conjuncts.length && a.conjuncts.every((c, i) => isSame(c, b.conjuncts[i]))
  return a.home === b.home && same && b.dimensions.every((d) => hasDimension(a.dimensions, d))
}

/** Sums of floats depend on the order of adding; texts are compared in an order of their own. */
function folds({ measure, type, converts }: Atom): boolean {
  const fold = REFOLD[measure.aggregation]
  if (fold === undefined || measure.distinct || converts !== undefined) return false
  return type.kind === 'int' || type.kind === 'decimal' || (fold !== 'sum' && (type.kind === 'float' || isTemporal(type)))
}

function isSameAtom(a: Atom, b: Atom): boolean {
  const said = ({ measure: { aggregation, inputs, distinct }, filters, type }: Atom) =>
    JSON.stringify([aggregation, inputs, distinct, filters, type], (_, v) => (typeof v === 'bigint' ? `${v}n` : v))
  return said(a) === said(b) && a.converts === undefined
}

const windowOf = ({ name, type, measure, dimensions }: Atom, { name: value, type: typeOfValue }: Atom): WindowTotal => ({
  name,
  type,
  function: REFOLD[measure.aggregation]!,
  value: { name: value, type: typeOfValue },
  partitionBy: dimensions.map((d) => ({ name: d.name, type: d.type })),
})

/** How the values of disjoint sets of rows fold to that of their union. */
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
