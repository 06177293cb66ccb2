import { STRING } from '../model/data-type.js'
import type { Dimension, SemanticModel } from '../model/semantic-model.js'
import { joinGraph } from '../resolve/join-graph.js'
import { factsOf } from './main-fact.js'
import { rowCountOf, withDimension } from './row-count-of.js'

export interface ValuesQuery {
  /** The model with what the question needs beside it. */
  readonly model: SemanticModel
  /** The question as a client would write it: columns value and count, the most frequent first. */
  readonly query: object
}

/** Which values are wanted. */
export interface WantedValues {
  /** Text that a value contains, in any case. */
  readonly search: string | undefined
  readonly limit: number
  /** Those too that no row of the main fact has. */
  readonly all: boolean
}

/**
 * Asks for the values of a dimension, how many rows have each, and NULL like any other. The rows are those of the main fact, for a filter by
 * any other value finds nothing; they are those of the dimension's object where all are wanted, or where the main fact does not reach it.
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

/** Numbers, dates and the like are searched as they are written. */
function searched(dimension: Dimension, model: SemanticModel): { readonly model: SemanticModel; readonly name: string } {
  if (dimension.type.kind === 'string') return { model, name: dimension.name }
  const expression = { kind: 'cast', operand: dimension.expression, type: STRING } as const
  return withDimension(
    { ...dimension, name: 'value as text', expression, column: undefined, type: STRING, timeGrain: undefined },
    model,
  )
}
