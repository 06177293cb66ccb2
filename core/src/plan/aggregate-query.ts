import { type Finding, fail, warning } from '../errors.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { AggregateQuery, Nested, PeriodWindow, ResolvedDimension, Shift } from '../resolve/resolved-query.js'
import { planBlock } from './block.js'
import type { BlockRequest } from './block-request.js'
import { blockRequests, type PlannedRequest, tupleRequest } from './block-requests.js'
import { differingWays } from './differing-ways.js'
import { planDimensionRows } from './dimension-rows.js'
import { filled } from './fill.js'
import type { FilterReport } from './filter-report.js'
import { type Leg, type LogicalPlan, type Lookup, plainAggregate, type Shared, sameColumn } from './logical-plan.js'
import { withSteps } from './metric-steps.js'
import { nearPeriods } from './near-periods.js'
import { displayed, type Planned, type PlannedLeg, sorted } from './planned.js'
import type { RowsContext } from './rows-context.js'
import { planFold, planOverRows, type Running } from './running.js'
import { tupleLegs } from './tuples.js'
import { windowTotals, withTotals } from './window-totals.js'

/**
 * Measures and metrics by dimensions: blocks, combined, then looked up, then metrics, having and order over the row set. `outer` are
 * the rows over whose windows the query is asked, where it is.
 */
export function planAggregate(query: AggregateQuery, context: RowsContext, report: FilterReport, outer?: Shared): Planned {
  if (query.rowsOf !== undefined) return planDimensionRows(query, query.rowsOf, context, report)
  const blocks = nearPeriods(blockRequests(query, report), query)
  // Rows of periods without any are no rows of a block, so that what is folded over rows is looked up beside them.
  const { requests, calls } = query.fill ? { requests: blocks, calls: [] } : windowTotals(blocks, query, context)
  const inner = planNested(query, context, report, outer)
  const legs = [...planLegs(requests, inner, query, context, report, outer), ...inner.flatMap((n) => n.leg ?? [])]
  if (legs.length === 0) {
    fail('INVALID_QUERY', 'the selected metrics read no measure, so there are no rows to answer with', {
      path: 'select.measures',
    })
  }
  const detail = withTotals(rowsOf(query, legs, context), calls, legs, query, context)
  const found = requests.filter((r) => !r.atQueryGrain)
  const looked = found.filter((r) => !isWindowed(r)).reduce<LogicalPlan>((input, r) => lookedUp(input, r, context), detail)
  const shifted = inner.reduce((input, n) => (n.lookup ? n.lookup(input) : input), looked)
  const rows = withRunning(shifted, found, query, context, report)
  const stepped = withSteps(rows, query, context)
  const having = query.having && stepped.read(query.having)
  const kept: LogicalPlan = having ? { kind: 'filter', input: stepped.plan, condition: having, reason: 'having' } : stepped.plan
  const plan = sorted(kept, query.order, stepped.read)
  const columns = displayed(query.outputs, stepped.read)
  return {
    plan: { kind: 'project', input: plan, alias: 'answer', columns },
    columns: query.outputs,
    homes: [...legs.map((leg) => leg.home), ...found.map((r) => r.request.home)],
    warnings: [
      ...overlapWarnings(requests),
      ...anchorWarnings(requests),
      ...differingWays(query),
      ...inner.flatMap((n) => n.warnings),
    ],
  }
}

/** A query within the query, planned: it brings rows, or values to rows. */
interface PlannedNested {
  readonly leg?: PlannedLeg
  readonly lookup?: (input: LogicalPlan) => LogicalPlan
  readonly warnings: readonly Finding[]
}

