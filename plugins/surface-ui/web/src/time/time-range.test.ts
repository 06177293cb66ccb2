import t from 'tap'
import { rangeBefore, rangeIn, rangeOf, withRange, yearBefore } from './time-range.js'

t.test('presets end with the last day of the data', async (t) => {
  t.same(rangeOf('last 7 days', '2013-12-31'), { from: '2013-12-25', to: '2013-12-31' })
  t.same(rangeOf('last 30 days', '2013-03-01'), { from: '2013-01-31', to: '2013-03-01' })
  t.same(rangeOf('last 3 months', '2013-12-31'), { from: '2013-10-01', to: '2013-12-31' })
  t.same(rangeOf('last 3 months', '2013-05-31'), { from: '2013-03-01', to: '2013-05-31' })
  t.same(rangeOf('last 12 months', '2024-02-29'), { from: '2023-03-01', to: '2024-02-29' })
  t.same(rangeOf('year to date', '2013-06-15'), { from: '2013-01-01', to: '2013-06-15' })
  t.same(rangeOf('last year', '2013-06-15'), { from: '2012-01-01', to: '2012-12-31' })
})

t.test('the period before has as many days', async (t) => {
  t.same(rangeBefore({ from: '2013-12-25', to: '2013-12-31' }), { from: '2013-12-18', to: '2013-12-24' })
  t.same(rangeBefore({ from: '2013-01-01', to: '2013-01-01' }), { from: '2012-12-31', to: '2012-12-31' })
  t.same(yearBefore({ from: '2024-02-01', to: '2024-02-29' }), { from: '2023-02-01', to: '2023-02-28' })
})

t.test('a range is written as filters of a query, and read back', async (t) => {
  const query = { select: { measures: ['A'] }, where: ['X > 1', { field: 'Day', op: 'relative', value: {} }] }
  const range = { from: '2013-01-01', to: '2013-03-31' }
  for (const type of ['date', 'timestamp', 'timestamp_tz']) {
    const field = { name: 'Day', type }
    const filtered = withRange(query, field, range)
    t.same(rangeIn(filtered, field), range, type)
    t.equal(filtered.where?.length, type === 'date' ? 2 : 3, 'it replaces other filters of the same time')
    t.same(withRange(filtered, field, undefined), { select: query.select, where: ['X > 1'] })
  }
  t.match(withRange(query, { name: 'Day', type: 'timestamp' }, range).where?.at(-1), { op: 'lt', value: '2013-04-01' })
  t.equal(rangeIn(query, { name: 'Day' }), undefined, 'another kind of filter')
})
