/** The rows of a query for dimensions alone: a relation is its fact, so they are the combinations that occur with rows of the fact. */
import type { Finding, SemanticModel } from '@grainline/core'
import { factsOf, joinGraph, type NamedModel, type QueryJson, splitGrain, warning } from '@grainline/core/language'

export interface RowsOf {
  /** The fact, as a query names it. Empty if the fact does not reach a dimension, or the model has no main fact. */
  readonly rows: Pick<QueryJson, 'rows_of'>
  /** Says that the rows are others than those of the relation. */
  readonly notices: readonly Finding[]
}

export const ROWS_OF_MEASURES: RowsOf = { rows: {}, notices: [] }

/** `names`: the dimensions that the query reads for its groups, as a query writes them. */
export function rowsOf(names: readonly string[], { model, fact }: Pick<NamedModel, 'model' | 'fact'>): RowsOf {
  if (names.length === 0) return ROWS_OF_MEASURES
  const object = fact ?? factsOf(model).main
  if (object === undefined) return { rows: {}, notices: [noticeOf(names, 'The model has no main fact')] }
  const missed = names.filter((name) => !isReached(name, object, model))
  return missed.length === 0
    ? { rows: { rows_of: object }, notices: [] }
    : { rows: {}, notices: [noticeOf(missed, `'${object}' does not reach ${listed(missed)}`)] }
}

function isReached(text: string, fact: string, model: SemanticModel): boolean {
  const dimension = model.dimensions.get(text) ?? model.dimensions.get(splitGrain(text, model).name)
  return dimension === undefined || joinGraph(model, []).reaches(fact, dimension.dataObject, dimension.via)
}

const noticeOf = (names: readonly string[], why: string): Finding =>
  warning('ROWS_NOT_OF_FACT', `${why}, so the values of ${listed(names)} are those of their own data objects`, {
    path: 'sql',
    hint: 'Read the relation of a fact that reaches them, <model>__<fact>, or set settings.mainFact.',
  })

const listed = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')
