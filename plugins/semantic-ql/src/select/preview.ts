/** The first rows of all columns of a relation. People and tools read them to explore a table. */
import type { OrderJson, Preview } from '@grainline/core/language'
import { bodyOf, nodesIn, type SelectStmt } from '../grammar/node.js'
import { factOf } from '../main-fact.js'
import type { ModelRelation } from '../model-relation.js'
import type { RelationColumns } from '../relation-columns.js'

interface Previewed {
  readonly stmt: SelectStmt
  /** The columns of the query. */
  readonly shown: readonly string[]
  readonly order: readonly OrderJson[] | undefined
  readonly page: { readonly limit: number | undefined; readonly offset: number | undefined }
  readonly relation: ModelRelation
}

/** Maximum number of rows of a preview. */
const MOST_ROWS = 10_000

/** `undefined` for a SELECT that is not a few rows of all columns. */
export function previewOf({ stmt, shown: names, order, page, relation }: Previewed): Preview | undefined {
  const columns = relation.relationColumns.get(relation.named)
  const { limit = MOST_ROWS + 1, offset } = page
  if (!columns || limit > MOST_ROWS || offset || stmt.groupClause || stmt.distinctClause) return undefined
  const shown = new Set(names)
  if (names.some((name) => isOther(name, columns, relation))) return undefined
  const hasStar = nodesIn(stmt.targetList).some((node) => 'A_Star' in node)
  const isOfAll = hasStar || isMost(columns, shown)
  const dimensions = new Set(columns.dimensions)
  if (!isOfAll || order?.some(({ field }) => !dimensions.has(field))) return undefined
  const leftOut = new Set([...columns.beyondRows].filter((name) => shown.has(name)))
  const fact = factOf(relation.named, relation.sql.place(bodyOf(stmt.fromClause?.[0], 'RangeVar')?.location))
  return { fact, limit, leftOut, schema: columns.schema }
}

/** Tools leave out a few columns of a table; fewer columns are a question of their own. */
const MOST = 0.9
export const FEWEST_COLUMNS = 16

function isMost({ schema }: RelationColumns, shown: ReadonlySet<string>): boolean {
  const count = schema.filter(({ name }) => shown.has(name)).length
  return count === schema.length || (schema.length >= FEWEST_COLUMNS && count >= MOST * schema.length)
}

/** True for a field of the model that the relation does not have: its values are not those of the previewed rows. */
function isOther(name: string, { schema }: RelationColumns, { named: { model } }: ModelRelation): boolean {
  const isField = model.dimensions.has(name) || model.measures.has(name) || model.metrics.has(name)
  return isField && !schema.some((column) => column.name === name)
}
