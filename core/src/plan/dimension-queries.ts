import type { BoundBlock } from '../bind/bound-block.js'
import type { BoundDimensionRows, BoundExclude } from '../bind/bound-query.js'
import { firstOf, zip } from '../invariant.js'
import { mapLeaves } from '../model/expression/ast.js'
import { madeOf } from '../relation/relation.js'
import { isNotNull, isNull } from '../resolve/expressions.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { ResolvedDimension } from '../resolve/resolved-query.js'
import { equal } from '../resolve/row-terms.js'
import { blockLookup } from './aggregate-query.js'
import { displayed, sorted } from './answer.js'
import { planBlock, planBlockRows } from './block.js'
import { type LogicalPlan, type PlannedLeg, sameColumn, staged } from './logical-plan.js'

/** The product of the values of each dimension, minus the existing tuples. */
export function planExclude({ dimensions, values, occurring, outputs, order, lookups }: BoundExclude): LogicalPlan {
  const found = zip(dimensions, values).map(([d, query], i) => valuesOf(d, query, i + 1))
  const nowhere = { from: '', to: '', columns: [] }
  const label = { ...nowhere, reason: 'every combination of the values' }
  const product = found.map((v) => v.plan).reduce((left, right) => ({ kind: 'join', type: 'cross', left, right, on: [], label }))
  const tuples = united(dimensions, occurring)
  const alias = 'occurring'
  const columns = dimensions.map((d) => sameColumn(d))
  const right: LogicalPlan = { kind: 'project', input: tuples, alias, columns, stage: true }
  const on = zip(dimensions, found).map(([d, { column }]) => equal<RelationColumn>(column, relationColumn(alias, d.name, d.type)))
  const first = firstOf(dimensions)
  const joined: LogicalPlan = {
    kind: 'join',
    type: 'left',
    left: product,
    right,
    on,
    label: { ...nowhere, reason: 'looked up among the combinations that occur' },
  }
  const condition = isNull<RelationColumn>(relationColumn(alias, first.name, first.type))
  const input: LogicalPlan = { kind: 'filter', input: joined, condition, reason: 'combinations that never occur' }
  const read = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(
      expression,
      (leaf) => found.find((v) => v.column.name === leaf.name)?.column ?? leaf,
    )
  if (lookups.length === 0)
    return { kind: 'project', input: sorted(input, order, read), alias: 'answer', columns: displayed(outputs, read) }
  const rows: LogicalPlan = staged(
    input,
    'answer_rows',
    dimensions.map((d) => ({ ...sameColumn(d), expression: read(relationColumn('', d.name, d.type)) })),
  )
  const as = (expression: RowExpr): RowExpr => expression
  const ordered = lookups.reduce<LogicalPlan>((left, lookup) => blockLookup(left, lookup), rows)
  return { kind: 'project', input: sorted(ordered, order, as), alias: 'answer', columns: displayed(outputs, as) }
}

function valuesOf(
  dimension: ResolvedDimension,
  blocks: readonly BoundBlock[],
  place: number,
): { readonly plan: LogicalPlan; readonly column: RelationColumn } {
  const { name, type, label } = dimension
  const alias = madeOf(label, '_values', [`${place}`])
  const input: LogicalPlan = {
    kind: 'filter',
    input: united([dimension], blocks),
    condition: isNotNull<RelationColumn>(relationColumn('', name, type)),
    reason: 'NULL is no value to combine',
  }
  const plan: LogicalPlan = { kind: 'project', input, alias, columns: [sameColumn(dimension)], stage: true }
  return { plan, column: relationColumn(alias, name, type) }
}

/** Tuples of several objects, each once. */
function united(dimensions: readonly ResolvedDimension[], blocks: readonly BoundBlock[]): LogicalPlan {
  const legs = blocks.map((block): PlannedLeg => {
    const name = madeOf(block.base, '_tuples')
    return { input: planBlock(block, name), name, contributesRows: true, values: [], base: block.base }
  })
  if (legs.length === 1) return firstOf(legs).input
  return {
    kind: 'combine',
    alias: 'combined',
    keys: dimensions.map(({ name, type }) => ({ name, type })),
    legs,
    reason: 'tuples of every object that holds them',
  }
}

/** The dimensions of every row of an object, repeated if rows share them. */
export function planDimensionRows({ block, outputs }: BoundDimensionRows): LogicalPlan {
  const rows = planBlockRows(block)
  const read = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => relationColumn(rows.alias, leaf.name, leaf.type))
  return { kind: 'project', input: rows.plan, alias: 'answer', columns: displayed(outputs, read) }
}
