import { mapLeaves } from '../model/expression/ast.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { AggregateQuery, MetricStep } from '../resolve/resolved-query.js'
import type { LogicalPlan, NamedExpr } from './logical-plan.js'
import type { RowsContext } from './rows.js'

const INLINE_LIMIT = 64

interface Written {
  readonly expression: RowExpr
  /** Leaves when written out. */
  readonly size: number
  /** How many stages of computed metrics lie below. */
  readonly level: number
}

export interface Stepped {
  readonly plan: LogicalPlan
  /** An expression over the row set with metric steps written out, or read where they were computed. */
  readonly read: (expression: RowExpr) => RowExpr
}

/**
 * Metrics in dependency order. A small one is written out where it is read; a large one is computed once, in a row set of its own,
 * so that the statement stays as long as the model, however often metrics refer to each other.
 */
export function withSteps(rows: LogicalPlan, query: AggregateQuery, context: RowsContext): Stepped {
  const steps = new Map(query.steps.map((step) => [step.name, step]))
  const written = new Map<string, Written>()
  const levels: NamedExpr[][] = []
  const writeOut = (name: string): Written | undefined => {
    const known = written.get(name)
    const step = steps.get(name)
    if (known || !step) return known
    let level = 0
    let size = 0
    const expression: RowExpr = mapLeaves<RelationColumn, RelationColumn>(step.expression, (leaf) => {
      const part: Written | undefined = writeOut(leaf.name)
      level = Math.max(level, part?.level ?? 0)
      size += part?.size ?? 1
      return part?.expression ?? leaf
    })
    const made: Written = size <= INLINE_LIMIT ? { expression, size, level } : computed(step, expression, level)
    written.set(name, made)
    return made
  }
  const computed = (step: MetricStep, expression: RowExpr, level: number) => {
    levels[level] = [...(levels[level] ?? []), { name: step.name, expression, type: step.type }]
    return { expression: relationColumn('', step.name, step.type), size: 1, level: level + 1 }
  }
  for (const step of query.steps) writeOut(step.name)
  const read = (expression: RowExpr): RowExpr => {
    if ((expression as RelationColumn).kind === 'column')
      return written.get((expression as RelationColumn).name)?.expression ?? expression
    return mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => written.get(leaf.name)?.expression ?? leaf)
  }
  return { plan: computedLevels(rows, levels, query, context), read }
}

function computedLevels(
  rows: LogicalPlan,
  levels: readonly (readonly NamedExpr[])[],
  query: AggregateQuery,
  context: RowsContext,
): LogicalPlan {
  const carried: NamedExpr[] = [...query.dimensions, ...query.atoms].map(({ name, type }) => ({
    name,
    type,
    expression: relationColumn('', name, type),
  }))
  return levels.reduce((input, level) => {
    const plan: LogicalPlan = {
      kind: 'project',
      input,
      alias: context.aliases.derived('metrics'),
      columns: [...carried, ...level],
      stage: true,
    }
    carried.push(...level.map(({ name, type }) => ({ name, type, expression: relationColumn('', name, type) })))
    return plan
  }, rows)
}
