import type { ColumnRef } from '../model/expression/ast.js'
import type { ModelCondition } from '../model/semantic-model.js'

/** The columns that a condition of the model reads. */
export function columnsOf(condition: ModelCondition): ColumnRef[] {
  return condition.kind === 'leaf' ? [condition.column] : condition.filters.flatMap(columnsOf)
}
