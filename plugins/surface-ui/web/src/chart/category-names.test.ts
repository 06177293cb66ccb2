import t from 'tap'
import type { Column } from '../api/read-arrow.js'
import { categoryNames } from './category-names.js'

const column = (name: string, role: Column['role'], values: readonly unknown[]): Column => ({
  name,
  role,
  type: 'string',
  at: (row) => values[row],
})

function namesOf(values: readonly (string | null)[], isOthers: readonly boolean[]): readonly string[] {
  const columns = [column('Airline', 'dimension', values), column('Airline is others', 'grouping', isOthers)]
  return categoryNames({ columns, rowCount: values.length }, columns[0]!, (row) => values[row]!)
}

t.test('the group of the others has a name that no value has', async (t) => {
  t.same(namesOf(['A', 'Others', 'Others'], [false, false, true]), ['A', 'Others', 'Others (the rest)'])
  t.same(namesOf(['A', 'B', 'Others'], [false, false, true]), ['A', 'B', 'Others'])
})

t.test('an empty value has a name, too', async (t) => {
  t.same(namesOf(['', null, null], [false, false, true]), ['(empty)', '(no value)', 'Others'])
})
