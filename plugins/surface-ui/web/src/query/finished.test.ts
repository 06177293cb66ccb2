import t from 'tap'
import { finished } from './finished.js'
import type { Query } from './query.js'

const select = { measures: ['Revenue'] }
const shop = { field: 'Country', op: 'in', value: ['NZ'] }

t.test('a filter without a value is no part of the query', async (t) => {
  const unfinished = [
    { field: 'Country', op: 'in', value: [] },
    { field: 'Country', op: 'contains', value: '' },
    { field: 'Day', op: 'between', value: ['2024-01-01', ''] },
    { field: 'Amount', op: 'gt', value: null },
  ]
  for (const filter of unfinished) {
    t.same(finished({ select, where: [shop, filter] }), { select, where: [shop] }, filter.op)
    t.same(finished({ select, having: [filter] }), { select })
  }
})

t.test('every other condition stays, and a query without unfinished filters is the same object', async (t) => {
  const query: Query = {
    select,
    where: [
      shop,
      "Country = 'NZ'",
      { segment: 'Large' },
      { field: 'Country', op: 'is_null' },
      { field: 'Day', op: 'relative', value: { unit: 'month', count: 3 } },
      { field: 'Amount', op: 'eq', value: 0 },
      { field: 'Paid', op: 'eq', value: false },
      { field: 'Country', op: 'equals', value: '' },
    ],
  }
  t.equal(finished(query), query)
})
