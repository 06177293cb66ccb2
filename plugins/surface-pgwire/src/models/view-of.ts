import type { SemanticModel, SemanticService } from '@grainline/core'
import type { CatalogView, RelationShape } from '../catalog/catalog-view.js'
import { shapeOf } from './relation-of.js'
import type { Database } from './visible-models.js'

/** Shapes by model: a model never changes. */
const shapes = new WeakMap<SemanticModel, RelationShape>()

/** What a connection sees of the catalogue, as the models are now. */
export async function viewOf(database: Database, service: Pick<SemanticService, 'modelColumns'>): Promise<CatalogView> {
  const relations = await Promise.all(
    database.models().map(async ({ name, handle: { model } }) => {
      const shape = shapes.get(model) ?? shapeOf(model, await service.modelColumns(model))
      shapes.set(model, shape)
      return { schema: name, table: name, shape }
    }),
  )
  return { database: database.name, databases: database.all(), relations }
}
