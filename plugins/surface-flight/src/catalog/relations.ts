import type { SemanticModel } from '@grainline/core'
import type { ResultSchema } from '@grainline/core/format'
import {
  type ModelHandle,
  type ModelService,
  namedTables,
  type Principal,
  type QueryTarget,
  type SqlService,
} from '@grainline/core/surface'

/** A model in the catalogue: a catalog, which contains a schema of the same name. */
export interface Visible {
  readonly catalog: string
  readonly schema: string
  /** The name of its main relation. */
  readonly table: string
  readonly handle: ModelHandle
}

/** A table of that schema: the model, one of its facts, or one of its views. */
export interface Relation extends Visible {
  /** Describes its fields. */
  readonly described: SemanticModel
  readonly columns: ResultSchema
}

/** Whose models are listed: those of a session, or the published ones. */
export interface ModelsAsked {
  readonly target: QueryTarget
  readonly principal: Principal
}

type Models = Pick<ModelService, 'publishedModels' | 'listModels'>

/** The models of the chosen session, or all published ones. */
export function modelsIn({ target: { sessionId }, principal }: ModelsAsked, service: Models): readonly Visible[] {
  if (sessionId !== undefined)
    return service
      .listModels(sessionId, principal)
      .map((handle) => visible(sessionId, handle.model.name ?? handle.modelId, handle))
  return service.publishedModels(principal).map((handle) => visible(handle.sessionId, handle.sessionId, handle))
}

const visible = (catalog: string, table: string, handle: ModelHandle): Visible => ({ catalog, schema: catalog, table, handle })

/** The relations of these models that a statement may read. */
export async function relationsOf(
  models: readonly Visible[],
  service: Pick<SqlService, 'sqlRelations'>,
): Promise<readonly Relation[]> {
  const found = models.map(async (model) =>
    namedTables(model.table, await service.sqlRelations(model.handle.model)).map(({ table, relation: { view, columns } }) => ({
      ...model,
      table,
      columns,
      described: view?.model ?? model.handle.model,
    })),
  )
  return (await Promise.all(found)).flat()
}
