/** A measure that is a column of an object, as a query by the key of the object. No condition or pin of another query is inside. */
import { entryOf, lastOf } from '../invariant.js'
import type { ColumnRef, Expr } from '../model/expression/ast.js'
import { isInner, isLiteral, mapLeaves } from '../model/expression/ast.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { MeasureSource, SemanticModel } from '../model/semantic-model.js'
import { columnNamer } from './aliases.js'
import type { TimeContext } from './clock.js'
import { dimensionOutput } from './dimension-output.js'
import { integer, typedNull } from './expressions.js'
import { JoinGraph, joinGraph } from './join-graph.js'
import type { RelationColumn, RowExpr } from './relation-column.js'
import {
  type AggregateQuery,
  columnOf,
  type Output,
  objectOf,
  type ResolveContext,
  type ResolvedAggregate,
  type ResolvedDimension,
} from './resolved-query.js'
import { conditionsOf } from './row-conditions.js'
import { RowSet } from './row-set.js'
import type { RowSetContext } from './row-set-context.js'

interface Context {
  readonly model: SemanticModel
  readonly time: TimeContext
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
  readonly warn: ResolveContext['warn']
}

export interface MeasureQuery {
  /** Its outputs are the key, in order, and the value. */
  readonly query: AggregateQuery
  /** The value of a row to which nothing belongs; `undefined` for NULL. */
  readonly empty: RowExpr | undefined
  /** Whether it is a count, which is NULL only where there is no row. */
  readonly isCount: boolean
}

export function measureQuery({ object, column }: ColumnRef, { measure, pins }: MeasureSource, context: Context): MeasureQuery {
  const { model, time, functions, aggregates, warn } = context
  const path = `dataObjects.${object}.columns.${column}.measure`
  const graph = joinGraph(
    model,
    pins.map((pin, i) => ({ ...pin, path: `dataObjects.${object}.columns.${column}.usePathNames[${i}]` })),
  )
  const columnNames = new Set<string>()
  const columnName = columnNamer(columnNames)
  const dimensions = objectOf(model, object).key.map((name, i) =>
    keyDimension({ kind: 'column', object, column: name }, i, { model, columnName, path }),
  )
  const shared = {
    kind: 'aggregate',
    ...{ fill: undefined, order: [], having: undefined, fanOut: false, everyRowOf: undefined },
    ...{ model, graph, time, strictFilters: false, warnings: [], columnNames, clockUnits: [], rowsOf: undefined },
    ...{ limit: undefined, offset: undefined },
  } as const
  const rows: RowSetContext = {
    ...{ graph, functions, aggregates, dimensions, shown: dimensions, absent: [], outerDimensions: [] },
    ...{ where: [], conditions: conditionsOf([]) },
    // A column reads no metric over time, and so no clock.
    ...{ inner: shared, warn, readClock: () => undefined, columnName: (key, name) => columnName(`field ${key}`, name) },
  }
  const rowSet = new RowSet(rows)
  const { expression, type } = rowSet.field(measure, true, path)!
  const value: Output = { name: 'value', role: 'measure', type, expression, displayAs: undefined, format: undefined }
  const { aggregates: measures, steps, folds, nested } = rowSet
  const isOfOwnRows = nested.length === 0 && measures.every(isOfRowsByKey)
  const isCoarse = [...measures, ...nested].some((one) => one.dimensions.length < dimensions.length)
  const query: AggregateQuery = {
    ...shared,
    ...{ where: [], dimensions, sorts: [], over: undefined },
    ...{ aggregates: measures, steps, folds, nested },
    ...(isOfOwnRows && !isCoarse && { graph: referringGraph(graph, object) }),
    outputs: [...dimensions.map((d) => ({ ...dimensionOutput(d), name: d.name })), value],
    // A total is the same for a row to which nothing belongs.
    rowsOf: isCoarse ? object : undefined,
  }
  const isCount = measures.some(
    ({ name, emptyIsZero }) => emptyIsZero && expression.kind === 'column' && expression.name === name,
  )
  return { query, empty: isCoarse ? undefined : emptyOf(query), isCount }
}

const isOfRowsByKey = ({ converts, multiFact, weights }: ResolvedAggregate): boolean =>
  converts === undefined && multiFact === undefined && weights.length === 0

const graphs = new WeakMap<JoinGraph, Map<string, JoinGraph>>()

/**
 * The joins to the object as if each reference found its row. The groups of others have a key that no row has, so nothing reads them, and the
 * object itself need not be joined.
 */
function referringGraph(graph: JoinGraph, object: string): JoinGraph {
  const known = graphs.get(graph) ?? new Map<string, JoinGraph>()
  graphs.set(graph, known)
  const found =
    known.get(object) ??
    new JoinGraph(graph.model, graph.pins, (join) => (join.to === object ? { ...join, foreignKey: true } : join))
  known.set(object, found)
  return found
}

interface Naming {
  readonly model: SemanticModel
  readonly columnName: (key: string, name: string) => string
  readonly path: string
}

function keyDimension(ref: ColumnRef, i: number, { model, columnName, path }: Naming): ResolvedDimension {
  const { type } = columnOf(model, ref)
  const label = `${ref.object}.${ref.column}`
  const member = { name: label, object: ref.object, via: undefined, expression: ref, type }
  const name = columnName(`dimension ${label}`, `key_${i + 1}`)
  return { name, label, type, members: [member], grain: undefined, format: undefined, path }
}

/** The value without any row: counts are 0, other aggregates NULL; what is computed from them is computed from these. */
function emptyOf({ outputs, aggregates, nested, steps }: AggregateQuery): RowExpr | undefined {
  const values = new Map<string, RowExpr>([
    ...[...aggregates, ...nested].map(
      ({ name, emptyIsZero, type }) => [name, emptyIsZero ? integer(0) : typedNull(type)] as const,
    ),
  ])
  const at = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(expression, ({ name }) => entryOf(values, name) as RelationColumn)
  for (const step of steps) if (step.kind === 'expression') values.set(step.name, at(step.expression))
  const found = at(lastOf(outputs).expression)
  return isNullAlways(found) ? undefined : found
}

/** Whether a constant expression is clearly NULL. */
function isNullAlways(expression: RowExpr): boolean {
  if (!isInner<RelationColumn>(expression)) return false
  if (isLiteral(expression)) return expression.value === null
  const all = (parts: readonly Expr<RelationColumn>[]): boolean => parts.every(isNullAlways)
  switch (expression.kind) {
    case 'cast':
      return isNullAlways(expression.operand)
    case 'unary':
      return isNullAlways(expression.operand)
    case 'binary':
      if (expression.operator === 'and' || expression.operator === 'or') return all([expression.left, expression.right])
      return isNullAlways(expression.left) || isNullAlways(expression.right) || dividesByZero(expression)
    case 'call':
      return expression.name === 'coalesce' && all(expression.args)
    case 'case':
      return all([...expression.branches.map(({ then }) => then), ...(expression.otherwise ? [expression.otherwise] : [])])
    default:
      return false
  }
}

const dividesByZero = ({ operator, right }: { readonly operator: string; readonly right: RowExpr }): boolean =>
  operator === '/' && isLiteral(right) && right.value === 0
