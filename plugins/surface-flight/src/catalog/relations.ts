import type { ModelHandle, ModelService, QueryTarget, ResultSchema, SqlService } from '@grainline/core/surface'

/** A model as catalogues show it: a catalog, in it a schema of the same name. */
export interface Visible {
  readonly catalog: string
  readonly schema: string
  /** The name of its main relation. */
  readonly table: string
  readonly handle: ModelHandle
}

/** A table in that schema: the model, or one of its further facts. */
export interface Relation extends Visible {
  readonly columns: ResultSchema
}

type Models = Pick<ModelService, 'publishedModels' | 'listModels'>

/** Every model within reach: those of the session that was chosen, else all that are published. */
export function modelsIn({ sessionId }: QueryTarget, service: Models): readonly Visible[] {
  if (sessionId !== undefined)
    return service.listModels(sessionId).map((handle) => visible(sessionId, handle.model.name ?? handle.modelId, handle))
  return service.publishedModels().map((handle) => visible(handle.sessionId, handle.sessionId, handle))
}

const visible = (catalog: string, table: string, handle: ModelHandle): Visible => ({ catalog, schema: catalog, table, handle })

/** The relations that a statement may read of these models. */
export async function relationsOf(
  models: readonly Visible[],
  service: Pick<SqlService, 'sqlRelations'>,
): Promise<readonly Relation[]> {
  const found = models.map(async (model) =>
    (await service.sqlRelations(model.handle.model)).map(({ suffix, columns }) => ({
      ...model,
      table: `${model.table}${suffix}`,
      columns,
    })),
  )
  return (await Promise.all(found)).flat()
}
