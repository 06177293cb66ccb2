import type { RowColumn } from '../bind/bound-block.js'
import type { BoundAggregateQuery, BoundGrouped } from '../bind/bound-query.js'
import { firstOf } from '../invariant.js'
import { INT } from '../model/data-type.js'
import { relationName } from '../resolve/aliases.js'
import type { RowExpr } from '../resolve/relation-column.js'
import { planAggregate, withMetrics } from './aggregate-query.js'
import { displayed, sorted } from './answer.js'
import { isNewKey, planInSets } from './block.js'
import { combine } from './combine.js'
import { type Flag, type GroupingSets, inGroupingSets } from './grouping-sets.js'
import { type Aggregate, type LogicalPlan, type PlannedLeg, plainAggregate, sameColumn } from './logical-plan.js'

interface Engine {
  readonly groupingSets: boolean
  readonly groupedExpressions: boolean
  readonly emptySets: boolean
  readonly repeatedKeys: boolean
  readonly rangeFrames: boolean
  readonly hashJoins: boolean
}

/**
 * Every level planned as a separate query, then united; if the engine has grouping sets and the query allows it, one aggregation of each
 * fact.
 */
export function planGrouped(grouped: BoundGrouped, engine: Engine): LogicalPlan {
  const { outputs, order } = grouped
  const rows = united(grouped, planLevels(grouped, engine))
  const as = (expression: RowExpr): RowExpr => expression
  return { kind: 'project', input: sorted(rows, order, as), alias: 'answer', columns: displayed(outputs, as) }
}

/** The levels that are one aggregation, and those that are planned alone: all, or the grand total, which has a row even over no rows. */
function planLevels(grouped: BoundGrouped, engine: Engine): readonly LogicalPlan[] {
  const isAlone = ({ dimensions }: BoundAggregateQuery): boolean => !engine.emptySets && dimensions.length === 0
  const { levels } = grouped
  const sets = setsOf({ ...grouped, levels: levels.filter((level) => !isAlone(level)) }, engine)
  const alone = sets ? levels.filter(isAlone) : levels
  const { rangeFrames, hashJoins } = engine
  return [...(sets ? [planSets(sets, engine)] : []), ...alone.map((level) => planAggregate(level, { rangeFrames, hashJoins }))]
}

function setsOf(grouped: BoundGrouped, { groupingSets, repeatedKeys }: Engine): GroupingSets | undefined {
  const found = groupingSets ? inGroupingSets(grouped) : undefined
  const hasRepeatedKey = found?.detail.legs.some(({ block }) => !block.groupBy.every(isNewKey))
  return hasRepeatedKey && !repeatedKeys ? undefined : found
}

function united({ levels }: BoundGrouped, inputs: readonly LogicalPlan[]): LogicalPlan {
  if (inputs.length === 1) return firstOf(inputs)
  const columns = firstOf(levels).outputs.map(({ name, type, displayAs }) => ({ name, type: displayAs ?? type }))
  return { kind: 'union', inputs, alias: 'levels', columns, reason: 'each subtotal level is recomputed from rows' }
}

/** Every fact of the detail level grouped by every set, with the flags of the set; several facts are joined by these flags, too. */
function planSets({ detail, sets, flags }: GroupingSets, { groupedExpressions }: Engine): LogicalPlan {
  const legs = detail.legs.map(({ block, contributesRows }): PlannedLeg => {
    const name = relationName(block.base, '_facts')
    return {
      input: withFlags(planInSets(block, { sets, alias: name, groupedExpressions }), flags),
      name,
      contributesRows,
      values: block.values,
      base: block.base,
    }
  })
  const keys = [...detail.dimensions, ...flags.map(({ name }) => ({ name, type: INT }))]
  return withMetrics(closed(combine(keys, legs, detail), [...keys, ...detail.values]), detail)
}

/** Where two keys are columns of one relation with equal values, an engine may confuse them in expressions over them, but not in plain reads. */
function closed(rows: LogicalPlan, columns: readonly RowColumn[]): LogicalPlan {
  if (rows.kind !== 'aggregate' || rows.input.kind !== 'project') return rows
  return {
    kind: 'project',
    input: rows,
    alias: 'answer_rows',
    columns: columns.map((c) => sameColumn(c)),
    stage: true,
  }
}

function withFlags(found: Aggregate, flags: readonly Flag[]): Aggregate {
  const grouping = flags.map(({ name, dimension }) => {
    const key = found.keys.find((k) => k.name === dimension)!
    return plainAggregate(name, 'grouping', [key.expression], INT)
  })
  const reason = `${found.reason}; every level in one aggregation`
  return { ...found, aggregates: [...found.aggregates, ...grouping], reason }
}
