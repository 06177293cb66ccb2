import t from 'tap'
import type { Column } from '../api/read-arrow.js'
import { pivotOf } from './pivot.js'
import { nextSort, sortedRows } from './sort-pivot.js'

const column = (name: string, role: Column['role'], type: string, values: readonly unknown[]): Column => ({
  name,
  role,
  type,
  at: (row) => values[row],
})

t.test('a heading sorts the rows of a pivot by its numbers; those without one, the others and the total stay last', async (t) => {
  const columns = [
    column('Airline', 'dimension', 'string', ['A', 'B', 'C', 'D', 'Others', null]),
    column('Month', 'dimension', 'string', ['1', '1', '2', '1', '1', '1']),
    column('Flights', 'measure', 'int', [10n, 9n, 50n, 100n, 7n, 126n]),
    column('Airline is total', 'grouping', 'boolean', [false, false, false, false, false, true]),
    column('Airline is others', 'grouping', 'boolean', [false, false, false, false, true, false]),
  ]
  const pivot = pivotOf({ columns, rowCount: 6 }, 'Month', (each, row) => (each.at(row) ?? null) as string | null)
  const names = (sort: Parameters<typeof sortedRows>[1]) => sortedRows(pivot, sort).map(({ headings }) => headings[0]?.text)
  const [first] = pivot.columns
  const largest = nextSort(undefined, first!.key, 'Flights')
  t.same(names(undefined), ['A', 'B', 'C', 'D', 'Others', 'Total'])
  t.same(names(largest), ['D', 'A', 'B', 'C', 'Others', 'Total'])
  const smallest = nextSort(largest, first!.key, 'Flights')
  t.same(names(smallest), ['B', 'A', 'D', 'C', 'Others', 'Total'])
  t.equal(nextSort(smallest, first!.key, 'Flights'), undefined, 'the third click restores the order of the names')
  t.match(nextSort(smallest, 'another', 'Flights'), { column: 'another', direction: 'desc' })
  t.same(names({ column: 'gone', number: 'Flights', direction: 'asc' }), names(undefined))
})
