import t from 'tap'
import { drilled } from './drilled.js'

t.test('the values of a row become filters, and another dimension the only group', async (t) => {
  const answered = {
    select: { dimensions: ['City', 'Day:month'], measures: ['Sales'] },
    where: ['Amount > 1'],
    order_by: [{ field: 'Sales' }],
    limit: 3,
    grouping: 'rollup',
  }
  t.same(drilled(answered, { City: 'Oslo', 'Day:month': '2024-02-01' }, 'Customer'), {
    select: { dimensions: ['Customer'], measures: ['Sales'] },
    where: [
      'Amount > 1',
      { field: 'City', op: 'in', value: ['Oslo'] },
      { field: 'Day', op: 'gte', value: '2024-02-01' },
      { field: 'Day', op: 'lt', value: '2024-03-01' },
    ],
  })
  t.same(drilled(answered, { City: null }, 'Customer').where, ['Amount > 1', { field: 'City', op: 'is_null' }])
  t.same(drilled(answered, {}, 'Customer').where, ['Amount > 1'], 'the grand total')
})
