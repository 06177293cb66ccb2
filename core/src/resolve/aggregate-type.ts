import { fail } from '../errors.js'
import { firstOf } from '../invariant.js'
import { type DataType, INT } from '../model/data-type.js'
import type { ColumnRef } from '../model/expression/ast.js'
import { valueType } from '../model/expression/value-type.js'
import type { AggregateSpec, FunctionSpec } from '../model/functions/function-spec.js'
import type { Measure, SemanticModel } from '../model/semantic-model.js'
import { sumsToInt } from '../model/sums-to-int.js'
import type { JoinGraph } from './join-graph.js'
import { columnOf, type FactSum, type MultiFact } from './resolved-query.js'

interface Catalogues {
  readonly graph: JoinGraph
  readonly functions: ReadonlyMap<string, FunctionSpec>
  readonly aggregates: ReadonlyMap<string, AggregateSpec>
}

/** The type of a measure's value before any declared one is applied. Throws `UNSUPPORTED_AGGREGATION`. */
export function aggregateType(
  measure: Measure,
  { graph, functions, aggregates }: Catalogues,
  path: string,
  multiFact?: MultiFact,
): DataType {
  const spec = aggregates.get(measure.aggregation)
  if (!spec)
    return fail('UNSUPPORTED_AGGREGATION', `'${measure.aggregation}' is not an aggregation that is loaded here`, { path })
  const { model } = graph
  if (measure.aggregation === 'sum' && !multiFact && sumsToInt(firstOf(measure.inputs), (ref) => columnOf(model, ref))) return INT
  return spec.result(
    measure.inputs.map((input) => valueType(input, (ref: ColumnRef) => inputType(ref, model, multiFact), functions)),
  )
}

/** The type of a column when a measure reads it: that of its sum, if it is summed before facts are joined. */
export const inputType = (ref: ColumnRef, model: SemanticModel, multiFact: MultiFact | undefined): DataType =>
  sumAt(multiFact, ref)?.type ?? columnOf(model, ref).type

/** The sum that replaces a column of a fact; `undefined` if the column itself is read. */
export const sumAt = (multiFact: MultiFact | undefined, { object, column }: ColumnRef): FactSum | undefined =>
  multiFact?.facts.find((fact) => fact.object === object)?.sums.find((sum) => sum.column.column === column)