function planNested(
  query: AggregateQuery,
  context: RowsContext,
  report: FilterReport,
  outer: Shared | undefined,
): PlannedNested[] {
  return query.nested.flatMap((nested): PlannedNested[] => {
    const { shift, window, name, type, emptyIsZero, present } = nested
    if (window !== undefined && window !== query.over) return []
    const planned = planAggregate(nested.query, context, report, outer)
    const warnings = planned.warnings ?? []
    const { plan: input, alias } = folded(nested, planned.plan, context)
    const values = [{ name, type, emptyIsZero }]
    if (!shift) return [{ leg: { input, name: alias, present, values, home: planned.homes[0]! }, warnings }]
    const keys = keysOf(nested.dimensions, shift)
    const reason = 'another period, by the key that the row looks at'
    const lookup = (rows: LogicalPlan): LogicalPlan => ({
      kind: 'lookup',
      alias: context.aliases.derived('answer_rows'),
      input: rows,
      from: input,
      keys,
      values,
      reason,
    })
    return [{ lookup, warnings }]
  })
}

/** The values of a query within the query, one for each row that it serves. */
function folded({ name, type, query, dimensions, aggregate }: Nested, input: LogicalPlan, { aliases }: RowsContext) {
  const value = query.outputs.at(-1)!
  const columns = [...query.dimensions, value].map((c) => sameColumn(c))
  const alias = aliases.derived(aggregate ? 'per_group' : 'all_periods')
  if (aggregate === undefined) {
    const renamed = columns.map((c) => (c.name === value.name ? { ...c, name } : c))
    const plan: LogicalPlan = { kind: 'project', input, alias, columns: renamed, stage: true }
    return { plan, alias }
  }
  const inner = aliases.derived('groups')
  const plan: LogicalPlan = {
    kind: 'aggregate',
    input: { kind: 'project', input, alias: inner, columns, stage: true },
    alias,
    keys: dimensions.map((d) => sameColumn(d, inner)),
    aggregates: [
      {
        ...plainAggregate(name, aggregate, [relationColumn(inner, value.name, value.type)], type),
        distinct: aggregate === 'count_distinct',
      },
    ],
    reason: `the values of all groups: ${aggregate}`,
  }
  return { plan, alias }
}

/** The blocks that make the rows. Where none is at query grain, coarser ones give the tuples of their homes; where there is none at all, the dimensions do. */
function planLegs(
  requests: readonly PlannedRequest[],
  inner: readonly PlannedNested[],
  query: AggregateQuery,
  context: RowsContext,
  report: FilterReport,
  outer: Shared | undefined,
): PlannedLeg[] {
  const legs = requests
    .filter((r) => r.atQueryGrain)
    .map(({ request, present }) => planLeg(request, present, query.over, context, outer))
  if ([...legs, ...inner.flatMap((n) => n.leg ?? [])].some((leg) => leg.present) || query.dimensions.length === 0) return legs
  const coarse = requests.filter((r) => !r.atQueryGrain && r.shift === undefined && r.window === query.over && r.present)
  const dimensions = query.dimensions.map((d) => (d === query.over?.time ? query.over.period : d))
  const givers = coarse.flatMap((r) => r.request.atoms.filter((a) => a.present))
  const tuples =
    givers.length > 0
      ? givers.map((atom) => planLeg(tupleRequest(atom, dimensions, query, report), true, query.over, context, outer))
      : tupleLegs(query.dimensions, query, context, report)
  return [...tuples, ...legs]
}

function planLeg(
  request: BlockRequest,
  present: boolean,
  over: PeriodWindow | undefined,
  context: RowsContext,
  outer: Shared | undefined,
): PlannedLeg {
  const { home } = request
  const values = valuesOf(request)
  if (over && outer) {
    const { plan } = planOverRows(request, over, outer, context)
    return { input: plan, name: plan.alias, present, values, home }
  }
  const name = context.aliases.derived(home, request.atoms.length > 0 ? '_facts' : '_tuples')
  return { input: planBlock(request, context, name), name, present, values, home }
}

/** Another period without any row is absent, also for a count. */
const absentWithoutRows = (plan: LogicalPlan): LogicalPlan =>
  plan.kind === 'aggregate' && plan.keys.length === 0 ? { ...plan, onlyWithRows: true } : plan

