import { type Finding, fail, warning } from '../errors.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { type BlockRequest, planBlock } from './block.js'
import { blockRequests, type PlannedRequest, tupleRequest } from './block-requests.js'
import type { FilterReport } from './filter-report.js'
import type { Leg, LogicalPlan, Shared } from './logical-plan.js'
import { withSteps } from './metric-steps.js'
import { display, type Planned, type PlannedLeg, sorted } from './planned.js'
import type { RowsContext } from './rows.js'
import { planFold, planOverRows } from './running.js'
import { tupleLegs } from './tuples.js'

/** Measures and metrics by dimensions: blocks, combined, then looked up, then metrics, having and order over the row set. */
export function planAggregate(query: AggregateQuery, context: RowsContext, report: FilterReport): Planned {
  const requests = blockRequests(query, report)
  const legs = planLegs(requests, query, context, report)
  if (legs.length === 0) {
    fail('INVALID_QUERY', 'the selected metrics read no measure, so there are no rows to answer with', {
      path: 'select.measures',
    })
  }
  const found = requests.filter((r) => !r.atQueryGrain)
  const looked = found
    .filter((r) => !isWindowed(r))
    .reduce<LogicalPlan>((input, r) => lookedUp(input, r, context), combine(query, legs, context))
  const rows = withRunning(looked, found, query, context, report)
  const stepped = withSteps(rows, query, context)
  const having = query.having && stepped.read(query.having)
  const kept: LogicalPlan = having ? { kind: 'filter', input: stepped.plan, condition: having, reason: 'having' } : stepped.plan
  const plan = sorted(kept, query.order, stepped.read)
  const columns = query.outputs.map((o) => display(o, stepped.read))
  return {
    plan: { kind: 'project', input: plan, alias: 'answer', columns },
    columns: query.outputs,
    homes: [...legs.map((leg) => leg.home), ...found.map((r) => r.request.home)],
    warnings: overlapWarnings(requests),
  }
}

/** The blocks that make the rows. Where none is at query grain, coarser ones give the tuples of their homes; where there is none at all, the dimensions do. */
function planLegs(
  requests: readonly PlannedRequest[],
  query: AggregateQuery,
  context: RowsContext,
  report: FilterReport,
): PlannedLeg[] {
  const legs = requests.filter((r) => r.atQueryGrain).map(({ request, present }) => planLeg(request, present, context))
  if (legs.some((leg) => leg.present) || query.dimensions.length === 0) return legs
  const coarse = requests.filter((r) => !r.atQueryGrain && r.shift === undefined && r.window === undefined && r.present)
  const givers = coarse.flatMap((r) => r.request.atoms.filter((a) => a.present))
  const tuples =
    givers.length > 0
      ? givers.map((atom) => planLeg(tupleRequest(atom, query, report), true, context))
      : tupleLegs(query.dimensions, query, context, report)
  return [...tuples, ...legs]
}

function planLeg(request: BlockRequest, present: boolean, context: RowsContext): PlannedLeg {
  const name = context.aliases.derived(request.home, request.atoms.length > 0 ? '_facts' : '_tuples')
  return { input: planBlock(request, context, name), name, present, values: valuesOf(request, context), home: request.home }
}

/** Another period without any row is absent, also for a count. */
const absentWithoutRows = (plan: LogicalPlan): LogicalPlan =>
  plan.kind === 'aggregate' && plan.keys.length === 0 ? { ...plan, onlyWithRows: true } : plan

/** Where the time is not in the measure's grain, the window restricts nothing. */
const isWindowed = ({ window, request }: PlannedRequest): boolean =>
  window !== undefined && request.dimensions.includes(window.period)

/** Running values read the row set for its periods, and are then looked up by it. */
function withRunning(
  input: LogicalPlan,
  requests: readonly PlannedRequest[],
  query: AggregateQuery,
  context: RowsContext,
  report: FilterReport,
): LogicalPlan {
  const windowed = requests.filter((r) => isWindowed(r))
  if (windowed.length + query.folds.length === 0) return input
  const later = new Set(windowed.flatMap((r) => r.request.atoms))
  const before = query.atoms.filter((a) => !later.has(a))
  const columns = [...query.dimensions, ...before].map(({ name, type }) => ({ name, type }))
  const rows: Shared = { kind: 'shared', alias: context.aliases.derived('answer_rows'), input, columns }
  const running = [
    ...windowed.map((r) => planOverRows(r.request, r.window!, rows, context)),
    ...query.folds.map((fold) => planFold(fold, planAggregate(fold.query, context, report).plan, rows, context)),
  ]
  return running.reduce<LogicalPlan>((left, { window, plan, values }) => {
    const keys = [window.time, ...window.partition].map((d) => ({
      own: relationColumn('', d.name, d.type),
      theirs: d.name,
      type: d.type,
      strict: d === window.time,
    }))
    const reason = 'values over a window of periods, by the row’s time and partition'
    return { kind: 'lookup', alias: context.aliases.derived('answer_rows'), input: left, from: plan, keys, values, reason }
  }, rows)
}

function valuesOf({ atoms }: BlockRequest, { aggregates }: RowsContext): Leg['values'] {
  return atoms.map(({ name, type, measure, shift }) => ({
    name,
    type,
    emptyIsZero: shift === undefined && aggregates.get(measure.aggregation)?.empty === 'zero',
  }))
}

/** Values at a coarser grain or another period, brought to every row by the block's own keys. */
function lookedUp(input: LogicalPlan, { request, shift }: PlannedRequest, context: RowsContext): LogicalPlan {
  const name = context.aliases.derived(request.home, shift ? '_before' : request.dimensions.length === 0 ? '_total' : '_coarser')
  const keys = request.dimensions.map((d) => ({
    own: d === shift?.period ? shift.key : relationColumn('', d.name, d.type),
    theirs: d.name,
    type: d.type,
    strict: d === shift?.period,
  }))
  const reason = shift ? 'another period, by the key that the row looks at' : 'a coarser grain, on every row that shares it'
  return {
    kind: 'lookup',
    alias: context.aliases.derived('answer_rows'),
    input,
    from: shift ? absentWithoutRows(planBlock(request, context, name)) : planBlock(request, context, name),
    keys,
    values: valuesOf(request, context),
    reason,
  }
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

function overlapWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const found = new Map<string, Finding>()
  for (const { request, overlapping } of requests) {
    for (const dimension of overlapping) {
      const message = `a row of '${request.home}' can stand in several groups of '${dimension}', so the groups need not add up to the total`
      found.set(message, warning('OVERLAPPING_GROUPS', message, { context: { dataObject: request.home, dimension } }))
    }
  }
  return [...found.values()]
}
