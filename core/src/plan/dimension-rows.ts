import { fail } from '../errors.js'
import { mapLeaves } from '../model/expression/ast.js'
import { type RelationColumn, type RowExpr, relationColumn } from '../resolve/relation-column.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { planBlockRows } from './block.js'
import { conjunctsFor, type FilterReport } from './filter-report.js'
import { displayed, type Planned } from './planned.js'
import type { RowsContext } from './rows-context.js'

/**
 * The dimensions of every row of an object, repeated where rows share them. Throws `NO_JOIN_PATH` for a dimension of which a row has no
 * single value.
 */
export function planDimensionRows(query: AggregateQuery, home: string, context: RowsContext, report: FilterReport): Planned {
  const { dimensions } = query
  const { conjuncts, bridges, apart } = conjunctsFor(home, query, report, `the rows of '${home}'`)
  const request = { home, atoms: [], dimensions, conjuncts, bridges, apart, bridgeFilters: [], fanOut: false }
  const rows = planBlockRows(request, context)
  if (rows.distinct) {
    fail('NO_JOIN_PATH', `A row of '${home}' can have several values of what is asked, so they are no columns of its rows`, {
      path: 'select.dimensions',
    })
  }
  const read = (expression: RowExpr): RowExpr =>
    mapLeaves<RelationColumn, RelationColumn>(expression, (leaf) => relationColumn(rows.alias, leaf.name, leaf.type))
  const columns = displayed(query.outputs, read)
  return { plan: { kind: 'project', input: rows.plan, alias: 'answer', columns }, columns: query.outputs, homes: [home] }
}
