import type { BoundAggregate, BoundBlock, BoundBridge, NamedExpr, RowColumn, TypedExpr } from '../bind/bound-block.js'
import type { BoundAggregateQuery } from '../bind/bound-query.js'
import { firstOf, zip } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { freeName, relationName } from '../resolve/aliases.js'
import { allOf, integer, isNotNull, onlyWhere } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { includesSame, isSame } from '../same.js'
import { planUntaken } from './block.js'
import { folded, isFolding } from './folding.js'
import { type Aggregate, type PlannedLeg, plainAggregate, sameColumn } from './logical-plan.js'
import { neededBy } from './null-rejecting.js'
import { linksOf, pairsOf } from './pairs-of-rows.js'
import { isPlainBlock } from './plain-block.js'

/** Two facts: each row of one refers to at most one row of the other, which counts in each group of the rows that refer to it. */
interface Referring {
  /** The rows that refer, with the row that each refers to. */
  readonly block: BoundBlock
  readonly referred: Referred
}

/** What is read of the rows that are referred to, over the rows of the other fact. */
interface Referred {
  readonly base: string
  readonly aggregates: readonly BoundAggregate[]
  /** The key of the rows, without columns that are groups. */
  readonly keys: readonly NamedExpr[]
  /** A column that is NULL if a row refers to none. */
  readonly found: RowExpr
  readonly alias: string
}

/**
 * Two facts over the rows of one, if the other is limited to rows that it refers to: the conditions and the groups of both are then those of
 * the same pairs of rows. The pairs are aggregated by the groups and the row that is referred to, which thus counts once in each group, and
 * then by the groups. `undefined` if the facts do not have the same pairs, or if a total of parts is not the total of all rows.
 */
export function planReferringFacts(query: BoundAggregateQuery): PlannedLeg | undefined {
  const { legs, nested, lookups, cumulative, folds, nestedOverRows, dimensions } = query
  const besides = [nested, lookups, cumulative, folds, nestedOverRows].some((parts) => parts.length > 0)
  if (besides || dimensions.length === 0 || legs.length !== 2) return undefined
  if (legs.some((leg) => !leg.contributesRows || leg.over)) return undefined
  const referred = legs.find(({ block }) => block.onceBy)?.block
  const fact = legs.find(
    ({ block }) =>
      isPlainBlock(block) &&
      block.aggregates.every((one) =>
        isFolding(
          one,
          one.args.map(({ type }) => type),
        ),
      ),
  )?.block
  const found = referred && fact && referringTo(referred, fact)
  if (!found) return undefined
  const values = legs.flatMap(({ block }) => block.values)
  const name = relationName(fact.base, '_facts')
  return { input: inTwoSteps(found, name), name, contributesRows: true, values, base: fact.base, where: fact.where }
}

function inTwoSteps({ block, referred }: Referring, alias: string): Aggregate {
  const keys: NamedExpr[] = [...block.groupBy]
  const carry = (name: string, read: TypedExpr): NamedExpr => {
    const known = keys.find(({ expression }) => isSame(expression, read.expression))
    if (known) return known
    const added = { name: freeName(name, [...keys, ...block.aggregates]), ...read }
    keys.push(added)
    return added
  }
  for (const { name, expression, type } of referred.keys) carry(name, { expression, type })
  const inputs = referred.aggregates.map((one, at) => carry(`value_${at + 1}`, inputOf(one, referred)))
  const pairs = planUntaken({ ...block, groupBy: keys }, relationName(referred.base, '_once'))
  const column = ({ name, type }: RowColumn): RowExpr => relationColumn(pairs.alias, name, type)
  const ofReferred = zip(referred.aggregates, inputs).map(([{ name, type, aggregate, distinct }, input]) => ({
    ...plainAggregate(name, aggregate, [column(input)], type),
    distinct,
  }))
  return {
    kind: 'aggregate',
    input: pairs,
    alias,
    keys: block.groupBy.map((key) => sameColumn(key, pairs.alias)),
    aggregates: [...pairs.aggregates.map((part) => folded(part, column(part))), ...ofReferred],
    reason: `${block.reason}, and each row of '${referred.base}' once in each of its groups`,
  }
}

