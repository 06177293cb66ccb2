import t from 'tap'
import { unitByRow } from '../api/unit-by-row.js'
import { formatterFor, shownValue } from './format-value.js'
import { headingOf } from './heading-of.js'

t.test('a heading has the unit, or the name of the column that has it', async (t) => {
  t.equal(headingOf({ name: 'Revenue' }), 'Revenue')
  t.equal(headingOf({ name: 'Revenue', unit: 'EUR' }), 'Revenue (EUR)')
  t.equal(headingOf({ name: 'Rate', unit: '{Currency}/km' }), 'Rate (Currency/km)')
})

t.test('a number has the unit of its row beside it, if that is known', async (t) => {
  const names = ['EUR', null]
  const unitAt = unitByRow('{Currency}/km', (column) => (column === 'Currency' ? (row) => names[row]! : undefined))!
  const column = { name: 'Rate', type: 'int', role: 'metric' as const, at: (row: number) => [3, 4][row], unitAt }
  const format = formatterFor(column, { locale: 'en', timezone: 'UTC' })
  t.equal(shownValue(column, 0, format), '3 EUR/km')
  t.equal(shownValue(column, 1, format), '4')
  t.equal(
    unitByRow('EUR', () => undefined),
    undefined,
  )
  t.equal(unitByRow('{Other}', () => undefined)!(0), undefined)
})
