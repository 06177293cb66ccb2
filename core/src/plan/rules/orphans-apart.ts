import { leavesOf } from '../../model/expression/ast.js'
import { equalityOf } from '../../model/join-term.js'
import { madeOf } from '../../relation/relation.js'
import { isNull } from '../../resolve/expressions.js'
import { isKeyColumn } from '../../resolve/key-column.js'
import { type RelationColumn, type RowExpr, relationColumn, tablesIn } from '../../resolve/relation-column.js'
import { equal, expressionsOn } from '../../resolve/row-terms.js'
import { isSame } from '../../same.js'
import { columnsOf } from '../columns.js'
import { folded, isFolding } from '../folding.js'
import { planOf, relationOf } from '../joined-rows.js'
import { isModelJoin } from '../known-join.js'
import {
  type Aggregate,
  type Filter,
  type Join,
  type LogicalPlan,
  type NamedExpr,
  type Shared,
  sameColumn,
  type Union,
} from '../logical-plan.js'
import { chainOf, lookedUpFor } from '../lookup-chain.js'
import { type PlainRows, plainRowsOf } from '../plain-rows.js'
import { readBesideKeys } from '../read-beside-keys.js'
import { termsOf } from '../spans.js'
import type { PlanFacts, Rule } from './rule.js'

/**
 * Rows grouped by the key of an object that they refer to are grouped by their reference instead, where a condition keeps few of the groups. A reference that finds a row
 * of the object is its key, and its group is that of the key. All rows whose reference finds none are one group without a key: their groups are aggregated again, apart.
 * So no row is joined, only groups, and only those that the condition keeps.
 */
export const orphansApart: Rule = {
  name: 'orphans-apart',
  needs: ['keepsTables', 'hashJoins'],
  rephrases: true,
  rewrite: (node, facts) => (node.kind === 'filter' ? withOrphansApart(node, facts) : undefined),
}

function withOrphansApart(node: Filter, { typeOf }: PlanFacts): Filter | undefined {
  const { rows: groups, lookups } = chainOf(node.input)
  if (groups.kind !== 'aggregate' || !isOnValues(node.condition, groups)) return undefined
  if (!groups.aggregates.every((call) => !call.filter && isFolding(call, call.args.map(typeOf)))) return undefined
  const rows = plainRowsOf(groups)
  const found = rows && referenceOf(groups, rows)
  return found && { ...node, input: lookedUpFor(apart(groups, rows, found), lookups) }
}

/** Whether a part of the condition reads nothing but values of the groups. */
const isOnValues = (condition: RowExpr, { aggregates }: Aggregate): boolean =>
  termsOf(condition, 'and').some((part) => {
    const read = leavesOf<RelationColumn>(part)
    return read.length > 0 && read.every(({ table, name }) => table === '' && aggregates.some((call) => call.name === name))
  })

interface Reference {
  /** The only group: the key of the object. */
  readonly key: NamedExpr
  readonly join: Join
  /** The column of the rows that refers to it. */
  readonly from: RelationColumn
}

/** The join to an object of which only the key is read, by which the rows are grouped. */
function referenceOf(groups: Aggregate, rows: PlainRows): Reference | undefined {
  const [key, ...more] = groups.keys
  if (!key || more.length > 0 || !isKeyColumn(key.expression)) return undefined
  const { table } = key.expression
  const { joins } = rows
  const join = joins.find((one) => relationOf(one) === table)
  const [pair, ...pairs] = (join && isModelJoin(join) && equalityOf(join.on)) || []
  if (join?.type !== 'left' || !pair || pairs.length > 0 || !isSame(pair.to, key.expression)) return undefined
  const others = joins.flatMap((one) => (one === join ? [] : expressionsOn(one.on)))
  const isRead = [...readBesideKeys(groups, rows), ...others].some((one) => tablesIn(one).includes(table))
  return isRead || !isKeyColumn(pair.from) || pair.from.type.kind !== key.type.kind ? undefined : { key, join, from: pair.from }
}

function apart(groups: Aggregate, rows: PlainRows, { key, join, from }: Reference): Union {
  const alias = madeOf(rows.start.object, '_by_reference')
  const input: Aggregate = {
    ...groups,
    alias,
    input: planOf({ ...rows, joins: rows.joins.filter((one) => one !== join) }),
    keys: [{ ...key, expression: from }],
    reason: `${groups.reason}, of each reference`,
  }
  const columns = columnsOf(groups)
  const referring: Shared = { kind: 'shared', alias, input, columns }
  const reference = relationColumn(alias, key.name, key.type)
  const on = [equal<RelationColumn>(reference, key.expression)]
  const joined = (type: 'inner' | 'left'): Join => ({ ...join, type, left: referring, on })
  const known: LogicalPlan = {
    kind: 'project',
    input: joined('inner'),
    alias: groups.alias,
    columns: columns.map((column) => sameColumn(column, alias)),
  }
  const orphans: LogicalPlan = {
    ...groups,
    input: {
      kind: 'filter',
      input: joined('left'),
      condition: isNull(key.expression),
      reason: 'rows that refer to none are one group',
    },
    aggregates: groups.aggregates.map((call) => folded(call, relationColumn(alias, call.name, call.type))),
  }
  return {
    kind: 'union',
    alias: groups.alias,
    inputs: [known, orphans],
    columns,
    reason: 'the groups of keys, and that of all rows without one',
  }
}
