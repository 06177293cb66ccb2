import type { BoundAggregate, BoundBlock, BoundJoin, NamedExpr } from '../bind/bound-block.js'
import type { BoundAggregateQuery, BoundLookup } from '../bind/bound-query.js'
import { INT } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { allOf, binary, integer } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { isSame } from '../same.js'
import { type Aggregate, type NamedAggregate, type Shared, sameColumn } from './logical-plan.js'
import { isModelJoin, isPlainBlock } from './plain-block.js'

/** Distinct counts of a coarser block whose values are groups of the answer, with the row counts that a group needs for them. */
export interface CountedGroups {
  readonly lookup: BoundLookup
  readonly needed: readonly BoundAggregate[]
  /** The keys of groups that the counts read. */
  readonly reads: readonly string[]
  /** The counts, over the groups of the answer. */
  readonly over: (groups: Shared, alias: string) => Aggregate
}

/**
 * The lookups that count distinct values by which the only block of a query groups: these values are in its groups, so the rows need not be
 * read again. A value counts if a row of its group satisfies the conditions that the block of the groups lacks.
 */
export function countedGroups({ legs: [leg], lookups }: BoundAggregateQuery): readonly CountedGroups[] {
  if (!leg?.contributesRows || leg.over || !isPlain(leg.block)) return []
  const taken = [...leg.block.groupBy, ...leg.block.aggregates]
  return lookups.flatMap((lookup): CountedGroups[] => {
    const counted = lookup.shift === undefined ? countedIn(lookup.block, leg.block) : undefined
    if (!counted) return []
    const needs = counted.map(({ condition }, n) => condition && neededRows(freeName(`counted_${n + 1}`, taken), condition))
    const needed = needs.filter((one) => one !== undefined)
    taken.push(...needed)
    const over = (groups: Shared, alias: string): Aggregate => ({
      kind: 'aggregate',
      input: groups,
      alias,
      keys: lookup.block.groupBy.map((key) => sameColumn(key, groups.alias)),
      aggregates: counted.map(({ aggregate, keys }, n) => overGroups(aggregate, keys, needs[n], groups.alias)),
      reason: `${lookup.block.reason}, of the groups`,
    })
    const reads = [...lookup.block.groupBy, ...counted.flatMap(({ keys }) => keys)].map(({ name }) => name)
    return [{ lookup, needed, reads, over }]
  })
}

interface Counted {
  readonly aggregate: BoundAggregate
  /** The groups whose values it counts. */
  readonly keys: readonly NamedExpr[]
  readonly condition: RowExpr | undefined
}

/** `undefined` if a group does not contain the counted values, or if the groups have other rows. */
function countedIn(block: BoundBlock, groups: BoundBlock): readonly Counted[] | undefined {
  const own = conditionsBeside(block, groups)
  const isPart = block.groupBy.every((key) => groups.groupBy.some((group) => isSame(group, key)))
  if (!own || !isPart || !isPlain(block)) return undefined
  const counted = block.aggregates.map((aggregate): Counted | undefined => {
    const keys = aggregate.args.flatMap((arg) => groups.groupBy.find((group) => isSame(group.expression, arg.expression)) ?? [])
    const condition = allOf([...own, ...(aggregate.filter ? [aggregate.filter] : [])])
    return isDistinctCount(aggregate) && keys.length === aggregate.args.length ? { aggregate, keys, condition } : undefined
  })
  const found = counted.filter((one) => one !== undefined)
  return found.length === counted.length ? found : undefined
}

const isPlain = (block: BoundBlock): boolean => isPlainBlock(block) && block.aggregates.length > 0

const isDistinctCount = ({ aggregate, distinct, args, onlyWith, orderBy }: BoundAggregate): boolean =>
  (aggregate === 'count_distinct' || (aggregate === 'count' && distinct)) && args.length > 0 && !onlyWith && orderBy.length === 0

/** The conditions of the block in addition to those of the groups; `undefined` if its rows are not rows of the groups. */
function conditionsBeside(block: BoundBlock, groups: BoundBlock): readonly RowExpr[] | undefined {
  const [own, others] = [block.from.base, groups.from.base]
  const isOfSameRows =
    isSame(own.start, others.start) &&
    own.joins.every((join) => others.joins.some((other) => isSameJoin(join, other))) &&
    others.joins.every((join) => own.joins.some((other) => isSameJoin(join, other)) || addsNoRows(join)) &&
    groups.where.every(({ expression }) => block.where.some((one) => isSame(one.expression, expression)))
  if (!isOfSameRows) return undefined
  return block.where.flatMap(({ expression }) =>
    groups.where.some((one) => isSame(one.expression, expression)) ? [] : [expression],
  )
}

const isSameJoin = (a: BoundJoin, b: BoundJoin): boolean => a.type === b.type && isSame(a.right, b.right) && isSame(a.on, b.on)

/** A join of the model: at most one row, and none is lost. */
const addsNoRows = (join: BoundJoin): boolean => join.type === 'left' && isModelJoin(join)

/** How many rows of a group satisfy the condition. */
const neededRows = (name: string, filter: RowExpr): BoundAggregate => ({
  name,
  type: INT,
  aggregate: 'count',
  distinct: false,
  args: [],
  orderBy: [],
  percentile: undefined,
  delimiter: undefined,
  filter,
})

function overGroups(
  aggregate: BoundAggregate,
  keys: readonly NamedExpr[],
  needed: BoundAggregate | undefined,
  alias: string,
): NamedAggregate {
  const column = ({ name, type }: Pick<NamedExpr, 'name' | 'type'>): RowExpr => relationColumn(alias, name, type)
  return {
    ...aggregate,
    args: keys.map(column),
    filter: needed && binary<RelationColumn>('>', column(needed), integer(0)),
  }
}
