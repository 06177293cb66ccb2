import { DATE } from '../../model/data-type.js'
import { leavesOf } from '../../model/expression/ast.js'
import type { Grain } from '../../model/grain.js'
import { madeOf } from '../../relation/relation.js'
import { literal } from '../../resolve/expressions.js'
import { truncated } from '../../resolve/grain-expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { dateText, floor, MICROS_PER_DAY, type Micros, parseTime } from '../../resolve/time.js'
import { isSame, unlike } from '../../same.js'
import { commonRange } from '../common-range.js'
import { filtered } from '../from.js'
import { inputsOf, mapPlans } from '../inputs.js'
import { joinedSpans } from '../joined-ranges.js'
import { planOf } from '../joined-rows.js'
import {
  type Aggregate,
  type Filter,
  type LogicalPlan,
  type Lookup,
  type NamedExpr,
  type Shared,
  sameColumn,
} from '../logical-plan.js'
import { chainOf, type LookupChain } from '../lookup-chain.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { type Bound, conditionsWithin, type Span } from '../spans.js'
import type { Rule } from './rule.js'

/**
 * The rows of an answer within bounds that begin and end with periods, and those of the periods that it looks up, as one aggregation of both where their bounds
 * touch, so that no other rows are read. Each group has one period, so that its rows are the same.
 */
export const touchingPeriods: Rule = {
  name: 'touching-periods',
  needs: ['keepsTables'],
  rephrases: true,
  rewrite: (node) => (node.kind === 'lookup' ? withTouching(node) : undefined),
}

function withTouching(node: Lookup): LogicalPlan | undefined {
  const { rows, lookups } = chainBelowWindows(node)
  // The rows of a compared period are read as they are looked up.
  const isLookedUp = (groups: Aggregate): boolean => lookups.some(({ from }) => isSame(from, groups))
  const own = unlike(groupsIn(rows)).filter((groups) => !isLookedUp(groups))
  const found = own.flatMap((groups) => together(groups, lookups) ?? [])
  if (found.length === 0) return undefined
  return replaced(node)

  function replaced(plan: LogicalPlan): LogicalPlan {
    const near = found.flatMap((one) => one.near)
    if (plan.kind === 'aggregate') {
      const kept = found.find(({ groups }) => isSame(groups, plan))?.kept
      return kept ?? near.find(([of]) => isSame(of.from, plan))?.[1] ?? plan
    }
    const from = near.find(([of]) => of === plan)?.[1]
    return from && plan.kind === 'lookup' ? { ...plan, input: replaced(plan.input), from } : mapPlans(plan, replaced)
  }
}

/** The rows below lookups and windows, and all of these lookups. */
function chainBelowWindows(plan: LogicalPlan): LookupChain {
  const { rows, lookups } = chainOf(plan)
  if (rows.kind !== 'window') return { rows, lookups }
  const below = chainBelowWindows(rows.input)
  return { rows: below.rows, lookups: [...below.lookups, ...lookups] }
}

/** The aggregations that rows are made of. */
const groupsIn = (plan: LogicalPlan): readonly Aggregate[] =>
  plan.kind === 'aggregate' ? [plan] : inputsOf(plan).flatMap(groupsIn)

/** Groups of an answer, of which the other periods that it looks up are some. */
interface Together {
  readonly groups: Aggregate
  /** These groups among all. */
  readonly kept: LogicalPlan
  /** The same rows for what is looked up of them. */
  readonly near: readonly (readonly [of: Lookup, from: Aggregate])[]
}

interface Near {
  readonly of: Lookup
  readonly from: Aggregate
  readonly rows: PlainRows
}

function together(groups: Aggregate, lookups: readonly Lookup[]): Together | undefined {
  const rows = plainRowsOf(groups)
  const near = rows ? lookups.flatMap((of) => nearOf(of, groups, rows) ?? []) : []
  const [first] = near
  const { name, grain } = first?.of.period ?? {}
  if (!rows || !first || !grain) return undefined
  const key = groups.keys.find((one) => one.name === name && isSame(one.type, DATE))
  const time = key && leavesOf<RelationColumn>(key.expression)[0]
  if (!time || !isSame(key.expression, truncated(grain, time))) return undefined
  const common = first.rows.filters.filter(isLasting)
  const own = rangeOf(without(rows.filters, common), time)
  const kept = own && spanOfPeriods(own, grain)
  if (!own || !kept) return undefined
  const ranges = near.flatMap((one) => nearRange(one.rows, time, common) ?? [])
  const [whole, ...apart] = joinedSpans([own, ...ranges], false)
  if (!whole || apart.length > 0 || ranges.length < near.length) return undefined
  const reason = 'the periods of the answer, and those that they look up'
  const joined = planOf({ ...rows, filters: common })
  const input = filtered(
    joined,
    conditionsWithin(time, whole).map((expression) => ({ expression, reason })),
  )
  return {
    groups,
    kept: keptOf({ ...groups, input }, rows.start.object, key, kept),
    near: near.map(({ of, from }) => [of, { ...from, input }]),
  }
}

