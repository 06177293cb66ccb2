import t from 'tap'
import { withClicked } from './click-filter.js'

const asked = (pick: string) => ({ select: { dimensions: [pick], measures: ['N'] } })
const clicked = (pick: string, value: string | number | null, only = true) =>
  withClicked(asked(pick), { answered: asked(pick), name: pick, value, only }).where

t.test('a derived period becomes a range up to the next period', async (t) => {
  const cases = [
    ['Date:month', '2013-12-01', '2014-01-01'],
    ['Date:quarter', '2013-10-01', '2014-01-01'],
    ['Date:year', '2012-01-01', '2013-01-01'],
    ['Date:week', '2024-02-26', '2024-03-04'],
    ['Date:day', '2024-02-28', '2024-02-29'],
    ['Date:hour', '2013-03-10T01:00:00.000', '2013-03-10T02:00:00'],
    ['Date:minute', '2013-12-31T23:59:00.000', '2014-01-01T00:00:00'],
  ] as const
  for (const [pick, value, next] of cases)
    t.same(clicked(pick, value), [
      { field: 'Date', op: 'gte', value },
      { field: 'Date', op: 'lt', value: next },
    ])
  const both = {
    logic: 'and',
    filters: [
      { field: 'Date', op: 'gte', value: '2013-12-01' },
      { field: 'Date', op: 'lt', value: '2014-01-01' },
    ],
  }
  t.same(clicked('Date:month', '2013-12-01', false), [{ ...both, negated: true, or_missing: true }])
})

t.test('other values become equality filters', async (t) => {
  t.same(clicked('Date', '2013-12-01'), [{ field: 'Date', op: 'in', value: ['2013-12-01'] }])
  t.same(clicked('Date', 7, false), [{ field: 'Date', op: 'not_in', value: [7], or_missing: true }])
  t.same(clicked('Date:month', null), [{ field: 'Date', op: 'is_null' }])
  t.same(clicked('Date:year', '9999-01-01'), [{ field: 'Date', op: 'in', value: ['9999-01-01'] }])
})
