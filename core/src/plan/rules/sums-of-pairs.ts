import { leavesOf, mapLeaves } from '../../model/expression/ast.js'
import { madeOf } from '../../relation/relation.js'
import { freeName } from '../../resolve/aliases.js'
import { isKeyColumn } from '../../resolve/key-column.js'
import { type RelationColumn, type RowExpr, readsAny, relationColumn } from '../../resolve/relation-column.js'
import { expressionsOn, mapTerms } from '../../resolve/row-terms.js'
import { isSame, unlike } from '../../same.js'
import { folded, isFolding } from '../folding.js'
import { type JoinedRows, joinedRowsOf, planOf, relationOf } from '../joined-rows.js'
import { isKnownJoin } from '../known-join.js'
import type { Aggregate, Join, NamedExpr } from '../logical-plan.js'
import type { PlanFacts, Rule } from './rule.js'

/**
 * The aggregation by the column that finds the pairs of a closure first, and of the result by what is read of the pairs: all rows with one value find the same
 * pairs. A row of a deep tree is above many, so that far fewer rows are joined to the pairs.
 */
export const sumsOfPairs: Rule = {
  name: 'sums-of-pairs',
  needs: ['hashJoins'],
  rewrite: (node, facts) => (node.kind === 'aggregate' ? withSumsOfPairs(node, facts) : undefined),
}

function withSumsOfPairs(node: Aggregate, { typeOf }: Pick<PlanFacts, 'typeOf'>): Aggregate | undefined {
  const rows = joinedRowsOf(node.input)
  const pairs = rows.joins.filter(isOfPairs)
  const [join] = pairs
  const others = rows.joins.filter((one) => one !== join)
  const isPlain = others.every((one) => one.findsOne === true && isKnownJoin(one)) && rows.start.kind === 'scan' && !node.sets
  if (!join || pairs.length > 1 || !isPlain || !isKnownJoin(join)) return undefined
  const isFolded = node.aggregates.length > 0 && node.aggregates.every((one) => isFolding(one, one.args.map(typeOf)))
  return isFolded ? inTwoSteps(node, rows, join) : undefined
}

/** The pairs themselves: a row finds several. */
const isOfPairs = ({ right, findsOne }: Join): boolean => right.kind === 'scan' && right.source.kind === 'closure' && !findsOne

function inTwoSteps(node: Aggregate, { start, joins, filters }: JoinedRows, join: Join): Aggregate | undefined {
  const table = new Set([relationOf(join)])
  const isOf = (e: RowExpr): boolean => readsAny(e, table)
  const isOnly = (e: RowExpr): boolean => leavesOf<RelationColumn>(e).every((leaf) => table.has(leaf.table))
  const groups = node.keys.filter(({ expression }) => isOf(expression))
  const own = node.keys.filter((key) => !groups.includes(key))
  const before = joins.filter((one) => one !== join)
  const finding = unlike(
    expressionsOn(join.on)
      .flatMap((one) => leavesOf<RelationColumn>(one))
      .filter((leaf) => !table.has(leaf.table)),
  )
  const read = [
    ...node.aggregates.flatMap(({ args, filter, onlyWith }) => [...args, filter ?? [], onlyWith ?? []].flat()),
    ...before.flatMap(({ on }) => expressionsOn(on)),
  ]
  const isApart = [...groups.map(({ expression }) => expression), ...filters.map(({ condition }) => condition)].every(
    (e) => !isOf(e) || isOnly(e),
  )
  // Other groups may be almost as many as rows.
  if (groups.length === 0 || own.length > 0 || !isApart || read.some(isOf) || finding.length === 0 || !finding.every(isKeyColumn))
    return undefined
  const keys = finding.map(
    (column, at): NamedExpr => ({ name: freeName(`key_${at + 1}`, node.aggregates), type: column.type, expression: column }),
  )
  const input = planOf({ start, joins: before, filters: filters.filter(({ condition }) => !isOf(condition)) })
  const first: Aggregate = { ...node, input, alias: madeOf(start.kind === 'scan' ? start.object : '', '_by_key'), keys }
  const column = ({ name, type }: Pick<NamedExpr, 'name' | 'type'>): RelationColumn => relationColumn(first.alias, name, type)
  const keyOf = (leaf: RelationColumn): RelationColumn => {
    const key = keys.find((one) => isSame(one.expression, leaf))
    return key ? column(key) : leaf
  }
  const found: Join = { ...join, on: mapTerms(join.on, (one) => mapLeaves<RelationColumn, RelationColumn>(one, keyOf)) }
  return {
    ...node,
    input: planOf({ start: first, joins: [found], filters: filters.filter(({ condition }) => isOf(condition)) }),
    aggregates: node.aggregates.map((call) => folded(call, column(call))),
    reason: `${node.reason}, of each key`,
  }
}