/** What an aggregate reads of a row that is referred to: NULL if the row does not count, or if there is none. */
function inputOf({ args, filter }: BoundAggregate, { alias, found }: Referred): TypedExpr {
  const [arg = { expression: integer(1), type: INT }] = args
  const { expression, type } = arg
  const isAbsentAlone = expression.kind === 'column' && expression.table === alias
  const conditions = [...(isAbsentAlone ? [] : [isNotNull(found)]), ...(filter ? [filter] : [])]
  return { expression: onlyWhere(allOf(conditions), expression), type }
}

/** Aggregates that ignore NULL and do not depend on the order of rows. */
const IGNORES_NULL: ReadonlySet<string> = new Set(['sum', 'count', 'count_distinct', 'min', 'max', 'avg'])

const isReadOnce = ({ aggregate, args, orderBy, onlyWith }: BoundAggregate): boolean =>
  IGNORES_NULL.has(aggregate) &&
  args.length < 2 &&
  (args.length > 0 || aggregate === 'count') &&
  // What is read is a group of the first step, and not every engine compares documents.
  args.every(({ type }) => type.kind !== 'json') &&
  orderBy.length === 0 &&
  !onlyWith

/** The rows of a fact with those of the other that they refer to; `undefined` if the two facts are not over the same pairs. */
function referringTo(referred: BoundBlock, fact: BoundBlock): Referring | undefined {
  const { onceBy, from, aggregates } = referred
  const [bridge] = from.bridges
  if (!onceBy || !bridge || !isLinkedBy(bridge, referred) || !aggregates.every(isReadOnce)) return undefined
  const pairs = pairsOf(fact, { rows: from.base, bridge })
  if (!pairs) return undefined
  const { joins, read, alike, alias } = pairs
  const groups = referred.groupBy.map((group) => ({ ...group, expression: alike(read(group.expression)) }))
  const wanted = fact.groupBy.map((group) => ({ ...group, expression: alike(group.expression) }))
  const conditions = [...referred.where.map(({ expression }) => expression), ...bridge.where].map((one) => alike(read(one)))
  const others = fact.where.map(({ expression }) => alike(expression))
  if (!isSame(groups, wanted) || !isSameSet(conditions, others)) return undefined
  const key = onceBy.map((one) => ({ ...one, expression: read(one.expression) }))
  return {
    block: { ...fact, from: { ...fact.from, base: { ...fact.from.base, joins } } },
    referred: {
      base: referred.base,
      aggregates: aggregates.map(({ args, filter, ...aggregate }) => ({
        ...aggregate,
        args: args.map((arg) => ({ ...arg, expression: read(arg.expression) })),
        filter: filter && read(filter),
      })),
      keys: key.filter(({ expression }) => !wanted.some((group) => isSame(group.expression, alike(expression)))),
      found: firstOf(key).expression,
      alias,
    },
  }
}

/** Whether a fact has only rows to which rows of the bridge refer by its key: a condition needs a row of the bridge, or one that is joined to it. */
function isLinkedBy(
  { relation, rows, on }: BoundBridge,
  { onceBy = [], weight, semiAdditive, from, where }: BoundBlock,
): boolean {
  if (relation || weight || semiAdditive || from.facts || from.top || from.bridges.length > 1) return false
  const { alias } = from.base.start
  const names = linksOf(on, alias)?.map(({ name }) => name)
  const isPart = ({ expression: e }: NamedExpr): boolean =>
    e.kind === 'column' && e.table === alias && names?.includes(e.name) === true
  const isByKey = names?.length === onceBy.length && onceBy.every(isPart)
  const ofBridge = [rows.start, ...rows.joins.map(({ right }) => right)].map((one) => one.alias)
  return isByKey && where.some(({ expression }) => ofBridge.some((one) => neededBy(expression).has(one)))
}

const isSameSet = (a: readonly RowExpr[], b: readonly RowExpr[]): boolean =>
  a.every((one) => includesSame(b, one)) && b.every((one) => includesSame(a, one))
