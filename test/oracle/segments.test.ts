/** Segments with hand-computed values: a segment is equal to its conditions. */
import t from 'tap'
import { ask, by } from './asking.js'
import { model as base } from './head-to-head.js'
import type { ModelJson, QueryJson } from './model.js'

const model: ModelJson = {
  ...base,
  segments: {
    paid: { filters: [{ field: 'status', op: 'eq', value: 'paid' }] },
    big: {
      filters: [
        { field: 'Orders.amount', op: 'gt', value: 100 },
        { field: 'ordered', op: 'gte', value: '2025-02-01' },
      ],
    },
    'paid in Europe': {
      filters: [
        { field: 'region', op: 'eq', value: 'EU' },
        { field: 'status', op: 'eq', value: 'paid' },
      ],
    },
  },
}
const told = (measures: readonly string[], ...where: NonNullable<QueryJson['where']>) =>
  ask({ ...by([], measures), where }, model)

t.test('a segment can be given as a name or as an entry, and is equal to all of its filters', async (t) => {
  t.same(told(['amount'], 'paid'), ['708.40'])
  t.same(told(['amount'], { segment: 'big' }), ['900.90'])
  t.same(told(['amount'], 'paid', { segment: 'big' }), ['600.60'])
})

t.test('at the top level each filter is separate', async (t) => {
  t.same(told(['amount', 'refund'], 'paid in Europe'), ['300.30 31.00'], 'returns have a region and no status')
  t.equal(told(['refund'], 'big'), 'FILTER_APPLIES_TO_NOTHING')
})

t.test('within a group it is one condition, which can be negated', async (t) => {
  t.same(told(['amount'], { logic: 'and', filters: [{ segment: 'big' }], negated: true }), ['158.30'])
  t.same(told(['amount'], { logic: 'or', filters: ['big', { field: 'region', op: 'is_null' }] }), ['959.10'])
})

t.test('it can be used in exists filters', async (t) => {
  t.same(told(['credit'], { field: 'Customers', op: 'exists', subquery: { dataObject: 'Orders', filter: ['paid'] } }), [
    '1500.50',
  ])
})

t.test('a segment that the rows do not reach is refused, also if no measure applies the filter', async (t) => {
  const own = {
    ...model,
    measures: { ...model.measures, own: { ...model.measures!['amount']!, filterContext: { mode: 'FIXED' } } },
  }
  const where: QueryJson['where'] = [{ field: 'Orders', op: 'exists', subquery: { dataObject: 'Customers', filter: ['big'] } }]
  t.equal(ask({ ...by([], ['own']), where }, own as ModelJson), 'NO_JOIN_PATH')
})

t.test('an unknown segment is refused', async (t) => {
  t.equal(told(['amount'], 'payed'), 'UNKNOWN_FILTER_FIELD')
})
