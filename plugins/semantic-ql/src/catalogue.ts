/** Queries about the models, answered from them. */
import type { SemanticModel } from '@grainline/core'
import {
  batchFromRows,
  type Catalogue,
  formatDataType,
  INT,
  isOffered,
  type ModelScope,
  type NamedModel,
  type RecordBatch,
  STRING,
} from '@grainline/core/language'

import { shownType } from './model-fields.js'
import { modelRelation } from './model-relation.js'
import { firstRelation, furtherViews, mainName, modelOf, notAModel } from './model-scope.js'

const column = (name: string, type = STRING) => ({ name, type, role: 'field' as const })

/** SHOW TABLES: one row per model and per view; a default view comes before its model. */
export function tablesOf({ models }: ModelScope): RecordBatch {
  const tables = models.flatMap((model) => [...new Set([firstRelation(model), model, ...furtherViews(model)])])
  const rows = tables.map((named) => [
    mainName(named),
    named.model.description ?? null,
    BigInt(named.model.dimensions.size),
    BigInt(named.model.measures.size),
    BigInt(named.model.metrics.size),
  ])
  return batchFromRows(
    [column('name'), column('description'), column('dimensions', INT), column('measures', INT), column('metrics', INT)],
    rows,
  )
}

/** DESCRIBE: one row per field of the model. Throws `RAW_SQL_REJECTED` for a name that is not a model. */
export function fieldsOf(relation: string, scope: ModelScope, catalogue: Catalogue): RecordBatch {
  const relname = relation
    .replace(/^(?:TABLE|MODEL)\s+/i, '')
    .replace(/^.*\./s, '')
    .replace(/^"(.*)"$/s, '$1')
    .replaceAll('""', '"')
  const named: NamedModel = modelOf({ relname }, scope) ?? notAModel({ relname }, scope, undefined)
  const schema = [column('name'), column('type'), column('kind'), column('description')]
  return batchFromRows(schema, rowsOf(named.model, named, catalogue))
}

function rowsOf(model: SemanticModel, named: NamedModel, catalogue: Catalogue): (string | null)[][] {
  const sql = { text: '', statements: [], withGrouping: undefined, place: () => undefined }
  const relation = modelRelation(named, undefined, {
    ...catalogue,
    sql,
    parameters: [],
    now: () => new Date(0),
    relationColumns: new Map(),
  })
  const typeOf = (name: string) => formatDataType(relation.name({ fields: [{ String: { sval: name } }] }).type)
  const dimensions = [...model.dimensions.values()].filter((dimension) => !dimension.hidden)
  return [
    ...dimensions.map((d) => [d.name, formatDataType(shownType(d, undefined)), 'dimension', d.description ?? null]),
    ...[...model.measures.values()].filter(isOffered).map((m) => [m.name, typeOf(m.name), 'measure', m.description ?? null]),
    ...[...model.metrics.values()].filter(isOffered).map((m) => [m.name, typeOf(m.name), 'metric', m.description ?? null]),
  ]
}
