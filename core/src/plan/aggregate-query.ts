import { type Finding, fail, warning } from '../errors.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { planBlock } from './block.js'
import { blockRequests } from './block-requests.js'
import type { FilterReport } from './filter-report.js'
import type { LogicalPlan } from './logical-plan.js'
import { withSteps } from './metric-steps.js'
import { display, type Planned, type PlannedLeg, sorted } from './planned.js'
import type { RowsContext } from './rows.js'
import { tupleLegs } from './tuples.js'

/** Measures and metrics by dimensions: blocks, combined, then metrics, having and order over the row set. */
export function planAggregate(query: AggregateQuery, context: RowsContext, report: FilterReport): Planned {
  const legs = planLegs(query, context, report)
  if (legs.length === 0)
    fail('INVALID_QUERY', 'the selected metrics read no measure, so there are no rows to answer with', {
      path: 'select.measures',
    })
  const rows = combine(query, legs, context)
  const stepped = withSteps(rows, query, context)
  const having = query.having && stepped.read(query.having)
  const kept: LogicalPlan = having ? { kind: 'filter', input: stepped.plan, condition: having, reason: 'having' } : stepped.plan
  const plan = sorted(kept, query.order, stepped.read)
  const columns = query.outputs.map((o) => display(o, stepped.read))
  return {
    plan: { kind: 'project', input: plan, alias: 'answer', columns },
    columns: query.outputs,
    homes: legs.map((leg) => leg.home),
    warnings: overlapWarnings(legs),
  }
}

function planLegs(query: AggregateQuery, context: RowsContext, report: FilterReport): PlannedLeg[] {
  const legs = blockRequests(query, report).map(({ request, present, overlapping }): PlannedLeg => {
    const name = context.aliases.derived(request.home, '_facts')
    const values = request.atoms.map(({ name: column, type, measure }) => ({
      name: column,
      type,
      emptyIsZero: context.aggregates.get(measure.aggregation)?.empty === 'zero',
    }))
    return { input: planBlock(request, context, name), name, present, values, home: request.home, overlapping }
  })
  if (legs.some((leg) => leg.present) || query.dimensions.length === 0) return legs
  return [...tupleLegs(query.dimensions, query, context, report), ...legs]
}

function combine(query: AggregateQuery, legs: readonly PlannedLeg[], context: RowsContext): LogicalPlan {
  const [only] = legs
  if (legs.length === 1 && only) return only.input
  if (query.dimensions.length === 0) return legs.slice(1).reduce<LogicalPlan>((left, leg) => besideIt(left, leg), only!.input)
  return {
    kind: 'combine',
    alias: context.aliases.derived('combined'),
    keys: query.dimensions.map(({ name, type }) => ({ name, type })),
    legs,
    reason:
      'each fact is aggregated alone; the rows are united and regrouped, so that NULL keys meet and no fact repeats another',
  }
}

/** Without dimensions every block is one row, and rows stand side by side. */
function besideIt(left: LogicalPlan, leg: PlannedLeg): LogicalPlan {
  const label = { from: '', to: leg.home, columns: [], reason: 'one row each, side by side' }
  return { kind: 'join', type: 'cross', left, right: leg.input, on: undefined, label }
}

function overlapWarnings(legs: readonly PlannedLeg[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const leg of legs) {
    for (const dimension of leg.overlapping) {
      const message = `a row of '${leg.home}' can stand in several groups of '${dimension}', so the groups need not add up to the total`
      found.set(message, warning('OVERLAPPING_GROUPS', message, { context: { dataObject: leg.home, dimension } }))
    }
  }
  return [...found.values()]
}
