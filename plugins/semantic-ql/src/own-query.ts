import type { Node } from './node.js'
import type { NameLeaf } from './reader.js'

/** An item of a SELECT that needs a separate query: an aggregate of a dimension, or a measure under a condition. */
export type OwnQuery = { readonly node: Node; readonly filter: Node | undefined } & (
  | { readonly argument: Node }
  | { readonly measure: NameLeaf; readonly isCount: boolean }
)
