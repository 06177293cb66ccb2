import { madeOf } from '../relation/relation.js'
import { plainName } from '../resolve/aliases.js'
import { hasDimension, isDimension, type PeriodWindow, type ResolvedDimension } from '../resolve/resolved-query.js'
import { bindBlock, blockOver, endOf, factLegs } from './bind-block.js'
import type { BindContext } from './bind-context.js'
import type { BlockRequest, MultiFactRequest } from './block-request.js'
import { inTimes } from './block-request.js'
import type { BesideBase, BoundBlock, BoundFact, FactsInWindows } from './bound-block.js'
import { boundFrom } from './bound-from.js'
import type { BlockWindow } from './bound-query.js'
import { connectedRows } from './connected-rows.js'
import { readDimension } from './read-connected.js'

type TimedMultiFact = BlockRequest & { readonly multiFact: MultiFactRequest }

/** A block over the rows of each window. If several facts provide the time, each is aggregated over the rows of the window before they are joined. */
export function bindInWindows(
  request: BlockRequest,
  asked: PeriodWindow,
  context: BindContext,
): { readonly block: BoundBlock; readonly over: BlockWindow } {
  const kept = (d: ResolvedDimension): boolean => hasDimension(request.dimensions, d)
  const window = { ...asked, partition: asked.partition.filter(kept), groupBy: asked.groupBy.filter(kept) }
  const { semiAdditive } = request
  const timed = semiAdditive ? inTimes(request, semiAdditive) : request
  const { multiFact } = timed
  if (!multiFact || !hasDimension(multiFact.dimensions, window.period)) {
    return { block: bindBlock(request, context), over: { window, facts: undefined } }
  }
  const { block, facts } = meetingInWindows({ ...timed, multiFact }, window, context)
  return { block: { ...block, ...endOf(request) }, over: { window, facts } }
}

/** Grouped by the window's time and partition, and by the groups within it. */
function meetingInWindows(
  request: TimedMultiFact,
  { time, period, partition }: PeriodWindow,
  context: BindContext,
): { readonly block: BoundBlock; readonly facts: FactsInWindows } {
  const { multiFact, base, dimensions } = request
  const atBase = dimensions.filter((d) => !hasDimension(multiFact.dimensions, d))
  const groups = [time, ...dimensions.filter((d) => !isDimension(d, period))]
  const groupBy = [...groups.filter((d) => !hasDimension([time, ...partition], d)), ...multiFact.keys]
  const facts = factLegs(multiFact, context).map((fact) => ({
    ...fact,
    beside: atBase.length === 0 ? undefined : besideTheBase(fact, request, atBase, context),
  }))
  // If the facts provide nothing but the time, every row of the base exists at every time.
  const own = multiFact.dimensions.length > 1 ? undefined : baseRows(request, atBase, context)
  const meeting = { alias: madeOf(base, '_facts', [base]), keys: multiFact.keys, dimensions: groups, legs: [] }
  const connected = connectedRows(context, { base, bridges: request.bridges, separate: request.separate, facts: meeting })
  const block = blockOver({ ...request, dimensions: groups }, connected)
  return { block, facts: { facts, own, groupBy: groupBy.map(({ name, type }) => ({ name, type })) } }
}

function baseRows({ base, multiFact }: TimedMultiFact, atBase: readonly ResolvedDimension[], context: BindContext): BoundFact {
  const alias = madeOf(base, '_keys', [base])
  return { alias, block: bindBlock({ ...multiFact.own, dimensions: [...multiFact.keys, ...atBase] }, context) }
}

/** The sums of a fact, with the values of dimensions that only the base has. */
function besideTheBase(
  fact: BoundFact,
  { base, multiFact, bridges, separate }: TimedMultiFact,
  atBase: readonly ResolvedDimension[],
  context: BindContext,
): BesideBase {
  const facts = { alias: madeOf(base, '_facts', [base]), keys: multiFact.keys, dimensions: multiFact.dimensions, legs: [fact] }
  const connected = connectedRows(context, { base, bridges, separate, facts })
  const { from, groupBy: columns } = boundFrom(connected, { groups: atBase.map((d) => readDimension(connected, d)) })
  return { from, columns, alias: madeOf(plainName(fact.alias), '_rows', [fact.block.base]) }
}
