import { fail } from '../errors.js'
import type { QueryFilter, QueryObject } from '../query/query-object.js'
import { isOfShown } from '../resolve/shown-tuples.js'
import type { CellQuestion } from './asking.js'

/** The query of one cell: the query without the parts that select or order rows of its answer. */
export function cellQuery(query: QueryObject, asked: CellQuestion): QueryObject {
  const { limit: _limit, offset: _offset, fill_gaps, ...rest } = query
  if (query.select.fields.length > 0 || query.dimensions_exclude) {
    fail('INVALID_QUERY', 'a cell is of a query that selects measures', { path: 'query.select' })
  }
  const shown = isOfShown(query.grouping) ? { shownBy: query } : {}
  const narrowed = { ...rest, ...shown, having: [], order_by: [], select: { ...query.select, measures: asked.measures } }
  // A cell of a period without rows has a value and no rows.
  if (asked.shows === 'answer')
    return { ...narrowed, ...(fill_gaps !== undefined && { fill_gaps }), ...rowOfCell(query, asked), limit: 2 }
  return asked.shows === 'rows' && asked.limit !== undefined ? { ...narrowed, limit: asked.limit } : narrowed
}

/** The row of the answer that contains the cell, on the cell's own level of subtotals. */
function rowOfCell({ grouping }: QueryObject, { cell }: CellQuestion): Pick<QueryObject, 'having' | 'grouping'> {
  return {
    having: Object.entries(cell).map(([field, value]): QueryFilter => {
      const path = `cell.${field}`
      return value === null ? { kind: 'leaf', field, op: 'is_null', path } : { kind: 'leaf', field, op: 'eq', value, path }
    }),
    ...(grouping && { grouping: { ...(isOfShown(grouping) && { of: 'shown' as const }), sets: [Object.keys(cell)] } }),
  }
}
