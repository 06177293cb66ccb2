import type { BoundBlock, Condition } from '../bind/bound-block.js'
import type { BoundLeg, BoundLookup } from '../bind/bound-query.js'
import { DATE } from '../model/data-type.js'
import { leavesOf } from '../model/expression/ast.js'
import type { Grain } from '../model/grain.js'
import { literal } from '../resolve/expressions.js'
import { truncated } from '../resolve/grain-expressions.js'
import { type RelationColumn, relationColumn } from '../resolve/relation-column.js'
import { dateText, floor, MICROS_PER_DAY, type Micros, parseTime } from '../resolve/time.js'
import { isSame } from '../same.js'
import { commonRange } from './common-range.js'
import { joinedSpans } from './joined-ranges.js'
import { isPlainBlock } from './plain-block.js'
import { type Bound, conditionsWithin, type Span } from './spans.js'

/** A block of the rows of an answer, with the other periods that they look up. */
export interface WithPeriods {
  readonly block: BoundBlock
  /** That a group is one of the answer. */
  readonly kept: readonly Condition[]
  /** The same rows for what is looked up of them. */
  readonly lookups: readonly (readonly [of: BoundLookup, block: BoundBlock])[]
}

/**
 * The rows of an answer within bounds that begin and end with periods, and those of the periods that it looks up, as one aggregation of both: their
 * bounds touch, so that no other rows are read. Each group has one period, so that its rows are the same. `undefined` where they have to be apart.
 */
export function withNearPeriods(
  leg: BoundLeg,
  lookups: readonly BoundLookup[],
  isBetterApart: (leg: BoundLeg) => boolean,
): WithPeriods | undefined {
  const { block, over } = leg
  const near = over ? [] : lookups.filter(({ block: other, shift }) => shift !== undefined && isOfSameTables(block, other))
  const [first] = near
  if (!first?.shift || !isPlainBlock(block) || isBetterApart(leg)) return undefined
  const { period } = first.shift
  const key = block.groupBy.find(({ name, type }) => name === period.name && isSame(type, DATE))
  const time = key && leavesOf<RelationColumn>(key.expression)[0]
  if (!time || !period.grain || !isSame(key.expression, truncated(period.grain, time))) return undefined
  const common = first.block.where.filter(isLasting)
  const own = rangeOf(without(block.where, common), time)
  const kept = own && inPeriods(own, period.grain)
  if (!own || !kept) return undefined
  const ranges = near.flatMap((one) => nearRange(one, time, common) ?? [])
  const [whole, ...apart] = joinedSpans([own, ...ranges], false)
  if (!whole || apart.length > 0 || ranges.length < near.length) return undefined
  const reason = 'the periods of the answer, and those that they look up'
  const where = [...common, ...conditionsWithin(time, whole).map((expression) => ({ expression, reason }))]
  return {
    block: { ...block, where },
    kept: conditionsWithin(relationColumn('', key.name, DATE), kept).map((expression) => ({
      expression,
      reason: 'only the periods of the answer',
    })),
    lookups: near.map((of) => [of, { ...of.block, where }]),
  }
}

const isOfSameTables = (one: BoundBlock, other: BoundBlock): boolean =>
  isSame([one.base, one.from, one.groupBy], [other.base, other.from, other.groupBy])

const isLasting = ({ isNear }: Condition): boolean => !isNear

/** The conditions but for those of another block; `undefined` if one of these is not among them. */
function without(where: readonly Condition[], others: readonly Condition[]): readonly Condition[] | undefined {
  const isIn = (all: readonly Condition[], one: Condition): boolean =>
    all.some(({ expression }) => isSame(expression, one.expression))
  return others.every((one) => isIn(where, one)) ? where.filter((one) => !isIn(others, one)) : undefined
}

/** The periods that are looked up, if the conditions that last are the same. */
function nearRange({ block: { where } }: BoundLookup, time: RelationColumn, common: readonly Condition[]): Span | undefined {
  const lasting = where.filter(isLasting)
  return without(lasting, common)?.length === 0
    ? rangeOf(
        where.filter(({ isNear }) => isNear),
        time,
      )
    : undefined
}

/** The range that all conditions have in common, if they are bounds of this time. */
function rangeOf(conditions: readonly Condition[] = [], time: RelationColumn): Span | undefined {
  const range = commonRange(conditions.map(({ expression }) => expression))
  return range && isSame(range.operand, time) ? range.span : undefined
}

/** The same range in starts of periods; `undefined` if a bound is not where one starts. */
function inPeriods({ low, high }: Span, grain: Grain): Span | undefined {
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
