import { isLookedUp } from '../bind/bind-aggregate.js'
import type { BoundAggregateQuery, BoundLeg, BoundLookup, BoundNested } from '../bind/bound-query.js'
import { firstOf, lastOf } from '../invariant.js'
import { leavesOf } from '../model/expression/ast.js'
import { madeOf } from '../relation/relation.js'
import { type Elsewhere, isOwnRow, shiftOf } from '../resolve/elsewhere.js'
import { integer, TRUE } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { isDimension, type ResolvedDimension, type Shift } from '../resolve/resolved-query.js'
import { displayed, sorted } from './answer.js'
import { planBlock } from './block.js'
import { combine } from './combine.js'
import { type ComparedRows, withComparedRows } from './compared-rows.js'
import { type Cumulative, planCumulative, planFold, planOverRows } from './cumulative.js'
import { filled } from './fill.js'
import { type LogicalPlan, type Lookup, type PlannedLeg, plainAggregate, type Shared, sameColumn } from './logical-plan.js'
import { withSteps } from './metric-steps.js'
import { shownTuples } from './shown-tuples.js'

export interface Within {
  /** The rows over whose windows the query is evaluated. */
  readonly outer?: Shared
}

/** Measures and metrics by dimensions: blocks, combined, then looked up, then metrics, having and order over the row set. */
export function planAggregate(query: BoundAggregateQuery, within: Within = {}): LogicalPlan {
  const inner = query.nested.map((nested) => ({
    nested,
    values: innerValues(nested, planAggregate(nested.query, within)),
  }))
  const blocks = query.legs.map((leg) => planLeg(leg, within))
  const legs = [
    ...blocks,
    ...inner.flatMap(({ nested, values }) => (isLookedUp(nested, query) ? [] : [nestedLeg(nested, values)])),
  ]
  const otherPeriods = [
    ...query.lookups.flatMap((lookup) => comparedBlock(lookup)),
    ...inner.flatMap(({ nested, values }) => (nested.addsRows ? comparedQuery(nested, values) : [])),
  ]
  const rows = rowsOf(query, legs, otherPeriods)
  const withBlocks = query.lookups.reduce<LogicalPlan>((input, lookup) => blockLookup(input, lookup), rows)
  const withInner = inner.reduce(
    (input, { nested, values }) => (isLookedUp(nested, query) ? nestedLookup(input, nested, values) : input),
    withBlocks,
  )
  return withMetrics(withKeys(withCumulative(withInner, query), query), query)
}

/** The rows as a separate relation if an expression uses a key, because not every engine accepts a grouping key inside an expression. */
function withKeys(input: LogicalPlan, query: BoundAggregateQuery): LogicalPlan {
  const { dimensions, values, folds, outputs, having, order } = query
  const isShown = dimensions.some((d) => d.top?.others !== undefined) && outputs.some((o) => o.role === 'grouping')
  const readsKey = ({ expression }: { readonly expression: RowExpr }): boolean =>
    expression.kind !== 'column' &&
    leavesOf<RelationColumn>(expression).some((leaf) => dimensions.some((d) => d.name === leaf.name))
  const isSorted = [...order, ...outputs.filter((o) => o.role === 'grouping')].some(readsKey)
  const isCompared =
    having !== undefined && leavesOf<RelationColumn>(having).some((leaf) => dimensions.some((d) => d.name === leaf.name))
  if (!isShown && !isCompared && !isSorted) return input
  const columns = [...dimensions, ...values, ...folds].map((c) => sameColumn(c))
  return { kind: 'project', input, alias: 'answer_rows', columns, stage: true }
}

/** Adds metrics to the rows, then applies `having` and selects the shown columns. */
export function withMetrics(rows: LogicalPlan, query: BoundAggregateQuery): LogicalPlan {
  const stepped = withSteps(rows, query)
  const having = query.having && stepped.read(query.having)
  const kept: LogicalPlan = having ? { kind: 'filter', input: stepped.plan, condition: having, reason: 'having' } : stepped.plan
  const columns = displayed(query.outputs, stepped.read)
  return { kind: 'project', input: sorted(kept, query.order, stepped.read), alias: 'answer', columns }
}

/** The values of an inner query, under the name by which they are read. */
interface InnerValues {
  readonly plan: LogicalPlan & { readonly kind: 'project' | 'aggregate' }
  readonly alias: string
}

const valuesOf = ({ name, type, emptyIsZero, mark }: BoundNested): readonly [Value, ...Value[]] => [
  { name, type, emptyIsZero },
  ...(mark ? [{ ...mark, emptyIsZero: false }] : []),
]

