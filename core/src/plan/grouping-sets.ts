import type { BoundBlock } from '../bind/bound-block.js'
import type { BoundAggregateQuery, BoundGrouped } from '../bind/bound-query.js'
import { firstOf, itemAt, zip } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { freeName } from '../resolve/aliases.js'
import { binary, integer } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { hasDimension, type Output, type ResolvedDimension } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'
import { isPlainBlock } from './plain-block.js'

/** The levels of a query as grouping sets of one aggregation. */
export interface GroupingSets {
  /** The detail level; every level groups by some of its dimensions, and its outputs indicate them by `flags`. */
  readonly detail: BoundAggregateQuery
  /** By level: the names of its dimensions. */
  readonly sets: readonly (readonly string[])[]
  readonly flags: readonly Flag[]
}

/** Whether a row is not grouped by a dimension, as 1 or 0 under a name. */
export interface Flag {
  readonly name: string
  readonly dimension: string
}

/**
 * The levels as one aggregation of each fact, if each level aggregates the same rows to the same values: without lookups, and without
 * windows over the rows of a level.
 */
export function inGroupingSets({ levels }: BoundGrouped): GroupingSets | undefined {
  const [detail] = levels
  if (!detail || levels.length < 2 || !levels.every((level) => isPlain(level) && isPartOf(level, detail))) return undefined
  const columns = [...detail.dimensions, ...detail.values, ...detail.steps]
  const flags = detail.dimensions.map(({ name }): Flag => ({ name: freeName(`${name} (is total)`, columns), dimension: name }))
  const outputs = detail.outputs.map((output, i) => merged(output, { at: i, levels, flags }))
  if (outputs.some((output) => output === undefined)) return undefined
  return {
    detail: { ...detail, outputs: outputs.filter((output) => output !== undefined) },
    sets: levels.map((level) => level.dimensions.map((d) => d.name)),
    flags,
  }
}

/** Aggregates that are the same in every engine's grouping sets. */
const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'count', 'count_if', 'count_distinct', 'any_value'])

/** Blocks directly over the rows of their bases, and expressions over their values. */
function isPlain({
  legs,
  nested,
  totals,
  lookups,
  cumulative,
  folds,
  nestedOverRows,
  steps,
  fill,
  over,
}: BoundAggregateQuery): boolean {
  const besides = [nested, totals, lookups, cumulative, folds, nestedOverRows].some((parts) => parts.length > 0)
  if (besides || fill || over || steps.some((step) => step.kind === 'window')) return false
  return legs.length > 0 && legs.every((leg) => isOfSets(leg.block))
}

/** With top values, a level groups by them and another reads all rows. */
const isOfSets = (block: BoundBlock): boolean =>
  isPlainBlock(block) && block.aggregates.length > 0 && block.aggregates.every((a) => AGGREGATES.has(a.aggregate))

/** Aggregates the rows of the detail level by some of its dimensions, fact by fact. */
function isPartOf(level: BoundAggregateQuery, detail: BoundAggregateQuery): boolean {
  return (
    level.dimensions.every((d) => hasDimension(detail.dimensions, d)) &&
    level.legs.length === detail.legs.length &&
    zip(level.legs, detail.legs).every(
      ([own, all]) => own.contributesRows === all.contributesRows && isSameRows(own.block, all.block),
    ) &&
    isSame(level.steps, detail.steps) &&
    isSame(level.having, detail.having)
  )
}

/** The same rows and values for some of the groups; joins that only the other groups need, and that keep every row, may be left out. */
function isSameRows(own: BoundBlock, all: BoundBlock): boolean {
  const [ownRows, allRows] = [own.from.base, all.from.base]
  return (
    own.groupBy.every((key) => all.groupBy.some((k) => isSame(k, key))) &&
    isSame(ownRows.start, allRows.start) &&
    ownRows.joins.every((join) => allRows.joins.some((j) => isSame(j, join))) &&
    allRows.joins.every((join) => join.type === 'left' || ownRows.joins.some((j) => isSame(j, join))) &&
    isSame(own.where, all.where) &&
    isSame(own.aggregates, all.aggregates)
  )
}

/** An output that is equal on all levels, or NULL on those without its dimension, or a flag. */
function merged(
  output: Output,
  {
    at,
    levels,
    flags,
  }: { readonly at: number; readonly levels: readonly BoundAggregateQuery[]; readonly flags: readonly Flag[] },
): Output | undefined {
  const { expression } = output
  const others = levels.map((level) => itemAt(level.outputs, at))
  if (!others.every((o) => isSame(o.type, output.type) && isSame(o.displayAs, output.displayAs))) return undefined
  if (others.every((o) => isSame(o.expression, expression))) return output
  const { dimensions } = firstOf(levels)
  if (expression.kind === 'literal') {
    const isFlag = (d: ResolvedDimension): boolean =>
      zip(others, levels).every(([o, level]) => isLiteral(o.expression, !hasDimension(level.dimensions, d)))
    const flag = flags[dimensions.findIndex(isFlag)]
    return flag && { ...output, expression: binary('=', relationColumn('', flag.name, INT), integer(1)) }
  }
  const own = dimensions.find((d) => isSame(expression, relationColumn('', d.name, d.type)))
  if (!own) return undefined
  const follows = ([o, level]: readonly [Output, BoundAggregateQuery]): boolean =>
    hasDimension(level.dimensions, own) ? isSame(o.expression, expression) : isNull(o.expression)
  return zip(others, levels).every(follows) ? output : undefined
}

const isLiteral = (e: RowExpr, value: boolean): boolean => e.kind === 'literal' && e.value === value
const isNull = (e: RowExpr): boolean => e.kind === 'cast' && e.operand.kind === 'literal' && e.operand.value === null
