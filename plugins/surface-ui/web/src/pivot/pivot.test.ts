import t from 'tap'
import type { Column } from '../api/read-arrow.js'
import { pivotOf, pivotQuery } from './pivot.js'

const column = (name: string, role: Column['role'], values: readonly unknown[]): Column => ({
  name,
  role,
  type: 'string',
  at: (row) => values[row],
})

t.test('a condition on values leaves totals of the cells that are shown', async (t) => {
  const query = { select: { dimensions: ['A', 'B'], measures: ['M'] } }
  const { grouping } = pivotQuery({ ...query, having: [{ field: 'M', op: 'gt', value: 1 }] }, 'B')
  t.match(grouping, { of: 'shown', sets: [['A', 'B'], ['A'], ['B'], []] })
  t.notMatch(pivotQuery(query, 'B').grouping, { of: 'shown' })
})

t.test('every total is queried, and none is summed in the page', async (t) => {
  const query = {
    select: { dimensions: ['Airline', 'Date:month'], measures: ['Flights'] },
    limit: 5,
    order_by: [{ field: 'Flights' }],
  }
  const { grouping, limit, order_by } = pivotQuery(query, 'Date')
  t.same(grouping, { sets: [['Airline', 'Date:month'], ['Airline'], ['Date:month'], []] })
  t.equal(limit, 20_000)
  t.equal(order_by, undefined)
})

t.test('rows, columns and their totals come from the rows of the answer', async (t) => {
  const columns = [
    column('Airline', 'dimension', ['B', 'A', 'A', null, null, 'A', null]),
    column('Month', 'dimension', ['2', '10', null, '2', null, '2', '10']),
    column('Flights', 'measure', [1, 2, 9, 4, 8, 7, 3]),
    column('Airline is total', 'grouping', [false, false, false, true, true, false, false]),
    column('Month is total', 'grouping', [false, false, true, false, true, false, false]),
  ]
  const pivot = pivotOf({ columns, rowCount: 7 }, 'Month', (each, row) => each.at(row) as string | null)
  t.same(
    pivot.rows.map(({ headings }) => headings[0]?.text),
    ['A', 'B', '(no value)', 'Total'],
  )
  t.same(
    pivot.columns.map(({ headings }) => headings[0]?.text),
    ['2', '10', 'Total'],
  )
  const at = (row: number, of: number) => {
    const found = pivot.cell(row, of)
    return found === undefined ? undefined : pivot.numbers[0]!.at(found)
  }
  t.same([at(0, 0), at(0, 1), at(0, 2)], [7, 2, 9], 'A, with its total')
  t.same([at(3, 0), at(3, 2), at(1, 1)], [4, 8, undefined], 'the totals of a column and of all; a cell without rows')
})

t.test('a value with the name of the group of the others keeps its own row and column', async (t) => {
  const columns = [
    column('Airline', 'dimension', ['Others', 'Others', 'A', null]),
    column('Flights', 'measure', [5, 70, 100, 175]),
    column('Airline is total', 'grouping', [false, false, false, true]),
    column('Airline is others', 'grouping', [false, true, false, false]),
  ]
  for (const across of ['Airline', 'Flights']) {
    const pivot = pivotOf({ columns, rowCount: 4 }, across, (each, row) => each.at(row) as string | null)
    const isAcross = across === 'Airline'
    const lines = isAcross ? pivot.columns : pivot.rows
    t.same(
      lines.map(({ headings }) => [headings[0]?.text, headings[0]?.isOthers]),
      [
        ['A', false],
        ['Others', false],
        ['Others', true],
        ['Total', false],
      ],
      'the group comes last',
    )
    t.equal(new Set(lines.map(({ key }) => key)).size, 4)
    t.same(
      lines.map((_, n) => pivot.numbers[0]!.at(pivot.cell(isAcross ? 0 : n, isAcross ? n : 0)!)),
      [100, 5, 70, 175],
    )
  }
})

t.test('values with equal texts keep their own rows, and the group of the others of a number has a name', async (t) => {
  const columns = [
    column('Distance', 'dimension', [0.12, 0.1, null, null]),
    column('Flights', 'measure', [1, 2, 4, 3]),
    column('Distance is total', 'grouping', [false, false, true, false]),
    column('Distance is others', 'grouping', [false, false, false, true]),
  ]
  const text = (each: Column, row: number) => {
    const value = each.at(row)
    return typeof value === 'number' ? value.toFixed(1) : null
  }
  const pivot = pivotOf({ columns, rowCount: 4 }, 'Flights', text)
  t.same(
    pivot.rows.map(({ headings }) => headings[0]?.text),
    ['0.1', '0.1', 'Others', 'Total'],
  )
  t.same(
    pivot.rows.map((_, row) => pivot.numbers[0]!.at(pivot.cell(row, 0)!)),
    [2, 1, 3, 4],
  )
})
