/** Whether the values of a measure at two times can be compared as a metric says. */
import { fail } from '../errors.js'
import type { DataType } from '../model/data-type.js'
import { type ColumnRef, leavesOf } from '../model/expression/ast.js'
import { noComparison } from '../model/no-comparison.js'
import { componentsOf, type PeriodMetric, type SemanticModel } from '../model/semantic-model.js'

/** Throws `EXPRESSION_TYPE_MISMATCH` if a value that is no number is subtracted or divided. */
export function checkComparison(metric: PeriodMetric, type: DataType, model: SemanticModel, path: string): void {
  const fault = noComparison(metric, type)
  if (fault !== undefined && isDeclared(componentsOf(metric), model)) fail('EXPRESSION_TYPE_MISMATCH', fault, { path })
}

/** A column without a declared type may hold numbers. */
const isDeclared = (names: readonly string[], model: SemanticModel): boolean =>
  names.every((name) => {
    const metric = model.metrics.get(name)
    if (metric) return isDeclared(componentsOf(metric), model)
    const inputs = model.measures.get(name)?.inputs ?? []
    return inputs.every((input) =>
      leavesOf<ColumnRef>(input).every(
        ({ object, column }) => model.dataObjects.get(object)?.columns.get(column)?.isTyped ?? true,
      ),
    )
  })
