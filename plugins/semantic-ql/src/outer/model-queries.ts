/** The model queries of a statement, numbered in the order of reading. */

import type { NamedModel, QueryJson, RelationQuery } from '@grainline/core/language'
import { quoted } from '../grammar/quoted.js'
import type { ModelSelect } from '../select/model-select.js'

type Asked<M extends NamedModel> = Pick<ModelSelect<M>, 'relation' | 'columns' | 'preview' | 'everyRowOf'>

/** More than any statement needs; each is a statement in a database. */
export const MAX_MODEL_QUERIES = 32

export class ModelQueries<M extends NamedModel> {
  readonly all: RelationQuery<M>[] = []

  /** The relation of a query's answer. Equal queries run once. */
  add({ relation: { named }, columns, preview, everyRowOf }: Asked<M>, query: QueryJson): RelationQuery<M> {
    const asked = JSON.stringify([query, columns, everyRowOf])
    const same = this.all.find(
      (modelQuery) =>
        modelQuery.model === named && JSON.stringify([modelQuery.query, modelQuery.columns, modelQuery.everyRowOf]) === asked,
    )
    if (same) return same
    const name = `model_query_${this.all.length + 1}`
    // An outer statement may add up all rows that it reads: only a limit makes them a preview.
    const few = preview?.limit === undefined ? undefined : preview
    const modelQuery = { name, model: named, query, columns, preview: few, everyRowOf }
    this.all.push(modelQuery)
    return modelQuery
  }
}

/** The column of a model query's relation that contains the column of its answer. */
export const relationColumn = ({ name, columns }: RelationQuery, label: string): string =>
  `${quoted(name)}.${quoted(`c${columns.indexOf(label) + 1}`)}`
