/** A filter of an aggregate and a CASE around its value mean the same, and so do a value and a column that carries it. */
import t from 'tap'
import { above, aggregate, column, filter, named, project, scan, sumOf } from '../../../../test/support/plans.js'
import { INT } from '../../model/data-type.js'
import { allOf, onlyWhere } from '../../resolve/expressions.js'
import { overColumns } from '../over-columns.js'
import { ofPlainRows } from './of-plain-rows.js'

const [n, open] = [column('Orders', 'n'), above(column('Orders', 'open'))]
const [orders, key] = [scan('Orders'), named('Key', column('Orders', 'key'))]
const filtered = aggregate(orders, [key], [{ ...sumOf('Sum', n), filter: open }])

t.test('a CASE around a value is its filter', async (t) => {
  t.same(ofPlainRows(aggregate(orders, [key], [sumOf('Sum', onlyWhere(open, n))])), filtered)
  const twice = aggregate(orders, [], [sumOf('Sum', onlyWhere(open, onlyWhere(above(n), n)))])
  t.same(ofPlainRows(twice), aggregate(orders, [], [{ ...sumOf('Sum', n), filter: allOf([open, above(n)]) }]))
})

t.test('columns that carry keys and values are read through', async (t) => {
  t.same(ofPlainRows(overColumns(filtered, 'rows', () => INT)), filtered)
})

t.test('so is the filter of an aggregate', async (t) => {
  const carried = project(orders, [named('value', n), named('state', column('Orders', 'open'))], { alias: 'rows' })
  const total = sumOf('Sum', column('rows', 'value'), { filter: above(column('rows', 'state')) })
  t.same(ofPlainRows(aggregate(carried, [], [total])), { ...filtered, keys: [] })
})

t.test('a CASE with another value is none, and other nodes stay', async (t) => {
  const other = aggregate(orders, [], [sumOf('Sum', { kind: 'case', branches: [{ when: open, then: n }], otherwise: above(n) })])
  t.same(ofPlainRows(other), other)
  const rows = project(filter(orders, open), [key])
  t.equal(ofPlainRows(rows), rows)
})
