import type { RowColumn } from '../../bind/bound-block.js'
import { freeName } from '../../resolve/aliases.js'
import { allOf } from '../../resolve/expressions.js'
import { dateItself } from '../../resolve/grain-expressions.js'
import { includesSame, isSame } from '../../same.js'
import { planOf } from '../joined-rows.js'
import type { Aggregate, Leg, LogicalPlan, NamedAggregate, NamedWindow, RowExpr } from '../logical-plan.js'
import { conditionsBeside, conditionsOf, isOfSameRows, missingJoins, singleRowsOf } from '../same-rows.js'

/** Rows of an answer, and windows over values of their groups. */
export interface Totals {
  readonly rows: LogicalPlan
  readonly calls: readonly NamedWindow[]
  /** The names of columns that exist. */
  readonly taken: readonly RowColumn[]
}

/** A value that is the total of groups. */
export interface Total {
  /** The value of one group, with all conditions on its rows that the groups lack. */
  readonly call: NamedAggregate
  /** The aggregation that computes it from rows. */
  readonly from: Aggregate
  readonly giver: Giver
  readonly emptyIsZero: boolean
  readonly window: (value: RowColumn) => NamedWindow
}

/** The groups of the rows of an aggregation, and its place among those of the answer, which it keeps: several may have one name and the same keys. */
export interface Giver {
  readonly groups: Aggregate
  readonly place: number
  /** The conditions that the groups lack. */
  readonly conditions: readonly RowExpr[]
}

/** The groups of an answer that have all rows of an aggregation at a coarser grain. */
export function giversOf(from: Aggregate, rows: LogicalPlan): readonly Giver[] {
  return giversIn(rows).flatMap((groups, place) => {
    const conditions = conditionsOfRowsOf(groups, from)
    return conditions ? [{ groups, place, conditions }] : []
  })
}

export const withConditions = (call: NamedAggregate, conditions: readonly RowExpr[]): NamedAggregate =>
  conditions.length === 0 ? call : { ...call, filter: allOf([...conditions, ...(call.filter ? [call.filter] : [])]) }

/** With the window, over a value of the rows that is added unless they have it. */
export function withTotal({ rows, calls, taken }: Totals, { call, from, giver, emptyIsZero, window }: Total): Totals {
  const now = giversIn(rows)[giver.place] ?? giver.groups
  const known = now.aggregates.find((own) => isSame({ ...own, name: '' }, { ...call, name: '' }))
  const fine = known ?? { ...call, name: freeName(`${call.name} (detail)`, taken) }
  const value = { name: fine.name, type: fine.type, emptyIsZero }
  return {
    rows: known ? rows : withValue(rows, now, { node: withAggregate(now, fine, from), value }),
    calls: [...calls, window(value)],
    taken: known ? taken : [...taken, fine],
  }
}

/** The aggregations whose groups are all groups of their rows. */
function giversIn(rows: LogicalPlan): readonly Aggregate[] {
  const inputs = rows.kind === 'combine' ? rows.legs.flatMap((leg) => (leg.contributesRows ? [leg.input] : [])) : [rows]
  return inputs.filter((input) => input.kind === 'aggregate')
}

/** The conditions by which a coarser aggregation reads fewer rows than the finer one; `undefined` if it reads others. */
function conditionsOfRowsOf(fine: Aggregate, coarse: Aggregate): readonly RowExpr[] | undefined {
  const [own, theirs] = [singleRowsOf(fine), singleRowsOf(coarse)]
  if (!own || !theirs || !isOfSameRows(own, theirs) || !hasKeys(fine, coarse)) return undefined
  const [where, others] = [own.filters.map(({ condition }) => condition), conditionsOf(coarse, theirs)]
  return conditionsBeside(where, others).length > 0 ? undefined : conditionsBeside(others, where)
}

/** A period of one day is the date itself. */
function hasKeys(fine: Aggregate, coarse: Aggregate): boolean {
  const ofDates = ({ keys }: Aggregate) => keys.map((key) => ({ ...key, expression: dateItself(key.expression) }))
  const own = ofDates(fine)
  return ofDates(coarse).every((key) => includesSame(own, key))
}

/** The aggregation with another value, and with the joins that it needs. */
function withAggregate(fine: Aggregate, call: NamedAggregate, coarse: Aggregate): Aggregate {
  const joined = withJoinsOf(fine, coarse)
  return { ...joined, aggregates: [...joined.aggregates, call] }
}

/** The groups with the joins that another aggregation of their rows reads. */
export function withJoinsOf(groups: Aggregate, other: Aggregate): Aggregate {
  const [own, theirs] = [singleRowsOf(groups), singleRowsOf(other)]
  const added = own && theirs ? missingJoins(theirs, own) : []
  return own && added.length > 0 ? { ...groups, input: planOf({ ...own, joins: [...own.joins, ...added] }) } : groups
}

interface Added {
  readonly node: Aggregate
  readonly value: Leg['values'][number]
}

function withValue(rows: LogicalPlan, giver: Aggregate, { node, value }: Added): LogicalPlan {
  if (rows.kind !== 'combine') return node
  const legs = rows.legs.map((leg) => (leg.input === giver ? { ...leg, input: node, values: [...leg.values, value] } : leg))
  return { ...rows, legs }
}
