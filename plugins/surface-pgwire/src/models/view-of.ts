import type { SemanticModel } from '@grainline/core'
import { commentOf, type SqlRelation, type SqlService } from '@grainline/core/surface'
import type { CatalogColumn, CatalogView, RelationShape } from '../catalog/catalog-view.js'
import { sqlTypeOf } from '../types/pg-type.js'
import type { Database } from './visible-models.js'

/** A cache of shapes by model, because a loaded model never changes. */
const shapes = new WeakMap<SemanticModel, Promise<readonly Shaped[]>>()

interface Shaped {
  readonly suffix: string
  readonly shape: RelationShape
}

type Service = Pick<SqlService, 'sqlRelations'>

/** The part of the catalogue that a connection sees, for its current models. */
export async function viewOf(database: Database, service: Service): Promise<CatalogView> {
  const relations = await Promise.all(
    database.models().map(async ({ name, handle: { model } }) => {
      const shaped = shapes.get(model) ?? shapesOf(model, service)
      shapes.set(model, shaped)
      return (await shaped).map(({ suffix, shape }) => ({ schema: name, table: `${name}${suffix}`, shape }))
    }),
  )
  return { database: database.name, databases: database.all(), relations: relations.flat() }
}

const shapesOf = async (model: SemanticModel, service: Service): Promise<readonly Shaped[]> =>
  (await service.sqlRelations(model)).map((relation) => ({ suffix: relation.suffix, shape: shapeOf(model, relation) }))

/** The table of a model: the columns of `SELECT *`, with types and descriptions. */
function shapeOf(model: SemanticModel, { suffix, columns }: SqlRelation): RelationShape {
  return {
    key: `${model.contentHash}${suffix}`,
    comment: model.description,
    columns: columns.map(({ name, type }): CatalogColumn => ({ name, type: sqlTypeOf(type), comment: commentOf(model, name) })),
  }
}
