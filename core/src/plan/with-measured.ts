import type { BoundClosure } from '../bind/bound-block.js'
import type { BoundMeasured } from '../bind/bound-query.js'
import { madeOf, measuredColumn } from '../relation/relation.js'
import { planAggregate } from './aggregate-query.js'
import { planPartsOf } from './block.js'
import { filtered, planFound, planRows, planWindowed } from './from.js'
import { type LogicalPlan, staged } from './logical-plan.js'

/** The plan with what is computed of other rows before it, each after those that it reads. `within` begins their names. */
export const withMeasured = (plan: LogicalPlan, columns: readonly BoundMeasured[], within = ''): LogicalPlan =>
  columns.reduceRight<LogicalPlan>((input, { of, rows }) => {
    if (rows.kind === 'closure') return withPairs(input, rows, within)
    return {
      kind: 'measured',
      of,
      name: madeOf(`${within} ${measuredColumn(of)}`.trim(), ''),
      values: planValues(rows),
      input,
    }
  }, plan)

function withPairs(
  input: LogicalPlan,
  { object, of, rows, where, key, parent, maxDepth }: BoundClosure,
  within: string,
): LogicalPlan {
  const name = (suffix: string): string => madeOf(`${within} ${object}`.trim(), suffix)
  const conditions = where.map((expression) => ({ expression, reason: 'static filters choose the rows of the tree' }))
  const columns = [
    { name: 'key', ...key },
    { name: 'parent', ...parent },
  ]
  return {
    kind: 'pairs',
    object,
    of,
    nodes: staged(filtered(planRows(rows, planPartsOf()), conditions), name('_nodes'), columns),
    type: key.type,
    maxDepth,
    names: { pairs: name(''), tree: name('_pairs'), levels: name('_levels'), parents: name('_parents') },
    input,
  }
}

function planValues(rows: Exclude<BoundMeasured['rows'], BoundClosure>): LogicalPlan {
  switch (rows.kind) {
    case 'found':
      return planFound(rows, planPartsOf())
    case 'windowed':
      return planWindowed(rows, planPartsOf())
    default:
      return planAggregate(rows)
  }
}