const keysOf = (dimensions: readonly ResolvedDimension[], shift: Shift | undefined): Lookup['keys'] =>
  dimensions.map((d) => ({
    own: d === shift?.period ? shift.key : relationColumn('', d.name, d.type),
    theirs: d.name,
    type: d.type,
    strict: d === shift?.period,
  }))

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
  const nested = query.nested.filter((n) => n.window !== undefined && n.window !== query.over)
  if (windowed.length + query.folds.length + nested.length === 0) return input
  const later = new Set([...windowed.flatMap((r) => r.request.atoms), ...nested])
  const before = [...query.atoms, ...query.nested].filter((a) => !later.has(a))
  const columns = [...query.dimensions, ...before].map(({ name, type }) => ({ name, type }))
  const rows: Shared = { kind: 'shared', alias: context.aliases.derived('answer_rows'), input, columns }
  const running = [
    ...windowed.map((r) => planOverRows(r.request, r.window!, rows, context)),
    ...query.folds.map((fold) => planFold(fold, planAggregate(fold.query, context, report).plan, rows, context)),
    ...nested.map((n): Running => {
      const { plan } = folded(n, planAggregate(n.query, context, report, rows).plan, context)
      return { window: n.window!, plan, values: [{ name: n.name, type: n.type, emptyIsZero: false }] }
    }),
  ]
  return running.reduce<LogicalPlan>((left, { window, plan, values }) => {
    const keys = [window.time, ...window.partition, ...window.apart].map((d) => ({
      own: relationColumn('', d.name, d.type),
      theirs: d.name,
      type: d.type,
      strict: d === window.time,
    }))
    const reason = 'values over a window of periods, by the row’s time and partition'
    return { kind: 'lookup', alias: context.aliases.derived('answer_rows'), input: left, from: plan, keys, values, reason }
  }, rows)
}

function valuesOf({ atoms }: BlockRequest): Leg['values'] {
  return atoms.map(({ name, type, emptyIsZero, shift }) => ({
    name,
    type,
    emptyIsZero: shift === undefined && emptyIsZero,
  }))
}

/** Values at a coarser grain or another period, brought to every row by the block's own keys. */
function lookedUp(input: LogicalPlan, { request, shift }: PlannedRequest, context: RowsContext): LogicalPlan {
  const name = context.aliases.derived(request.home, shift ? '_before' : request.dimensions.length === 0 ? '_total' : '_coarser')
  const keys = keysOf(request.dimensions, shift)
  const reason = shift ? 'another period, by the key that the row looks at' : 'a coarser grain, on every row that shares it'
  return {
    kind: 'lookup',
    alias: context.aliases.derived('answer_rows'),
    input,
    from: shift ? absentWithoutRows(planBlock(request, context, name)) : planBlock(request, context, name),
    keys,
    values: valuesOf(request),
    reason,
  }
}

/** The rows of the answer, before anything is looked up for them. What adds no rows has values in added periods, too, so these come first. */
function rowsOf(query: AggregateQuery, legs: readonly PlannedLeg[], context: RowsContext): LogicalPlan {
  const { fill, dimensions } = query
  if (!fill) return combine(query, legs, context)
  const present = legs.filter((leg) => leg.present)
  const rows = filled(combine(query, present, context), fill, dimensions, present, context)
  if (present.length === legs.length) return rows
  const whole = {
    input: rows,
    name: rows.alias,
    present: true,
    values: present.flatMap((leg) => leg.values),
    home: present[0]!.home,
  }
  return combine(query, [whole, ...legs.filter((leg) => !leg.present)], context)
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

/** What a careful reader must know of an expression over several facts. */
function anchorWarnings(requests: readonly PlannedRequest[]): Finding[] {
  const atoms = requests.flatMap(({ request }) => request.atoms.filter((a) => a.across?.assumed))
  return [...new Map(atoms.map((a) => [a.measure.name, a])).values()].map(({ measure, home, path }) => {
    const message = `'${measure.name}' reads facts that meet in '${home}', so it is evaluated per row of '${home}'; name an anchor to say so`
    return warning('CONFORMED_GRAIN_ASSUMED', message, { path, context: { measure: measure.name, dataObject: home } })
  })
}
