import { isTemporal } from '../model/data-type.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import type { AggregateQuery, Atom } from '../resolve/resolved-query.js'
import type { PlannedRequest } from './block-requests.js'
import { type Leg, type LogicalPlan, type NamedWindow, sameColumn } from './logical-plan.js'
import { REFOLD } from './refold.js'
import type { RowsContext } from './rows-context.js'

export interface WindowTotals {
  /** The blocks that are still scanned. */
  readonly requests: readonly PlannedRequest[]
  readonly calls: readonly NamedWindow[]
}

/**
 * Coarser values as windows over the rows of the answer, instead of a second scan, where that gives exactly the same: a block makes a
 * row of every group from the same rows of the same home, each of which stands in one group, and the values fold without rounding.
 */
export function windowTotals(requests: readonly PlannedRequest[], query: AggregateQuery, context: RowsContext): WindowTotals {
  const detail = requests.filter((r) => r.atQueryGrain && r.present && isPlain(r) && makesEveryGroup(r))
  if (query.over || detail.length === 0) return { requests, calls: [] }
  const calls: NamedWindow[] = []
  const added = new Map<PlannedRequest, Atom[]>()
  const kept = requests.flatMap((coarse): PlannedRequest[] => {
    const giver = coarse.atQueryGrain || !isPlain(coarse) ? undefined : detail.find((r) => sameRows(r, coarse))
    if (!giver) return [coarse]
    const folding = coarse.request.atoms.filter(folds)
    for (const atom of folding) {
      const own = [...giver.request.atoms, ...(added.get(giver) ?? [])].find((a) => isSame(a, atom))
      const fine = own ?? { ...atom, name: context.aliases.column(`${atom.name} (detail)`), dimensions: giver.request.dimensions }
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

/** The rows with the coarser values beside them; `legs` made the rows. */
export function withTotals(
  input: LogicalPlan,
  calls: readonly NamedWindow[],
  legs: readonly Leg[],
  query: AggregateQuery,
  context: RowsContext,
): LogicalPlan {
  if (calls.length === 0) return input
  const read = new Set([...query.atoms, ...query.nested].map((a) => a.name))
  const columns = [...query.dimensions, ...legs.flatMap((leg) => leg.values).filter((v) => read.has(v.name))].map((c) =>
    sameColumn(c),
  )
  return { kind: 'window', input, alias: context.aliases.derived('with_totals'), columns, calls }
}

/** Over the rows of the home itself, as they are. */
const isPlain = ({ request, shift, window }: PlannedRequest): boolean =>
  shift === undefined &&
  window === undefined &&
  request.bridges.size === 0 &&
  !request.fanOut &&
  request.balance === undefined &&
  request.across === undefined

/** Some measure of it counts all its rows, so that no group is left out. */
const makesEveryGroup = ({ request }: PlannedRequest): boolean =>
  request.atoms.some((a) => a.present && a.filters.length === 0 && a.converts === undefined)

function sameRows({ request: a }: PlannedRequest, { request: b }: PlannedRequest): boolean {
  const same = <T>(left: readonly T[], right: readonly T[]) =>
    left.length === right.length && left.every((l) => right.includes(l))
  return a.home === b.home && same(a.conjuncts, b.conjuncts) && b.dimensions.every((d) => a.dimensions.includes(d))
}

/** Sums of floats depend on the order of adding; texts are compared in an order of their own. */
function folds({ measure, type, converts }: Atom): boolean {
  const fold = REFOLD[measure.aggregation]
  if (fold === undefined || measure.distinct || converts !== undefined) return false
  return type.kind === 'int' || type.kind === 'decimal' || (fold !== 'sum' && (type.kind === 'float' || isTemporal(type)))
}

function isSame(a: Atom, b: Atom): boolean {
  const said = ({ measure: { aggregation, inputs, distinct }, filters, type }: Atom) =>
    JSON.stringify([aggregation, inputs, distinct, filters, type], (_, v) => (typeof v === 'bigint' ? `${v}n` : v))
  return said(a) === said(b) && a.converts === undefined
}

function windowOf({ name, type, measure, dimensions }: Atom, fine: Atom): NamedWindow {
  const column = (c: { readonly name: string; readonly type: Atom['type'] }): RelationColumn => relationColumn('', c.name, c.type)
  return {
    name,
    type,
    function: REFOLD[measure.aggregation]!,
    args: [column(fine)],
    partitionBy: dimensions.map(column),
    orderBy: [],
  }
}
