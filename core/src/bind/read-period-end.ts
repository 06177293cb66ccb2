import { fail } from '../errors.js'
import { mapLeaves } from '../model/expression/ast.js'
import { tablesIn } from '../resolve/relation-column.js'
import type { PeriodEndLeaf } from '../resolve/resolved-query.js'
import { boundRows } from './bound-rows.js'
import type { PeriodEndColumn } from './read-column.js'
import { readColumn, readField } from './read-rows.js'
import { type Rows, rowsOf } from './rows.js'

/** The first or the last day of a calendar table that satisfies the filter: a column of a relation of one row beside these rows. */
export function readPeriodEnd({ node, context }: Rows, { calendar, day: key, filter, end }: PeriodEndLeaf): PeriodEndColumn {
  const rows = rowsOf(context, calendar)
  const where = [
    mapLeaves(filter, (leaf) =>
      leaf.kind === 'where-field'
        ? readField(rows, leaf.members[0], rows.root)
        : fail('INTERNAL_ERROR', 'the days of a period are found by the columns of the calendar'),
    ),
  ]
  const day = readColumn(rows, rows.root, key)
  const tables = [day, ...where].flatMap(tablesIn)
  const label = { from: node, to: calendar, columns: [], reason: 'the days of the period that the filters name' }
  return { kind: 'period-end', node, end, days: { rows: boundRows(rows, tables), where, day }, label, type: { kind: 'date' } }
}
