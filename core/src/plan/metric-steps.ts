import type { BoundAggregateQuery } from '../bind/bound-query.js'
import { leavesOf, mapLeaves } from '../model/expression/ast.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { ExpressionStep, MetricStep, WindowStep } from '../resolve/resolved-query.js'
import { type LogicalPlan, type NamedExpr, type NamedWindow, sameColumn } from './logical-plan.js'

const INLINE_LIMIT = 64

interface StepExpression {
  readonly expression: RowExpr
  /** The number of leaves when it is written inline. */
  readonly size: number
  /** The number of stages of computed metrics below. */
  readonly level: number
}

export interface Stepped {
  readonly plan: LogicalPlan
  /** An expression over the row set with metric steps written inline, or read from their stage. */
  readonly read: (expression: RowExpr) => RowExpr
}

/**
 * Metrics in dependency order. A small one is written inline; a large one is computed once, in a separate row set, so that the length of
 * the statement is linear in that of the model, however often metrics refer to each other.
 */
export function withSteps(
  rows: LogicalPlan,
  query: Pick<BoundAggregateQuery, 'steps' | 'outputs' | 'order' | 'having'>,
): Stepped {
  const steps = new Map(query.steps.map((step) => [step.name, step]))
  const written = new Map<string, StepExpression>()
  const levels: Level[] = []
  const writeOut = (name: string): StepExpression | undefined => {
    const known = written.get(name)
    const step = steps.get(name)
    if (known || !step) return known
    const made = step.kind === 'window' ? windowed(step) : inlined(step)
    written.set(name, made)
    return made
  }
  /** The expression with its parts written inline, its size, and the stage that it needs below it. */
  const compose = (expression: RowExpr): StepExpression => {
    let level = 0
    // Counted too where it only adds a constant: engines bound how deep an expression may go.
    let size = 1
    const composed: RowExpr = mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => {
      const part = writeOut(leaf.name)
      level = Math.max(level, part?.level ?? 0)
      size += part?.size ?? 1
      return part?.expression ?? leaf
    })
    return { expression: composed, size, level }
  }
  const inlined = (step: ExpressionStep): StepExpression => {
    const made = compose(step.expression)
    if (made.size <= INLINE_LIMIT) return made
    levelAt(levels, made.level).columns.push({ name: step.name, expression: made.expression, type: step.type })
    return computed(step, made.level)
  }
  const windowed = (step: WindowStep): StepExpression => {
    const { name, type, function: called, args, partitionBy, where } = step
    const read = [...args, ...partitionBy, ...step.orderBy.map((o) => o.expression), ...(where ? [where] : [])]
    const level = Math.max(0, ...read.map((e) => compose(e).level))
    const own = (e: RowExpr): RowExpr => compose(e).expression
    levelAt(levels, level).calls.push({
      name,
      type,
      function: called,
      args: args.map(own),
      partitionBy: partitionBy.map(own),
      orderBy: step.orderBy.map((o) => ({ ...o, expression: own(o.expression) })),
      ...(where && { where: own(where) }),
    })
    return computed(step, level)
  }
  for (const step of query.steps) writeOut(step.name)
  const read = (expression: RowExpr): RowExpr => {
    return mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => written.get(leaf.name)?.expression ?? leaf)
  }
  if (levels.length === 0) return { plan: rows, read }
  const shown = [...query.outputs, ...query.order].map((o) => read(o.expression))
  const asked = query.having ? [...shown, read(query.having)] : shown
  return {
    plan: computedLevels(
      rows,
      levels.map((level) => ({ ...level, alias: 'metrics' })),
      asked,
    ),
    read,
  }
}

interface Level {
  readonly columns: NamedExpr[]
  readonly calls: NamedWindow[]
}

interface NamedLevel extends Level {
  readonly alias: string
}

function levelAt(levels: Level[], level: number): Level {
  while (levels.length <= level) levels.push({ columns: [], calls: [] })
  return levels[level]!
}

const computed = ({ name, type }: MetricStep, level: number): StepExpression => ({
  expression: relationColumn('', name, type),
  size: 1,
  level: level + 1,
})

/** The stages, each with the values that it computes and those that later stages still read. */
function computedLevels(rows: LogicalPlan, levels: readonly NamedLevel[], asked: readonly RowExpr[]): LogicalPlan {
  const needed = neededAbove(levels, asked)
  return levels.reduce((input, { alias, columns, calls }, i): LogicalPlan => {
    const own = new Set([...columns, ...calls].map((c) => c.name))
    const carried = [...needed[i]!.values()].filter((leaf) => !own.has(leaf.name))
    const all = [...carried.map((leaf) => sameColumn(leaf)), ...columns]
    if (calls.length > 0) return { kind: 'window', input, alias, columns: all, calls }
    return { kind: 'project', input, alias, columns: all, stage: true }
  }, rows)
}

/** By stage: the columns that a later stage reads. */
function neededAbove(levels: readonly Level[], asked: readonly RowExpr[]): readonly ReadonlyMap<string, RelationColumn>[] {
  const needed: Map<string, RelationColumn>[] = []
  let above = columnsRead(asked)
  for (const [i, { columns, calls }] of [...levels.entries()].reverse()) {
    needed[i] = above
    const own = new Set([...columns, ...calls].map((c) => c.name))
    const passing = [...above].filter(([name]) => !own.has(name))
    const inCalls = calls.flatMap((c) => [
      ...c.args,
      ...c.partitionBy,
      ...c.orderBy.map((o) => o.expression),
      ...(c.where ? [c.where] : []),
    ])
    above = new Map([...passing, ...columnsRead([...columns.map((c) => c.expression), ...inCalls])])
  }
  return needed
}

const columnsRead = (expressions: readonly RowExpr[]): Map<string, RelationColumn> =>
  new Map(expressions.flatMap((e) => leavesOf<RelationColumn>(e)).map((leaf) => [leaf.name, leaf]))
