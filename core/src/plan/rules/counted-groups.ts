import { INT } from '../../model/data-type.js'
import { freeName } from '../../resolve/aliases.js'
import { allOf, binary, integer } from '../../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../../resolve/relation-column.js'
import { includesSame, isSame } from '../../same.js'
import {
  type Aggregate,
  type LogicalPlan,
  type Lookup,
  type NamedAggregate,
  type NamedExpr,
  plainAggregate,
  type Shared,
  sameColumn,
} from '../logical-plan.js'
import { chainOf, isByOwnKeys, lookedUpFor } from '../lookup-chain.js'
import { conditionsBeside, isOfSameRows, singleRowsOf } from '../same-rows.js'
import type { Rule } from './rule.js'
import { sharedGroups } from './shared-groups.js'
import { withJoinsOf } from './totals-of-groups.js'

/**
 * Distinct counts at a coarser grain, of values by which the rows are grouped: these values are in the groups, so that the rows need not be read again. A value counts
 * if a row of its group satisfies the conditions that the groups lack, which is counted with the groups.
 */
export const countedGroups: Rule = {
  name: 'counted-groups',
  needs: ['keepsTables'],
  drops: true,
  rewrite: (node) => (node.kind === 'lookup' ? withCounts(node) : undefined),
}

function withCounts(node: Lookup): LogicalPlan | undefined {
  const { rows, lookups } = chainOf(node)
  const window = rows.kind === 'window' ? rows : undefined
  const groups = window ? window.input : rows
  if (groups.kind !== 'aggregate') return undefined
  const taken = [...groups.keys, ...groups.aggregates]
  const found = lookups.map((lookup) => {
    const counted = isByOwnKeys(lookup) && lookup.from.kind === 'aggregate' ? countedIn(lookup.from, groups) : undefined
    if (!counted || lookup.from.kind !== 'aggregate') return { lookup, needed: [], over: undefined }
    const needs = counted.map(({ condition }, n) => condition && neededRows(freeName(`counted_${n + 1}`, taken), condition))
    const needed = needs.filter((one) => one !== undefined)
    taken.push(...needed)
    const from = lookup.from
    return { lookup, needed, over: (shared: Shared) => overGroups(from, counted, needs, shared) }
  })
  if (found.every(({ over }) => !over)) return undefined
  const counting = found.filter((one) => one.needed.length > 0)
  const joined = counting.reduce(
    (all, { lookup: { from } }) => (from.kind === 'aggregate' ? withJoinsOf(all, from) : all),
    groups,
  )
  const shared = sharedGroups({ ...joined, aggregates: [...groups.aggregates, ...counting.flatMap((one) => one.needed)] })
  const first = found.flatMap(({ lookup, over }) => (over ? [{ ...lookup, from: over(shared) }] : []))
  const others = found.flatMap(({ lookup, over }) => (over ? [] : [lookup]))
  return lookedUpFor(window ? { ...window, input: shared } : shared, [...first, ...others])
}

interface Counted {
  readonly aggregate: NamedAggregate
  /** The groups whose values it counts. */
  readonly keys: readonly NamedExpr[]
  readonly condition: RowExpr | undefined
}

/** `undefined` if a group does not contain the counted values, or if the groups have other rows. */
function countedIn(node: Aggregate, groups: Aggregate): readonly Counted[] | undefined {
  const own = conditionsOfSameRows(node, groups)
  if (!own || !node.keys.every((key) => includesSame(groups.keys, key)) || node.aggregates.length === 0) return undefined
  const counted = node.aggregates.map((aggregate): Counted | undefined => {
    const keys = aggregate.args.flatMap((arg) => groups.keys.find((group) => isSame(group.expression, arg)) ?? [])
    const condition = allOf([...own, ...(aggregate.filter ? [aggregate.filter] : [])])
    return isDistinctCount(aggregate) && keys.length === aggregate.args.length ? { aggregate, keys, condition } : undefined
  })
  const found = counted.filter((one) => one !== undefined)
  return found.length === counted.length ? found : undefined
}

const isDistinctCount = ({ aggregate, distinct, args, onlyWith, orderBy }: NamedAggregate): boolean =>
  (aggregate === 'count_distinct' || (aggregate === 'count' && distinct)) && args.length > 0 && !onlyWith && orderBy.length === 0

/** The conditions on the rows in addition to those of the groups; `undefined` if they are not rows of the groups. */
function conditionsOfSameRows(node: Aggregate, groups: Aggregate): readonly RowExpr[] | undefined {
  const [own, others] = [singleRowsOf(node), singleRowsOf(groups)]
  if (!own || !others || groups.aggregates.length === 0 || !isOfSameRows(own, others)) return undefined
  const [where, known] = [own.filters.map(({ condition }) => condition), others.filters.map(({ condition }) => condition)]
  return conditionsBeside(known, where).length > 0 ? undefined : conditionsBeside(where, known)
}

/** How many rows of a group satisfy the condition. */
const neededRows = (name: string, filter: RowExpr): NamedAggregate => ({ ...plainAggregate(name, 'count', [], INT), filter })

function overGroups(
  node: Aggregate,
  counted: readonly Counted[],
  needs: readonly (NamedAggregate | undefined)[],
  groups: Shared,
): Aggregate {
  const column = ({ name, type }: Pick<NamedExpr, 'name' | 'type'>): RowExpr => relationColumn(groups.alias, name, type)
  return {
    ...node,
    input: groups,
    keys: node.keys.map((key) => sameColumn(key, groups.alias)),
    aggregates: counted.map(({ aggregate, keys }, n) => {
      const needed = needs[n]
      return { ...aggregate, args: keys.map(column), filter: needed && binary<RelationColumn>('>', column(needed), integer(0)) }
    }),
    reason: `${node.reason}, of the groups`,
  }
}
