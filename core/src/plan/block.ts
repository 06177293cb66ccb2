import type { BoundAggregate, BoundBlock, BoundFact, ConnectionWeight, NamedExpr } from '../bind/bound-block.js'
import { type DataType, FLOAT, INT } from '../model/data-type.js'
import { madeOf } from '../relation/relation.js'
import { freeName } from '../resolve/aliases.js'
import { allOf, binary, integer, isNotNull, onlyWhere } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { planConverted } from './conversion.js'
import { filtered, type Inside, planFrom } from './from.js'
import { planPassed } from './funnel.js'
import {
  type Aggregate,
  type LogicalPlan,
  type NamedAggregate,
  type PlannedLeg,
  plainAggregate,
  sameColumn,
} from './logical-plan.js'
import { carriedCondition } from './over-columns.js'
import { takenAndSummed } from './semi-additive.js'

/** One scan of the base, its joins, its conditions, one aggregation; for a semi-additive block then the selection of values and their sum. */
export function planBlock(block: BoundBlock, alias: string): Aggregate {
  if (!block.semiAdditive) return planUntaken(block, alias)
  const inner = planUntaken(block, madeOf(block.base, '_times'))
  return takenAndSummed(inner, { ...block, groups: block.dimensions, semiAdditive: block.semiAdditive }, alias)
}

/** The aggregation of a block, for a semi-additive one also by time and entity. `facts` are the joined facts, if they are known. */
export function planUntaken(block: BoundBlock, alias: string, facts?: readonly PlannedLeg[]): Aggregate {
  const { groupBy, aggregates, onceBy, reason, where, from } = block
  const input = filtered(planFrom(from, planPartsOf(facts)), where)
  if (!onceBy) {
    const own = aggregates.map((a) => namedAggregate(a, block.weight?.expression))
    return { kind: 'aggregate', input, alias, keys: groupBy, aggregates: own, reason }
  }
  if (aggregates.length === 0) {
    return { kind: 'aggregate', input, alias, keys: groupBy, aggregates: [], reason: 'the tuples that occur' }
  }
  // Each base row once per group: distinct (group, key) pairs with the inputs, which are then aggregated.
  const rows = blockRows(block, input)
  const keys = groupBy.map((k) => sameColumn(k, rows.alias))
  return { kind: 'aggregate', input: rows.plan, alias, keys, aggregates: rows.aggregates, reason }
}

/** How the inner parts of a block's rows are planned. */
export const planPartsOf = (facts?: readonly PlannedLeg[]): Inside => ({
  events: (events) => planConverted(events, ({ block, alias }) => planBlock(block, alias)),
  passed: (events) => planPassed(events, ({ block, alias }) => planBlock(block, alias)),
  facts: ({ legs }) => facts ?? legs.map((leg) => planFact(leg)),
})

/** A fact summed before it is joined with others. */
export function planFact({ block, alias }: BoundFact): PlannedLeg {
  const values = block.values.map(({ name, type }) => ({ name, type, emptyIsZero: false }))
  return { input: planBlock(block, alias), name: alias, contributesRows: true, values, base: block.base }
}

/** The rows of a block before aggregation, each with its groups and the inputs of its aggregates. */
export interface BlockRows {
  readonly plan: LogicalPlan
  readonly alias: string
  /** Every column, in order: the groups, then the key if a counted row could repeat, then the inputs. */
  readonly columns: readonly NamedExpr[]
  readonly aggregates: readonly NamedAggregate[]
  /** A base row counts once per group; its key identifies it. */
  readonly distinct: boolean
}

/** The rows of a block for a step that groups them differently. */
export const planBlockRows = (block: BoundBlock): BlockRows =>
  blockRows(block, filtered(planFrom(block.from, planPartsOf()), block.where))

/** The distinct values of a block for aggregates that ignore duplicates. */
export function planBlockKeys(block: BoundBlock): BlockRows {
  const { plan: rows, alias, columns, ...rest } = planBlockRows({ ...block, onceBy: undefined })
  const reason = 'each value once in each period'
  const input = rows.kind === 'project' ? rows.input : rows
  return { ...rest, columns, alias, plan: { kind: 'distinct', input, alias, columns, reason } }
}

