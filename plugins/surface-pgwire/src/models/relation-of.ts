/** A model as a table of the catalogue: the columns of `SELECT *`, each with its type and description. */
import type { SemanticModel } from '@grainline/core'
import { commentOf, type SqlRelation } from '@grainline/core/surface'
import type { CatalogColumn, RelationShape } from '../catalog/catalog-view.js'
import { sqlTypeOf } from '../types/pg-type.js'

export function shapeOf(model: SemanticModel, { suffix, columns }: SqlRelation): RelationShape {
  return {
    key: `${model.contentHash}${suffix}`,
    comment: model.description,
    columns: columns.map(({ name, type }): CatalogColumn => ({ name, type: sqlTypeOf(type), comment: commentOf(model, name) })),
  }
}
