import { STRING } from '../model/data-type.js'
import type { Dimension, SemanticModel } from '../model/semantic-model.js'
import { rowCountOf, withDimension } from './row-count-of.js'

export interface ValuesQuery {
  /** The model with what the question needs beside it. */
  readonly model: SemanticModel
  /** The question as a client would write it: columns value and count, the most frequent first. */
  readonly query: object
}

/** Asks for the values of a dimension, how many rows of its object have each, and NULL like any other. `search` is text that a value contains, in any case. */
export function valuesQuery(
  dimension: Dimension,
  model: SemanticModel,
  { search, limit }: { readonly search: string | undefined; readonly limit: number },
): ValuesQuery {
  const counted = rowCountOf(dimension.dataObject, model)
  const wanted = search === undefined || search === '' ? undefined : searched(dimension, counted.model)
  return {
    model: wanted?.model ?? counted.model,
    query: {
      select: { dimensions: [dimension.name], measures: [counted.count] },
      where: wanted ? [{ field: wanted.name, op: 'contains', value: search }] : [],
      order_by: [
        { field: 2, direction: 'desc' },
        { field: 1, direction: 'asc' },
      ],
      limit,
    },
  }
}

/** Numbers, dates and the like are searched as they are written. */
function searched(dimension: Dimension, model: SemanticModel): { readonly model: SemanticModel; readonly name: string } {
  if (dimension.type.kind === 'string') return { model, name: dimension.name }
  const expression = { kind: 'cast', operand: dimension.expression, type: STRING } as const
  return withDimension(
    { ...dimension, name: 'value as text', expression, column: undefined, type: STRING, timeGrain: undefined },
    model,
  )
}
