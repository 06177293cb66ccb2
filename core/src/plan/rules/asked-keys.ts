import type { RowColumn } from '../../bind/bound-block.js'
import type { DataType } from '../../model/data-type.js'
import { freeName } from '../../resolve/aliases.js'
import { sameOrBothNull, TRUE } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../../resolve/relation-column.js'
import type { RowTerm } from '../../resolve/row-terms.js'
import { equal, holds } from '../../resolve/row-terms.js'
import { joinedRowsOf, planOf } from '../joined-rows.js'
import { isKnownJoin } from '../known-join.js'
import {
  type Aggregate,
  type Combine,
  type Distinct,
  type Leg,
  type LogicalPlan,
  type Lookup,
  type Shared,
  sameColumn,
} from '../logical-plan.js'
import { chainOf } from '../lookup-chain.js'
import { isNeverNull } from '../null-rejecting.js'
import type { PlannerHints } from '../planner-hints.js'
import { withInner } from './inner-joins.js'
import type { Rule } from './rule.js'

/**
 * Of a wider row set, only the groups whose keys the rows of the answer have. A row looks up one group by its key, so that no other group is read. The rows are
 * computed once and read twice.
 */
export const askedKeys: Rule = {
  name: 'asked-keys',
  needs: ['keepsTables'],
  rewrite(node, { hints }) {
    if (node.kind === 'combine') return askedByLeader(node, hints)
    return node.kind === 'lookup' ? askedByRows(node) : undefined
  },
}

function askedByRows(plan: Lookup): LogicalPlan | undefined {
  const { rows, lookups } = chainOf(plan)
  const columns = lookups.find(restrictable)?.wider
  if (!columns) return undefined
  const isNamed = ({ values }: Lookup): boolean => values.some(({ name }) => columns.some((column) => column.name === name))
  const named = lookups.findLastIndex(isNamed) + 1
  const input = lookups.slice(0, named).reduce(onTopOf, rows)
  const shared: Shared = {
    kind: 'shared',
    alias: plan.alias,
    input,
    columns: columns.map(({ name, type }) => ({ name, type })),
  }
  return lookups.slice(named).reduce<LogicalPlan>((left, { wider, ...lookup }) => {
    const from = restrictable({ ...lookup, wider })
    return { ...lookup, input: left, from: from ? ofAsked(from, lookup, shared) : lookup.from }
  }, shared)
}

const onTopOf = (input: LogicalPlan, lookup: Lookup): LogicalPlan => ({ ...lookup, input })

/** Facts of which one has every row that is kept; `undefined` if each of the others is needed completely. */
function askedByLeader(plan: Combine, hints: Pick<PlannerHints, 'asksForKeys'>): LogicalPlan | undefined {
  const leader = plan.legs[plan.leading ?? -1]
  if (!leader) return undefined
  if (plan.making) return joinedToLeader(plan, leader)
  return hints.asksForKeys ? unitedWithLeader(plan, leader) : undefined
}

function joinedToLeader(plan: Combine, leader: Leg): LogicalPlan | undefined {
  const lookups = plan.legs.flatMap((leg, i) => (i === plan.leading ? [] : [lookedUp(leg, leader, plan.keys)]))
  const top = lookups.reduce<LogicalPlan>(onTopOf, leader.input)
  return top.kind === 'lookup' && lookups.some(restrictable) ? askedByRows(top) : undefined
}

function unitedWithLeader(plan: Combine, leader: Leg): Combine | undefined {
  const limited = plan.legs.map((leg, i) => {
    const lookup = i === plan.leading ? undefined : lookedUp(leg, leader, plan.keys)
    const from = lookup && restrictableScan(lookup)
    return lookup && from && { lookup, from }
  })
  if (limited.every((one) => one === undefined)) return undefined
  const shared: Shared = {
    kind: 'shared',
    alias: leader.name,
    input: leader.input,
    columns: columnsOf(leader, plan.keys),
  }
  const legs = plan.legs.map((leg, i): Leg => {
    const one = limited[i]
    if (one) return { ...leg, input: ofAsked(one.from, one.lookup, shared) }
    return { ...leg, input: i === plan.leading ? shared : leg.input }
  })
  return { ...plan, legs }
}

