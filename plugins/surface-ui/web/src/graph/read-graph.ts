import { pathOf } from '../api/grainline.js'
import { ask } from '../api/request.js'
import type { ModelRef } from '../api/types.js'

export interface JoinGraph {
  readonly nodes: readonly string[]
  readonly bridges: readonly { readonly data_object: string }[]
  readonly edges: readonly JoinEdge[]
}

export interface JoinEdge {
  readonly from_object: string
  readonly to_object: string
  readonly cardinality: 'many-to-one' | 'one-to-one' | 'many-to-many'
  readonly columns_from: readonly string[]
  readonly columns_to: readonly string[]
  readonly secondary: boolean
  readonly path_name?: string
  /** Column of the other object that holds the rows of this one. */
  readonly nested_in?: string
}

export const readJoinGraph = (model: ModelRef, signal?: AbortSignal): Promise<JoinGraph> =>
  ask(`${pathOf(model)}/join-graph`, { signal })

/** All objects and joins as a Mermaid `erDiagram`. */
export const readMermaid = async (model: ModelRef): Promise<string> =>
  (await ask<{ mermaid: string }>(`${pathOf(model)}/diagram/er?show_columns=false`)).mermaid
