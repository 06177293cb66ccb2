/** The rows of all columns of a relation. People and tools read the first of them to explore a table, and all of them to import it. */
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

/** Maximum number of rows that are found before their measures; more are read as they come. */
const MOST_ROWS = 10_000

/** `undefined` for a SELECT that does not read all columns. */
export function previewOf({ stmt, shown: names, order = [], page, relation }: Previewed): Preview | undefined {
  const columns = relation.relationColumns.get(relation.named)
  if (!columns || stmt.groupClause || stmt.distinctClause) return undefined
  const { limit, offset = 0 } = page
  const isFew = limit !== undefined && limit + offset <= MOST_ROWS
  if (!isFew && offset > 0) return undefined
  if (names.some((name) => isOther(name, columns, relation))) return undefined
  const shown = new Set(names)
  const leftOut = new Set([...columns.beyondRows].filter((name) => shown.has(name)))
  if (!isOfAll(stmt, shown, columns, leftOut.size === 0 && isFew) || order.some(({ field }) => leftOut.has(field)))
    return undefined
  const fact = factOf(relation.named, relation.sql.place(bodyOf(stmt.fromClause?.[0], 'RangeVar')?.location))
  return { fact, limit: isFew ? limit : undefined, offset, leftOut, schema: columns.schema }
}

/** Tools leave out a few columns of a table; fewer columns are a question of their own. */
const MOST = 0.9
export const FEWEST_COLUMNS = 16

/** `isExact`: the preview would leave out nothing, so that it is no other answer. */
function isOfAll(
  stmt: SelectStmt,
  shown: ReadonlySet<string>,
  { schema }: Pick<RelationColumns, 'schema'>,
  isExact: boolean,
): boolean {
  if (nodesIn(stmt.targetList).some((node) => 'A_Star' in node)) return true
  return isMost(shown, { schema }) || (isExact && schema.every(({ name }) => shown.has(name)))
}

/** Whether the fields are so many columns of the relation that they are read as all of them. */
export const isMost = (fields: ReadonlySet<string>, { schema }: Pick<RelationColumns, 'schema'>): boolean =>
  schema.length >= FEWEST_COLUMNS && schema.filter(({ name }) => fields.has(name)).length >= MOST * schema.length

/**
 * True for a field of the model that the relation does not have: its values are not those of the previewed rows. A measure for each row of an object that
 * the statement names is a value of its rows.
 */
function isOther(name: string, { schema }: RelationColumns, { named: { model, columns = [] } }: ModelRelation): boolean {
  const isField = model.dimensions.has(name) || model.measures.has(name) || model.metrics.has(name)
  return isField && ![...schema.map((column) => column.name), ...columns.map(({ as }) => as)].includes(name)
}