/** The groups of these periods among those of all. */
function keptOf(all: Aggregate, base: string, { name: period }: NamedExpr, kept: Span): LogicalPlan {
  const alias = madeOf(base, '_periods')
  const columns = [...all.keys, ...all.aggregates].map(({ name, type }) => ({ name, type }))
  const shared: Shared = { kind: 'shared', alias, input: { ...all, alias }, columns }
  const conditions = conditionsWithin(relationColumn('', period, DATE), kept)
  return {
    kind: 'project',
    input: filtered(
      shared,
      conditions.map((expression) => ({ expression, reason: 'only the periods of the answer' })),
    ),
    alias: all.alias,
    columns: columns.map((column) => sameColumn(column)),
  }
}

function nearOf(of: Lookup, groups: Aggregate, { start, joins }: PlainRows): Near | undefined {
  const { from, period } = of
  const rows = from.kind === 'aggregate' && period ? plainRowsOf(from) : undefined
  if (from.kind !== 'aggregate' || !rows) return undefined
  const isOfSameTables = isSame([start, joins, groups.keys], [rows.start, rows.joins, from.keys])
  return isOfSameTables ? { of, from, rows } : undefined
}

const isLasting = ({ isNear }: Filter): boolean => !isNear

/** The conditions but for those of other rows; `undefined` if one of these is not among them. */
function without(filters: readonly Filter[], others: readonly Filter[]): readonly Filter[] | undefined {
  const isIn = (all: readonly Filter[], one: Filter): boolean => all.some(({ condition }) => isSame(condition, one.condition))
  return others.every((one) => isIn(filters, one)) ? filters.filter((one) => !isIn(others, one)) : undefined
}

/** The periods that are looked up, if the conditions that last are the same. */
function nearRange({ filters }: PlainRows, time: RelationColumn, common: readonly Filter[]): Span | undefined {
  const isSameLasting = without(filters.filter(isLasting), common)?.length === 0
  return isSameLasting
    ? rangeOf(
        filters.filter(({ isNear }) => isNear),
        time,
      )
    : undefined
}

/** The range that all conditions have in common, if they are bounds of this time. */
function rangeOf(filters: readonly Filter[] = [], time: RowExpr): Span | undefined {
  const range = commonRange(filters.map(({ condition }) => condition))
  return range && isSame(range.operand, time) ? range.span : undefined
}

/** The same range in starts of periods; `undefined` if a bound is not where one starts. */
function spanOfPeriods({ low, high }: Span, grain: Grain): Span | undefined {
  const [from, to] = [low && startAt(low, !low.inclusive, grain), high && startAt(high, high.inclusive, grain)]
  if ((low && !from) || (high && !to)) return undefined
  return { low: from && { value: from, inclusive: true }, high: to && { value: to, inclusive: false } }
}

/** The start of the period at a bound, or at the next day. */
function startAt({ value: { value, type } }: Bound, isDayAfter: boolean, grain: Grain): Bound['value'] | undefined {
  const parsed = typeof value === 'string' ? parseTime(value) : undefined
  if (!parsed || !hasFixedStarts(grain) || (isDayAfter && type.kind !== 'date')) return undefined
  const at: Micros = isDayAfter ? parsed.micros + MICROS_PER_DAY : parsed.micros
  return floor(at, grain, 'monday') === at ? literal(dateText(at), DATE) : undefined
}

/** The start of a week depends on the engine. */
const hasFixedStarts = (grain: Grain): boolean =>
  typeof grain === 'string' ? MONTHS.has(grain) : grain.calendar.kind === 'months'

const MONTHS: ReadonlySet<Grain> = new Set<Grain>(['day', 'month', 'quarter', 'year'])
