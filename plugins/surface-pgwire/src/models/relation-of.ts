/** A model as a table of the catalogue: the columns of `SELECT *`, each with its type and description. */
import type { SemanticModel, SqlRelation } from '@grainline/core'
import type { CatalogColumn, RelationShape } from '../catalog/catalog-view.js'
import { sqlTypeOf } from '../types/pg-type.js'

export function shapeOf(model: SemanticModel, { suffix, columns }: SqlRelation): RelationShape {
  return {
    key: `${model.contentHash}${suffix}`,
    comment: model.description,
    columns: columns.map(({ name, type }): CatalogColumn => ({ name, type: sqlTypeOf(type), comment: commentOf(model, name) })),
  }
}

function commentOf(model: SemanticModel, name: string): string | undefined {
  const field = model.dimensions.get(name) ?? model.measures.get(name) ?? model.metrics.get(name)
  if (field === undefined) return undefined
  const synonyms = field.synonyms.length > 0 ? `Also: ${field.synonyms.join(', ')}.` : undefined
  const text = [field.description, synonyms].filter((part) => part !== undefined).join(' ')
  return text === '' ? undefined : text
}