function blockRows(block: BoundBlock, input: LogicalPlan): BlockRows {
  const { base, groupBy, aggregates, onceBy } = block
  const distinct = onceBy !== undefined
  const alias = madeOf(base, distinct ? '_once' : '_rows')
  const columns: NamedExpr[] = [...groupBy]
  const carry = (name: string, expression: RowExpr, type: DataType): RowExpr => {
    const known = columns.slice(groupBy.length).find((c) => isSame(c.expression, expression))
    if (known) return relationColumn(alias, known.name, type)
    const added = { name: freeName(name, groupBy), expression, type }
    columns.push(added)
    return relationColumn(alias, added.name, type)
  }
  for (const { name, expression, type } of onceBy ?? []) carry(name, expression, type)
  const carried = carriedInputs(aggregates, carry)
  for (const [i, { expression, type }] of block.beside.entries()) carry(`field_${i + 1}`, expression, type)
  const weight = block.weight && carriedWeight(block.weight, carry)
  const reason = `each row of '${base}' once in each of its groups`
  return {
    plan: distinct
      ? { kind: 'distinct', input, alias, columns, reason }
      : { kind: 'project', input, alias, columns, stage: true },
    alias,
    columns,
    aggregates: carried.map((c) => namedAggregate(c, weight)),
    distinct,
  }
}

type Carry = (name: string, expression: RowExpr, type: DataType) => RowExpr

/** Aggregates over the columns of their rows. */
function carriedInputs(aggregates: readonly BoundAggregate[], carry: Carry): readonly BoundAggregate[] {
  let n = 0
  return aggregates.map((aggregate) => {
    const { filter } = aggregate
    const bare = aggregate.args.length === 0 && filter ? [{ expression: integer(1), type: INT }] : aggregate.args
    const args = bare.map(({ expression, type }, i) => ({
      expression: carry(`value_${++n}`, i === 0 ? onlyWhere(filter, expression) : expression, type),
      type,
    }))
    const orderBy = aggregate.orderBy.map((key) => ({ ...key, expression: carry(`order_${++n}`, key.expression, key.type) }))
    const onlyWith = aggregate.onlyWith && carriedCondition(aggregate.onlyWith, (met) => carry(`met_${++n}`, met, INT))
    return { ...aggregate, args, orderBy, filter: undefined, ...(onlyWith && { onlyWith }) }
  })
}

/** The weight of each row, with the columns that identify its connections. */
function carriedWeight({ expression, type, distinguishedBy }: ConnectionWeight, carry: Carry): RowExpr {
  for (const [i, column] of distinguishedBy.entries()) carry(`connection_${i + 1}`, column.expression, column.type)
  return carry('weight', expression, type)
}

function namedAggregate(aggregate: BoundAggregate, weight: RowExpr | undefined): NamedAggregate {
  if (!weight) return { ...aggregate, args: aggregate.args.map((arg) => arg.expression) }
  const { onlyWith } = aggregate
  return { ...weightedAggregate(aggregate, weight), ...(onlyWith && { onlyWith }) }
}

/** A row whose weight is NULL contributes nothing. */
function weightedAggregate({ aggregate, name, type, args, filter }: BoundAggregate, weight: RowExpr): NamedAggregate {
  const value = args[0]?.expression
  const where = (condition: RowExpr | undefined, e: RowExpr): RowExpr =>
    onlyWhere(allOf([filter, condition].filter((c) => c !== undefined)), e)
  switch (aggregate) {
    case 'sum':
      return plainAggregate(name, 'sum', [where(undefined, binary('*', value!, weight))], type)
    case 'avg': {
      const double = (operand: RowExpr): RowExpr => ({ kind: 'cast', operand, type: FLOAT })
      const parts = [where(undefined, double(binary('*', value!, weight))), where(isNotNull(value!), double(weight))]
      return plainAggregate(name, 'weighted_avg', parts, type)
    }
    case 'count_if':
      return plainAggregate(name, 'weighted_count', [where(value, weight)], type)
    default:
      return plainAggregate(name, 'weighted_count', [where(value && isNotNull(value), weight)], type)
  }
}
