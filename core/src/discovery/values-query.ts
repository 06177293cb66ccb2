import { STRING } from '../model/data-type.js'
import type { Dimension, SemanticModel } from '../model/semantic-model.js'
import { joinGraph } from '../resolve/join-graph.js'
import { factsOf } from './main-fact.js'
import { rowCountOf, withDimension } from './row-count-of.js'

export interface ValuesQuery {
  /** The model with the additions that the query needs. */
  readonly model: SemanticModel
  /** The query as a client would write it: columns value and count, the most frequent first. */
  readonly query: object
}

/** Which values are wanted. */
export interface WantedValues {
  /** Text that a value contains, in any case. */
  readonly search: string | undefined
  readonly limit: number
  /** Include values that no row of the main fact has. */
  readonly all: boolean
}

/**
 * Queries the values of a dimension and how many rows have each, including NULL. The rows are those of the main fact, because a filter by
 * any other value finds nothing; they are those of the dimension's object if all values are requested, or if the main fact does not reach
 * it.
 */
export function valuesQuery(dimension: Dimension, model: SemanticModel, { search, limit, all }: WantedValues): ValuesQuery {
  const counted = rowCountOf(all ? dimension.dataObject : objectOfValues(dimension, model), model)
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

function objectOfValues({ dataObject, via }: Dimension, model: SemanticModel): string {
  const { main } = factsOf(model)
  return main !== undefined && joinGraph(model, []).reaches(main, dataObject, via) ? main : dataObject
}

/** Numbers, dates and similar values are searched by their text. */
function searched(dimension: Dimension, model: SemanticModel): { readonly model: SemanticModel; readonly name: string } {
  if (dimension.type.kind === 'string') return { model, name: dimension.name }
  const expression = { kind: 'cast', operand: dimension.expression, type: STRING } as const
  return withDimension(
    { ...dimension, name: 'value as text', expression, column: undefined, type: STRING, timeGrain: undefined },
    model,
  )
}
