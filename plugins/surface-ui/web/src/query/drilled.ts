import type { Cell } from '../results/cell-of.js'
import { withClicked } from './click-filter.js'
import type { Query } from './query.js'

/** The query of one number of an answer, broken down by another dimension: the values of its row are filters. */
export function drilled(answered: Query, cell: Cell, dimension: string): Query {
  const { order_by: _order, top: _top, grouping: _grouping, limit: _limit, offset: _offset, fill_gaps: _gaps, ...rest } = answered
  const filtered = Object.entries(cell).reduce(
    (query, [name, value]) => withClicked(query, { answered, name, value, only: true }),
    rest as Query,
  )
  return { ...filtered, select: { ...filtered.select, dimensions: [dimension] } }
}
