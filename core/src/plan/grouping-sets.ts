import type { BoundAggregateQuery, BoundGrouped } from '../bind/bound-query.js'
import { INT } from '../model/data-type.js'
import { leavesOf } from '../model/expression/ast.js'
import type { Aliases } from '../resolve/aliases.js'
import { binary, integer } from '../resolve/expressions.js'
import { type RowExpr, relationColumn } from '../resolve/relation-column.js'
import { hasDimension, type Output, type ResolvedDimension } from '../resolve/resolved-query.js'
import { isSame } from '../same.js'

/** The levels of a question as sets of groups of one aggregation. */
export interface GroupingSets {
  /** The detail, of which every level groups by some of the dimensions; its outputs say by `flags` which ones. */
  readonly detail: BoundAggregateQuery
  /** By level: the names of the dimensions that it is grouped by. */
  readonly sets: readonly (readonly string[])[]
  readonly flags: readonly Flag[]
}

/** Whether a row is not grouped by a dimension, as 1 or 0 under a name. */
export interface Flag {
  readonly name: string
  readonly dimension: string
}

/**
 * The levels as one aggregation, where each of them aggregates the same rows to the same values: one fact, without anything that is looked
 * up, and without windows over the rows of a level.
 */
export function inGroupingSets({ levels }: BoundGrouped, names: Aliases): GroupingSets | undefined {
  const [detail] = levels
  if (!detail || levels.length < 2 || !levels.every((level) => isPlain(level) && isPartOf(level, detail))) return undefined
  const keys = detail.legs[0]!.block.groupBy
  // A key without a column is no key on every engine, and of two that read alike an engine knows but one.
  if (
    keys.some(
      ({ expression }, i) => leavesOf(expression).length === 0 || keys.some((k, j) => j < i && isSame(k.expression, expression)),
    )
  )
    return undefined
  const flags = detail.dimensions.map(({ name }): Flag => ({ name: names.column(`${name} (is total)`), dimension: name }))
  const outputs = detail.outputs.map((output, i) => merged(output, { at: i, levels, flags }))
  if (outputs.some((output) => output === undefined)) return undefined
  return {
    detail: { ...detail, outputs: outputs.filter((output) => output !== undefined) },
    sets: levels.map((level) => level.dimensions.map((d) => d.name)),
    flags,
  }
}

/** Aggregates that no engine has to be helped with. */
const AGGREGATES: ReadonlySet<string> = new Set(['sum', 'avg', 'min', 'max', 'count', 'count_if', 'count_distinct', 'any_value'])

/** One block over the rows of its base as they are, and expressions over its values. */
function isPlain(level: BoundAggregateQuery): boolean {
  const { legs, nested, totals, lookups, cumulative, folds, nestedOverRows, steps, fill, over } = level
  const besides = [nested, totals, lookups, cumulative, folds, nestedOverRows].some((parts) => parts.length > 0)
  if (legs.length !== 1 || besides || fill || over || steps.some((step) => step.kind === 'window')) return false
  const { from, onceBy, weight, semiAdditive, aggregates } = legs[0]!.block
  // With top values, a level groups by them and another reads all rows.
  const alone = from.bridges.length === 0 && !from.facts && !from.top && !onceBy && !weight && !semiAdditive
  return alone && aggregates.length > 0 && aggregates.every((a) => AGGREGATES.has(a.aggregate))
}

/** Aggregates the rows of the detail by some of its dimensions; it may leave out joins that only the others need. */
function isPartOf(level: BoundAggregateQuery, detail: BoundAggregateQuery): boolean {
  const [own, all] = [level.legs[0]!.block, detail.legs[0]!.block]
  return (
    level.dimensions.every((d) => hasDimension(detail.dimensions, d)) &&
    own.groupBy.every((key) => all.groupBy.some((k) => isSame(k, key))) &&
    isSame(own.from.base.start, all.from.base.start) &&
    own.from.base.joins.every((join) => all.from.base.joins.some((j) => isSame(j, join))) &&
    isSame(own.where, all.where) &&
    isSame(own.aggregates, all.aggregates) &&
    isSame(level.steps, detail.steps) &&
    isSame(level.having, detail.having)
  )
}

/** An output that reads alike on all levels, or is NULL on those without its dimension, or says which ones these are. */
function merged(
  output: Output,
  {
    at,
    levels,
    flags,
  }: { readonly at: number; readonly levels: readonly BoundAggregateQuery[]; readonly flags: readonly Flag[] },
): Output | undefined {
  const { expression } = output
  const others = levels.map((level) => level.outputs[at]!)
  if (!others.every((o) => isSame(o.type, output.type) && isSame(o.displayAs, output.displayAs))) return undefined
  if (others.every((o) => isSame(o.expression, expression))) return output
  const { dimensions } = levels[0]!
  if (expression.kind === 'literal') {
    const isFlag = (d: ResolvedDimension): boolean =>
      others.every((o, i) => isLiteral(o.expression, !hasDimension(levels[i]!.dimensions, d)))
    const flag = flags[dimensions.findIndex(isFlag)]
    return flag && { ...output, expression: binary('=', relationColumn('', flag.name, INT), integer(1)) }
  }
  const own = dimensions.find((d) => isSame(expression, relationColumn('', d.name, d.type)))
  const follows = (o: Output, level: BoundAggregateQuery): boolean =>
    hasDimension(level.dimensions, own!) ? isSame(o.expression, expression) : isNull(o.expression)
  return own && others.every((o, i) => follows(o, levels[i]!)) ? output : undefined
}

const isLiteral = (e: RowExpr, value: boolean): boolean => e.kind === 'literal' && e.value === value
const isNull = (e: RowExpr): boolean => e.kind === 'cast' && e.operand.kind === 'literal' && e.operand.value === null
