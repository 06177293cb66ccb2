import type { RowColumn } from '../../bind/bound-block.js'
import type { DataType } from '../../model/data-type.js'
import { freeName, plainName } from '../../resolve/aliases.js'
import { sameOrBothNull, TRUE } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../../resolve/relation-column.js'
import type { RowTerm } from '../../resolve/row-terms.js'
import { equal, holds } from '../../resolve/row-terms.js'
import { includesSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import { inputsOf } from '../inputs.js'
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
import { chainOf, lookedUpFor } from '../lookup-chain.js'
import { isNeverNull, isPresence } from '../null-rejecting.js'
import type { PlannerHints } from '../planner-hints.js'
import { withInner } from './inner-joins.js'
import { leadingLeg, mapKeptFacts } from './leading-leg.js'
import type { Rule } from './rule.js'

/**
 * Of groups that lack a condition of the rows of the answer, only those whose keys these rows have. A row looks up one group by its key, so that no other group is read. The
 * rows, with the names of their groups, are computed once and read twice.
 */
export const askedKeys: Rule = {
  name: 'asked-keys',
  needs: ['keepsTables'],
  rewrite(node, { hints }) {
    if (node.kind === 'combine') return askedByLeader(node, leadingLeg(node), hints)
    if (node.kind === 'lookup') return askedByRows(node)
    const asked = mapKeptFacts(node, (facts, kept) => askedByLeader(facts, leadingLeg(facts, kept), hints))
    return asked === node ? undefined : asked
  },
}

function askedByRows(plan: Lookup): LogicalPlan | undefined {
  const chain = chainOf(plan)
  const named = chain.lookups.findIndex(({ from }) => from.kind === 'aggregate')
  if (named < 0) return undefined
  const rows = lookedUpFor(chain.rows, chain.lookups.slice(0, named))
  const lookups = chain.lookups.slice(named)
  const shared: Shared = { kind: 'shared', alias: plan.alias, input: rows, columns: columnsOf(rows) }
  const given = groupsIn(chain.rows)
  const asked = lookups.map((lookup) => (isWider(lookup, given) ? restrictable(lookup, shared.columns) : undefined))
  if (asked.every((from) => !from)) return undefined
  return lookups.reduce<LogicalPlan>((left, lookup, at) => {
    const from = asked[at]
    return { ...lookup, input: left, from: from ? ofAsked(from, lookup, shared) : lookup.from }
  }, shared)
}

/** The aggregations that make rows. */
function groupsIn(plan: LogicalPlan): readonly Aggregate[] {
  if (plan.kind === 'aggregate') return [plan]
  if (plan.kind === 'combine') return plan.legs.flatMap(({ input, contributesRows }) => (contributesRows ? groupsIn(input) : []))
  return inputsOf(plan).flatMap(groupsIn)
}

/** Whether values are of more groups than the rows need, because they lack a condition of each of the groups that the rows are made of. */
const isWider = ({ from, period }: Lookup, groups: readonly Aggregate[]): boolean =>
  from.kind === 'aggregate' && period === undefined && groups.length > 0 && groups.every((one) => lacksCondition(from, one))

/** A condition that a value exists does not count, because hardly any row fails it. */
function lacksCondition(own: Aggregate, other: Aggregate): boolean {
  const conditions = conditionsIn(own)
  return conditionsIn(other).some((one) => !isPresence(one) && !includesSame(conditions, one))
}

const conditionsIn = (plan: LogicalPlan): readonly RowExpr[] => [
  ...(plan.kind === 'filter' ? [plan.condition] : []),
  ...inputsOf(plan).flatMap(conditionsIn),
]

/** Facts of which one has every row that is kept; `undefined` if each of the others is needed completely. */
function askedByLeader(
  plan: Combine,
  leading: number | undefined,
  hints: Pick<PlannerHints, 'asksForKeys'>,
): LogicalPlan | undefined {
  const [made, ...more] = plan.making ?? []
  const leader = plan.legs[(more.length === 0 ? made : undefined) ?? leading ?? -1]
  if (!leader || more.length > 0) return undefined
  if (plan.making) return joinedToLeader(plan, leader)
  return hints.asksForKeys ? unitedWithLeader(plan, leader) : undefined
}

function joinedToLeader(plan: Combine, leader: Leg): LogicalPlan | undefined {
  const lookups = plan.legs.flatMap((leg) => (leg === leader ? [] : [lookedUp(leg, leader, plan.keys)]))
  const top = lookedUpFor(leader.input, lookups)
  return top.kind === 'lookup' ? askedByRows(top) : undefined
}

function unitedWithLeader(plan: Combine, leader: Leg): Combine | undefined {
  const limited = plan.legs.map((leg) => {
    const lookup = leg === leader ? undefined : lookedUp(leg, leader, plan.keys)
    const from = lookup && isWider(lookup, groupsIn(leader.input)) ? restrictableScan(lookup, plan.keys) : undefined
    return lookup && from && { lookup, from }
  })
  if (limited.every((one) => one === undefined)) return undefined
  const shared: Shared = {
    kind: 'shared',
    alias: leader.name,
    input: leader.input,
    columns: [...plan.keys, ...leader.values].map(({ name, type }) => ({ name, type })),
  }
  const legs = plan.legs.map((leg, i): Leg => {
    const one = limited[i]
    if (one) return { ...leg, input: ofAsked(one.from, one.lookup, shared) }
    return { ...leg, input: leg === leader ? shared : leg.input }
  })
  return { ...plan, legs }
}

/** The values of a leg, looked up for the rows of the leading one. */
const lookedUp = (leg: Leg, leader: Leg, keys: readonly RowColumn[]): Lookup => ({
  kind: 'lookup',
  alias: leader.name,
  input: leader.input,
  from: leg.input,
  keys: keys.map(({ name, type }) => ({ own: relationColumn('', name, type), theirs: name, type, nullSafe: true })),
  values: leg.values,
  reason: 'the values of another fact',
})

/** Groups by one key of joined tables, whose columns name their relation; with several keys, each alone would select little. */
function restrictable({ from, keys }: Lookup, rows: readonly RowColumn[]): Aggregate | undefined {
  const isKnown = keys.every(({ theirs }) => rows.some(({ name }) => name === theirs))
  if (keys.length !== 1 || !isKnown || from.kind !== 'aggregate' || !readsTables(from.input)) return undefined
  const isNamed = !tablesIn(from.keys[0]?.expression ?? TRUE).includes('')
  return from.keys.length === 1 && isNamed ? from : undefined
}

/**
 * Groups of all rows of one table. A planner knows how many these are. Where it expects few rows of a condition or of a join and there are many, it
 * compares each of them with each key.
 */
function restrictableScan(lookup: Lookup, rows: readonly RowColumn[]): Aggregate | undefined {
  const from = restrictable(lookup, rows)
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
  const label = { from: plainName(from.alias), to: alias, columns: [...asked], reason: right.reason }
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
