import { hasDimension, isDimension, type PeriodWindow, type ResolvedDimension } from '../resolve/resolved-query.js'
import { blockOf, blockOver, dimensionKey, endOf, factLegs } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { AcrossRequest, BlockRequest } from './block-request.js'
import { inTimes } from './block-request.js'
import type { BesideBase, BoundBlock, BoundFact, FactsInWindows } from './bound-block.js'
import type { BlockWindow } from './bound-query.js'
import { Connections } from './connections.js'
import { factsAt } from './facts.js'
import { RelationNames } from './relation-names.js'

type AcrossFacts = BlockRequest & { readonly across: AcrossRequest }

/** A block over the rows of each window. Where several facts bring the time, each is summed over the rows of the window before they meet. */
export function bindInWindows(
  request: BlockRequest,
  asked: PeriodWindow,
  context: BindContext,
): { readonly block: BoundBlock; readonly over: BlockWindow } {
  const kept = (d: ResolvedDimension): boolean => hasDimension(request.dimensions, d)
  const window = { ...asked, partition: asked.partition.filter(kept), apart: asked.apart.filter(kept) }
  const names = new RelationNames()
  const { balance } = request
  const timed = balance ? inTimes(request, balance) : request
  const { across } = timed
  if (!across || !hasDimension(across.dimensions, window.period)) {
    const block = { ...blockOf(request, context, names), relations: names.given }
    return { block, over: { window, facts: undefined } }
  }
  const { block, facts } = meetingInWindows({ ...timed, across }, window, context, names)
  return { block: { ...block, ...endOf(request), relations: names.given }, over: { window, facts } }
}

/** Grouped by the window's time and partition, and by what is apart in it. */
function meetingInWindows(
  request: AcrossFacts,
  { time, period, partition }: PeriodWindow,
  context: BindContext,
  names: RelationNames,
): { readonly block: BoundBlock; readonly facts: FactsInWindows } {
  const { across, home, dimensions } = request
  const atHome = dimensions.filter((d) => !hasDimension(across.dimensions, d))
  const groups = [time, ...dimensions.filter((d) => !isDimension(d, period))]
  const apart = [...groups.filter((d) => !hasDimension([time, ...partition], d)), ...across.keys]
  const facts = factLegs(across, context, names).map((fact) => ({
    ...fact,
    beside: atHome.length === 0 ? undefined : besideTheHome(fact, request, atHome, { context, names }),
  }))
  // Where the facts bring nothing but the time, every row of the home is there at every time.
  const own = across.dimensions.length > 1 ? undefined : homeRows(request, atHome, context, names)
  const meeting = factsAt(across, groups, [], names.derived(home, '_facts'))
  const connections = new Connections(context, names, { home, bridges: request.bridges, apart: request.apart, facts: meeting })
  const block = blockOver({ ...request, dimensions: groups }, connections)
  return { block, facts: { facts, own, apart: apart.map(({ name, type }) => ({ name, type })) } }
}

function homeRows(
  { home, across }: AcrossFacts,
  atHome: readonly ResolvedDimension[],
  context: BindContext,
  names: RelationNames,
): BoundFact {
  const alias = names.derived(home, '_keys')
  return { alias, block: blockOf({ ...across.own, dimensions: [...across.keys, ...atHome] }, context, names) }
}

/** A fact's sums with the values of dimensions that only the home has. */
function besideTheHome(
  fact: BoundFact,
  { home, across, bridges, apart }: AcrossFacts,
  atHome: readonly ResolvedDimension[],
  { context, names }: { readonly context: BindContext; readonly names: RelationNames },
): BesideBase {
  const facts = factsAt(across, across.dimensions, [fact], names.derived(home, '_facts'))
  const connections = new Connections(context, names, { home, bridges, apart, facts })
  const columns = atHome.map((d) => dimensionKey(d, connections))
  return { from: connections.bound(), columns, alias: names.derived(fact.alias, '_rows') }
}
