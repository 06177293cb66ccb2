import { entryOf } from '../../invariant.js'
import type { DataType } from '../data-type.js'
import { type ColumnRef, type Expr, type FieldRef, leavesOf } from '../expression/ast.js'
import { typeOf } from '../expression/type-of.js'
import { noComparison } from '../no-comparison.js'
import type { Measure, Metric } from '../semantic-model.js'
import { type Context, columnType, typedExpression } from './context.js'

interface TypedMetrics {
  readonly all: ReadonlyMap<string, Metric>
  /** Those that have their types already. */
  readonly read: ReadonlyMap<string, Metric>
}

/** The metrics with the types of their expressions; `order` has components first. Yields between metrics. */
export function* withTypes(
  order: readonly string[],
  { all: metrics, read }: TypedMetrics,
  measures: ReadonlyMap<string, Measure>,
  context: Context,
): Generator<undefined, ReadonlyMap<string, Metric>> {
  const types = new Map<string, DataType>()
  const made = new Map(metrics)
  const typeOfLeaf = ({ name }: FieldRef): DataType | undefined => types.get(name) ?? measureType(measures.get(name), context)
  for (const name of order) {
    yield
    const metric = entryOf(metrics, name)
    if (metric.type !== 'derived' && metric.type !== 'period_over_period') continue
    const path = ['metrics', name, 'expression']
    const found = typedExpression<FieldRef>(metric.expression, path, context, {
      typeOfLeaf,
      nameOfLeaf: (leaf) => `[${leaf.name}]`,
    })
    if (!found) continue
    if (!read.has(name)) made.set(name, { ...metric, expression: found.expression })
    const fault = metric.type === 'period_over_period' && found.type && noComparison(metric, found.type)
    if (fault) context.faults.error('EXPRESSION_TYPE_MISMATCH', ['metrics', name, 'periodOverPeriod', 'comparison'], fault)
    if (metric.type === 'derived' && found.type) types.set(name, found.type)
  }
  return made
}

/** `undefined` if an input has an unknown type. */
function measureType(measure: Measure | undefined, context: Context): DataType | undefined {
  if (!measure?.inputs.every((input) => isTyped(input, context))) return undefined
  const inputs = measure.inputs.map((input) => typeOf<ColumnRef>(input, (leaf) => columnType(leaf, context), context.functions))
  return context.aggregates.get(measure.aggregation)?.result(inputs)
}

const isTyped = (input: Expr<ColumnRef>, { objects }: Context): boolean =>
  leavesOf<ColumnRef>(input).every(({ object, column }) => objects.get(object)?.columns.get(column)?.isTyped ?? false)
