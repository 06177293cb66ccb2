import { entryOf, type SemanticModel } from '@grainline/core'
import { commentOf } from '@grainline/core/language'
import { namedTables, type SqlRelation, type SqlService } from '@grainline/core/surface'
import type { CatalogColumn, CatalogView, RelationShape } from '../catalog/catalog-view.js'
import { sqlTypeOf } from '../types/pg-type.js'
import type { Database } from './visible-models.js'

/** A cache of shapes by model, because a loaded model never changes. */
const shapes = new WeakMap<SemanticModel, Promise<ReadonlyMap<SqlRelation, RelationShape>>>()

type Service = Pick<SqlService, 'sqlRelations'>

/** The part of the catalogue that a connection sees, for its current models. */
export async function viewOf(database: Database, service: Service): Promise<CatalogView> {
  const relations = await Promise.all(
    database.models().map(async ({ name, handle: { model } }) => {
      const shaped = shapes.get(model) ?? shapesOf(model, service)
      shapes.set(model, shaped)
      const shapeOfEach = await shaped
      return namedTables(name, [...shapeOfEach.keys()]).map(({ table, relation }) => ({
        schema: name,
        table,
        shape: entryOf(shapeOfEach, relation),
      }))
    }),
  )
  return { database: database.name, databases: database.all(), relations: relations.flat() }
}

const shapesOf = async (model: SemanticModel, service: Service) =>
  new Map((await service.sqlRelations(model)).map((relation) => [relation, shapeOf(model, relation)]))

/** The table of a model or of a view: the columns of `SELECT *`, with types and descriptions. */
function shapeOf(model: SemanticModel, { suffix, view, columns }: SqlRelation): RelationShape {
  const described = view?.model ?? model
  return {
    key: `${model.contentHash}${view ? `.${view.name}` : suffix}`,
    comment: described.description,
    columns: columns.map(
      ({ name, type }): CatalogColumn => ({ name, type: sqlTypeOf(type), comment: commentOf(described, name) }),
    ),
  }
}