type Value = Lookup['values'][number]

const nestedLeg = (nested: BoundNested, { plan, alias }: InnerValues): PlannedLeg => ({
  input: plan,
  name: alias,
  contributesRows: nested.contributesRows,
  values: valuesOf(nested),
  base: nested.base,
})

function nestedLookup(input: LogicalPlan, nested: BoundNested, { plan }: InnerValues): LogicalPlan {
  const { shift, query } = nested
  const lookup = { kind: 'lookup', alias: 'answer_rows', keys: keysOf(nested.dimensions, shift) } as const
  const reason = shift ? ANOTHER_PERIOD : COARSER
  const [value, ...marks] = valuesOf(nested)
  // What fills its gaps has a value, and is no row.
  const isApart = query.fill !== undefined && marks.length > 0
  const valued = { ...lookup, input, from: plan, values: isApart ? [value] : [value, ...marks], reason }
  return isApart ? { ...lookup, input: valued, from: foundRows(nested), values: marks, reason: ROWS_THERE } : valued
}

/** The rows of an inner query at another period. */
const foundRows = (one: BoundNested): InnerValues['plan'] =>
  innerValues(one, planAggregate({ ...one.query, fill: undefined })).plan

const COARSER = 'a coarser grain, on every row that shares it'
const ANOTHER_PERIOD = 'another period, by the key that the row looks at'
const ROWS_THERE = 'whether there is a row at another period'

/** The values of an inner query, one for each row of the answer. */
function innerValues(
  { name, type, query, dimensions, aggregate, mark, emptyIsNull }: BoundNested,
  input: LogicalPlan,
): InnerValues {
  const value = lastOf(query.outputs)
  const columns = [...query.dimensions, value].map((c) => sameColumn(c))
  const alias = aggregate ? 'per_group' : 'all_periods'
  if (aggregate === undefined) {
    const renamed = columns.map((c) => (c.name === value.name ? { ...c, name } : c))
    const marked = mark ? [...renamed, { ...mark, expression: integer(1) }] : renamed
    return { plan: { kind: 'project', input, alias, columns: marked, stage: true }, alias }
  }
  const inner = 'groups'
  const call = plainAggregate(name, aggregate, [relationColumn(inner, value.name, value.type)], type)
  const plan = {
    kind: 'aggregate',
    input: { kind: 'project', input, alias: inner, columns, stage: true },
    alias,
    keys: dimensions.map((d) => sameColumn(d, inner)),
    aggregates: [
      { ...call, distinct: aggregate === 'count_distinct', ...(emptyIsNull && dimensions.length === 0 && { onlyWith: TRUE }) },
      ...(mark ? [plainAggregate(mark.name, 'max', [integer(1)], mark.type)] : []),
    ],
    reason: `the values of all groups: ${aggregate}`,
  } as const
  return { plan, alias }
}

function planLeg({ block, over, contributesRows }: BoundLeg, { outer }: Within): PlannedLeg {
  const { base, values } = block
  if (over && outer) {
    const { plan } = planOverRows(block, over, outer)
    return { input: plan, name: plan.alias, contributesRows, values, base }
  }
  const name = madeOf(base, values.length > 0 ? '_facts' : '_tuples')
  return { input: planBlock(block, name), name, contributesRows, values, base }
}

/** Another period without rows is absent, also for a count. */
const absentWithoutRows = (plan: LogicalPlan): LogicalPlan =>
  plan.kind === 'aggregate' && plan.keys.length === 0 ? { ...plan, onlyWithRows: true } : plan

const keysOf = (dimensions: readonly ResolvedDimension[], shift: Shift | undefined): Lookup['keys'] =>
  dimensions.map((d) => ({
    own: shift && isDimension(d, shift.period) ? shift.key : relationColumn('', d.name, d.type),
    theirs: d.name,
    type: d.type,
    nullSafe: !isDimension(d, shift?.period),
  }))

/** Running values read the row set for its periods, and are then looked up from it. */
function withCumulative(
  input: LogicalPlan,
  { dimensions, values, cumulative, folds, nestedOverRows }: BoundAggregateQuery,
): LogicalPlan {
  if (cumulative.length + folds.length + nestedOverRows.length === 0) return input
  const later = new Set([...cumulative.flatMap((r) => r.block.values), ...nestedOverRows].map((v) => v.name))
  const columns = [...dimensions, ...values.filter((v) => !later.has(v.name))].map(({ name, type }) => ({ name, type }))
  const rows: Shared = { kind: 'shared', alias: 'answer_rows', input, columns }
  const found = [
    ...cumulative.flatMap((r) => planCumulative(r.block, r.over, rows)),
    ...folds.map((fold) => planFold(fold, planAggregate(fold.query), rows)),
    ...nestedOverRows.map((n): Cumulative => {
      const { plan } = innerValues(n, planAggregate(n.query, { outer: rows }))
      return { window: n.window!, plan, values: [{ name: n.name, type: n.type, emptyIsZero: false }] }
    }),
  ]
  return found.reduce<LogicalPlan>((left, one) => withWindowValues(left, one, 'answer_rows'), rows)
}

