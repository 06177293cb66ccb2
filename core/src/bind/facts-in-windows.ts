import { Aliases } from '../resolve/aliases.js'
import { hasDimension, isDimension, type PeriodWindow, type ResolvedDimension } from '../resolve/resolved-query.js'
import { blockOf, blockOver, dimensionKey, endOf, factLegs } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { BlockRequest, MultiFactRequest } from './block-request.js'
import { inTimes } from './block-request.js'
import type { BesideBase, BoundBlock, BoundFact, FactsInWindows } from './bound-block.js'
import type { BlockWindow } from './bound-query.js'
import { Connections } from './connections.js'
import { factsAt } from './facts.js'

type TimedMultiFact = BlockRequest & { readonly multiFact: MultiFactRequest }

/** A block over the rows of each window. Where several facts bring the time, each is summed over the rows of the window before they meet. */
export function bindInWindows(
  request: BlockRequest,
  asked: PeriodWindow,
  context: BindContext,
): { readonly block: BoundBlock; readonly over: BlockWindow } {
  const kept = (d: ResolvedDimension): boolean => hasDimension(request.dimensions, d)
  const window = { ...asked, partition: asked.partition.filter(kept), groupBy: asked.groupBy.filter(kept) }
  const names = new Aliases()
  const { semiAdditive } = request
  const timed = semiAdditive ? inTimes(request, semiAdditive) : request
  const { multiFact } = timed
  if (!multiFact || !hasDimension(multiFact.dimensions, window.period)) {
    return { block: blockOf(request, context, names), over: { window, facts: undefined } }
  }
  const { block, facts } = meetingInWindows({ ...timed, multiFact }, window, context, names)
  return { block: { ...block, ...endOf(request) }, over: { window, facts } }
}

/** Grouped by the window's time and partition, and by the groups within it. */
function meetingInWindows(
  request: TimedMultiFact,
  { time, period, partition }: PeriodWindow,
  context: BindContext,
  names: Aliases,
): { readonly block: BoundBlock; readonly facts: FactsInWindows } {
  const { multiFact, base, dimensions } = request
  const atBase = dimensions.filter((d) => !hasDimension(multiFact.dimensions, d))
  const groups = [time, ...dimensions.filter((d) => !isDimension(d, period))]
  const groupBy = [...groups.filter((d) => !hasDimension([time, ...partition], d)), ...multiFact.keys]
  const facts = factLegs(multiFact, context, names).map((fact) => ({
    ...fact,
    beside: atBase.length === 0 ? undefined : besideTheBase(fact, request, atBase, { context, names }),
  }))
  // Where the facts bring nothing but the time, every row of the base is there at every time.
  const own = multiFact.dimensions.length > 1 ? undefined : baseRows(request, atBase, context, names)
  const meeting = factsAt(multiFact, groups, [], names.derived(base, '_facts'))
  const connections = new Connections(context, names, { base, bridges: request.bridges, apart: request.apart, facts: meeting })
  const block = blockOver({ ...request, dimensions: groups }, connections)
  return { block, facts: { facts, own, groupBy: groupBy.map(({ name, type }) => ({ name, type })) } }
}

function baseRows(
  { base, multiFact }: TimedMultiFact,
  atBase: readonly ResolvedDimension[],
  context: BindContext,
  names: Aliases,
): BoundFact {
  const alias = names.derived(base, '_keys')
  return { alias, block: blockOf({ ...multiFact.own, dimensions: [...multiFact.keys, ...atBase] }, context, names) }
}

/** A fact's sums with the values of dimensions that only the base has. */
function besideTheBase(
  fact: BoundFact,
  { base, multiFact, bridges, apart }: TimedMultiFact,
  atBase: readonly ResolvedDimension[],
  { context, names }: { readonly context: BindContext; readonly names: Aliases },
): BesideBase {
  const facts = factsAt(multiFact, multiFact.dimensions, [fact], names.derived(base, '_facts'))
  const connections = new Connections(context, names, { base, bridges, apart, facts })
  const columns = atBase.map((d) => dimensionKey(d, connections))
  return { from: connections.bound(), columns, alias: names.derived(fact.alias, '_rows') }
}
