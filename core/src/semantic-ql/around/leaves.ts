/** The queries of a statement, numbered in the order in which it reads them. */

import type { ModelSelect } from '../model-select.js'
import type { NamedModel } from '../named-model.js'
import type { Preview } from '../preview.js'
import type { QueryJson } from '../query-json.js'
import { quoted } from '../quoted.js'

export interface Leaf<M extends NamedModel = NamedModel> {
  /** The relation that holds its rows. */
  readonly name: string
  readonly model: M
  readonly query: QueryJson
  /** The columns of the query's answer, in order; in the relation they are `c1`, `c2` … */
  readonly columns: readonly string[]
  /** Set where its answer is the first rows of all columns. */
  readonly preview: Preview | undefined
  /** The object whose every row is a row of the answer. */
  readonly rowsOf: string | undefined
}

type Asked<M extends NamedModel> = Pick<ModelSelect<M>, 'relation' | 'columns' | 'preview' | 'rowsOf'>

/** More than any question needs; each is a statement in a database. */
export const MAX_LEAVES = 32

export class Leaves<M extends NamedModel> {
  readonly all: Leaf<M>[] = []

  /** The relation of a query's answer. The same query is asked once. */
  add({ relation: { named }, columns, preview, rowsOf }: Asked<M>, query: QueryJson): Leaf<M> {
    const asked = JSON.stringify([query, columns, rowsOf])
    const same = this.all.find(
      (leaf) => leaf.model === named && JSON.stringify([leaf.query, leaf.columns, leaf.rowsOf]) === asked,
    )
    if (same) return same
    const leaf = { name: `leaf_${this.all.length + 1}`, model: named, query, columns, preview, rowsOf }
    this.all.push(leaf)
    return leaf
  }
}

/** The column of a leaf's relation that holds the column of its answer. */
export const leafColumn = ({ name, columns }: Leaf, label: string): string =>
  `${quoted(name)}.${quoted(`c${columns.indexOf(label) + 1}`)}`
