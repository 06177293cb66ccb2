import { relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow, ResolvedDimension } from '../resolve/resolved-query.js'
import { acrossLegs, acrossRows } from './across.js'
import { dimensionKey, planBlock, planOver } from './block.js'
import type { AcrossRequest, BlockRequest } from './block-request.js'
import { Connections } from './connections.js'
import { type Aggregate, type LogicalPlan, plainAggregate, sameColumn } from './logical-plan.js'
import type { Windowed } from './over-windows.js'
import type { PlannedLeg } from './planned.js'
import type { RowsContext } from './rows-context.js'

/** Rows brought to the windows that they lie in, grouped by window and by what is apart in it. */
export type OverWindow = (rows: Omit<Windowed, 'window'>) => Aggregate

/** Whether the time of the window is brought by the facts, so that each is summed over the rows of the window before they meet. */
export const isFactsTime = ({ across }: BlockRequest, { period }: PeriodWindow): boolean =>
  across?.dimensions.includes(period) ?? false

/** A block over several facts over the rows of each window: grouped by the window's time and partition, and by what is apart in it. */
export function planAcrossWindow(
  request: BlockRequest & { readonly across: AcrossRequest },
  window: PeriodWindow,
  overWindow: OverWindow,
  context: RowsContext,
): Aggregate {
  const { across, home, dimensions } = request
  const atHome = dimensions.filter((d) => !across.dimensions.includes(d))
  const groups = [window.time, ...dimensions.filter((d) => d !== window.period)]
  const apart = groups.filter((d) => d !== window.time && !window.partition.includes(d))
  const facts = acrossLegs(across, context, planBlock).map((leg): PlannedLeg => {
    const { plan, alias } = besideTheHome(leg, request, atHome, context)
    const sums = leg.values.map(({ name, type }) => plainAggregate(name, 'sum', [relationColumn(alias, name, type)], type))
    const input = overWindow({ right: plan, alias, apart: [...apart, ...across.keys], aggregates: sums })
    return { ...leg, input, name: input.alias }
  })
  // Where the facts bring nothing but the time, every row of the home is there at every time.
  const own = across.dimensions.length > 1 ? [] : [homeRows(request, atHome, [...apart, ...across.keys], overWindow, context)]
  const legs = [...own, ...facts]
  const rows = acrossRows(across, home, groups, legs, context)
  const connections = new Connections(context, home, request.bridges, request.apart, { across: rows })
  return planOver({ ...request, dimensions: groups }, connections, context.aliases.derived('running'))
}

function homeRows(
  { home, across }: BlockRequest & { readonly across: AcrossRequest },
  atHome: readonly ResolvedDimension[],
  apart: readonly ResolvedDimension[],
  overWindow: OverWindow,
  context: RowsContext,
): PlannedLeg {
  const alias = context.aliases.derived(home, '_keys')
  const right = planBlock({ ...across.own, dimensions: [...across.keys, ...atHome] }, context, alias)
  const input = overWindow({ right, alias, apart, aggregates: [], timeless: true })
  return { input, name: input.alias, present: true, values: [], home }
}

/** A fact's sums with the values of dimensions that only the home has. */
function besideTheHome(
  { input, name, values }: PlannedLeg,
  { home, across, bridges, apart }: BlockRequest & { readonly across: AcrossRequest },
  atHome: readonly ResolvedDimension[],
  context: RowsContext,
): { readonly plan: LogicalPlan; readonly alias: string } {
  if (atHome.length === 0) return { plan: input, alias: name }
  const own = { input, name, present: true, values, home }
  const rows = new Connections(context, home, bridges, apart, {
    across: acrossRows(across, home, across.dimensions, [own], context),
  })
  const keys = atHome.map((d) => dimensionKey(d, rows, context))
  const alias = context.aliases.derived(name, '_rows')
  const columns = [...[...across.keys, ...across.dimensions, ...values].map((c) => sameColumn(c)), ...keys]
  return { plan: { kind: 'project', input: rows.plan(), alias, columns, stage: true }, alias }
}