function withWindowValues(input: LogicalPlan, { window, plan, values }: Cumulative, alias: string): LogicalPlan {
  const keys = [window.time, ...window.partition, ...window.groupBy].map((d) => ({
    own: relationColumn('', d.name, d.type),
    theirs: d.name,
    type: d.type,
    nullSafe: !isDimension(d, window.time),
  }))
  const reason = 'values over a window of periods, by the row’s time and partition'
  return { kind: 'lookup', alias, input, from: plan, keys, values, reason }
}

type Read = Pick<BoundLookup, 'block' | 'shift' | 'ofValues'>

/** Values at a coarser grain or another period, joined to every row by the block's own keys. */
export function blockLookup(input: LogicalPlan, read: Read): LogicalPlan {
  const plan = planBlock(read.block, lookupName(read))
  return besideRows(input, read, read.shift ? absentWithoutRows(plan) : plan)
}

const lookupName = ({ block: { base, dimensions }, shift, ofValues }: Read): string =>
  madeOf(base, ofValues ? '_order' : shift ? '_by_period' : dimensions.length === 0 ? '_total' : '_coarser')

function besideRows(input: LogicalPlan, { block: { dimensions, values }, shift, ofValues }: Read, from: LogicalPlan): Lookup {
  const reason = shift ? ANOTHER_PERIOD : COARSER
  const { name, grain } = shift?.period ?? {}
  return {
    kind: 'lookup',
    alias: 'answer_rows',
    input,
    from,
    keys: keysOf(dimensions, shift).map((key) => (ofValues ? { ...key, nullSafe: false } : key)),
    values,
    reason: ofValues ? 'what sorts the rows' : reason,
    ...(name !== undefined && { period: { name, grain } }),
  }
}

/** A block at another period whose rows are read, too, and not only its values. */
function comparedBlock({ block, shift, rowsAt, addsRows }: BoundLookup): readonly ComparedRows[] {
  if (!addsRows) return []
  const name = lookupName({ block, shift })
  return comparedRows({ shift, rowsAt }, planBlock(block, name), name)
}

/** An inner query at another period: what fills its gaps is no row. */
function comparedQuery(one: BoundNested, found: InnerValues): readonly ComparedRows[] {
  return comparedRows(one, one.query.fill ? foundRows(one) : found.plan, found.alias)
}

function comparedRows(read: Elsewhere, from: LogicalPlan, name: string): readonly ComparedRows[] {
  const shift = shiftOf(read)
  return shift ? [{ shift, isOwn: isOwnRow(read), isOfOnePeriod: read.rowsAt !== undefined, from, name }] : []
}

/** The rows are those of shown detail rows, whatever the blocks have. */
function shownFirst(dimensions: readonly ResolvedDimension[], legs: readonly PlannedLeg[]): readonly PlannedLeg[] {
  const name = madeOf('shown', '_groups')
  const shown = { input: shownTuples(name, dimensions), name, contributesRows: true, values: [], base: firstOf(legs).base }
  return [shown, ...legs.map((leg) => ({ ...leg, contributesRows: false }))]
}

/**
 * The rows of the answer, before anything is looked up for them. Blocks that add no rows have values in added periods, too, so they come
 * first.
 */
function rowsOf(query: BoundAggregateQuery, legs: readonly PlannedLeg[], compared: readonly ComparedRows[]): LogicalPlan {
  const { fill, dimensions } = query
  if (query.rowsAreShown && dimensions.length > 0) return combine(dimensions, shownFirst(dimensions, legs))
  if (!fill && compared.length === 0) return combine(dimensions, legs)
  const contributing = legs.filter((leg) => leg.contributesRows)
  const values = contributing.flatMap((leg) => leg.values)
  const own = { rows: combine(dimensions, contributing), dimensions, values }
  const rows = withComparedRows(own, compared, fill)
  const input = fill ? filled({ ...own, rows }, fill) : rows
  if (contributing.length === legs.length) return input
  const whole = { input, name: 'made_rows', contributesRows: true, values, base: firstOf(contributing).base }
  return combine(dimensions, [whole, ...legs.filter((leg) => !leg.contributesRows)])
}
