import type { ModelHandle, QueryTarget, SemanticService } from '@grainline/core'

/** A model as catalogues show it: a catalog, in it a schema, in it a table, all of its name. */
export interface Relation {
  readonly catalog: string
  readonly schema: string
  readonly table: string
  readonly handle: ModelHandle
}

type Service = Pick<SemanticService, 'publishedModels' | 'listModels'>

/** Every model within reach: those of the session that was chosen, else all that are published. */
export function relationsIn({ sessionId }: QueryTarget, service: Service): readonly Relation[] {
  if (sessionId !== undefined)
    return service.listModels(sessionId).map((handle) => relation(sessionId, handle.model.name ?? handle.modelId, handle))
  return service.publishedModels().map((handle) => relation(handle.sessionId, handle.sessionId, handle))
}

const relation = (catalog: string, table: string, handle: ModelHandle): Relation => ({ catalog, schema: catalog, table, handle })
