/** The queries of a statement, numbered in the order in which it reads them. */

import type { Leaf, NamedModel, QueryJson } from '@grainline/core/surface'
import type { ModelSelect } from '../model-select.js'

import { quoted } from '../quoted.js'

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