const columnsOf = ({ values }: Leg, keys: readonly RowColumn[]): readonly RowColumn[] =>
  [...keys, ...values].map(({ name, type }) => ({ name, type }))

/** The values of a leg, looked up for the rows of the leading one. */
const lookedUp = (leg: Leg, leader: Leg, keys: readonly RowColumn[]): Lookup => ({
  kind: 'lookup',
  alias: leader.name,
  input: leader.input,
  from: leg.input,
  keys: keys.map(({ name, type }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: true })),
  values: leg.values,
  reason: 'the values of another fact',
  wider: leg.isWider ? columnsOf(leader, keys) : undefined,
})

/** Groups by one key of joined tables, whose columns name their relation; with several keys, each alone would select little. */
function restrictable({ wider, from, keys }: Lookup): Aggregate | undefined {
  if (!wider || keys.length !== 1 || from.kind !== 'aggregate' || !readsTables(from.input)) return undefined
  const isNamed = !tablesIn(from.keys[0]?.expression ?? TRUE).includes('')
  return from.keys.length === 1 && isNamed ? from : undefined
}

/**
 * Groups of all rows of one table. A planner knows how many these are. Where it expects few rows of a condition or of a join and there are many, it
 * compares each of them with each key.
 */
function restrictableScan(lookup: Lookup): Aggregate | undefined {
  const from = restrictable(lookup)
  return from?.input.kind === 'scan' ? from : undefined
}

function readsTables(plan: LogicalPlan): boolean {
  if (plan.kind === 'filter') return readsTables(plan.input)
  return plan.kind === 'scan' || (plan.kind === 'join' && isKnownJoin(plan) && readsTables(plan.left))
}

/** The tables of joined rows, by their names. */
function relationsIn(plan: LogicalPlan): readonly { readonly name: string }[] {
  if (plan.kind === 'filter') return relationsIn(plan.input)
  if (plan.kind === 'join') return [...relationsIn(plan.left), ...relationsIn(plan.right)]
  return 'alias' in plan ? [{ name: plan.alias }] : []
}

/** The aggregation, limited to rows whose key is needed. */
function ofAsked(from: Aggregate, { keys }: Lookup, shared: Shared): Aggregate {
  const asked = new Set(keys.map((key) => key.theirs))
  const alias = freeName('asked', relationsIn(from.input))
  const right: Distinct = {
    kind: 'distinct',
    input: shared,
    alias,
    columns: shared.columns.filter((column) => asked.has(column.name)).map((column) => sameColumn(column)),
    reason: 'the keys that rows of the answer look up',
  }
  const on = from.keys.filter((key) => asked.has(key.name))
  const label = { from: from.alias, to: alias, columns: [...asked], reason: right.reason }
  const joined = (left: LogicalPlan): LogicalPlan =>
    left.kind === 'filter'
      ? { ...left, input: joined(left.input) }
      : withNeededInner({
          kind: 'join',
          type: 'inner',
          left,
          right,
          on: on
            .slice(0, 1)
            .map(({ name, type, expression }) => same(expression, relationColumn(alias, name, type), shared.input)),
          label,
        })
  return { ...from, input: joined(from.input) }
}

/** Joins whose match the last inner join needs are inner joins. */
const withNeededInner = (plan: LogicalPlan): LogicalPlan => planOf(withInner(joinedRowsOf(plan)))

/** An equality if the rows always have the key: then groups without one are not needed, and joins on the path to the key are inner joins. */
const same = (own: RowExpr, asked: RelationColumn, rows: LogicalPlan): RowTerm =>
  isExact(asked.type) && isNeverNull(rows, asked.name) ? equal(own, asked) : holds(sameOrBothNull(own, asked))

/** Equality of doubles has special rules. */
const isExact = ({ kind }: DataType): boolean => kind === 'int' || kind === 'string'
