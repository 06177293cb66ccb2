import type { ModelRef } from '../api/types.js'
import type { Query } from '../query/query.js'
import type { Cell } from './cell-of.js'

/** A number whose rows are shown. */
export interface LookedInto {
  readonly model: ModelRef
  readonly query: Query
  readonly measure: string
  readonly cell: Cell
}
