/** Sort keys. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { inRankOrder } from './order.js'

const model = shopWith({
  dimensions: {
    Buyer: { dataObject: 'Customers', column: 'Name', sortBy: 'Region Id' },
    Number: { dataObject: 'Customers', column: 'Id' },
  },
})
const SELECT = { dimensions: ['Region', 'Day:month'], measures: ['Sales'] }
const order = (order_by: readonly object[], more: object = {}) =>
  aggregateQuery({ select: SELECT, order_by, ...more }, model).order.map(
    ({ output, of, descending, nullsFirst }) =>
      `${output ?? of ?? 'value'}${descending ? ' desc' : ''}${nullsFirst ? ' nulls first' : ''}`,
  )

t.test('by name, by position, by the name without its grain', async (t) => {
  t.same(order([{ field: 'sales', direction: 'desc', nulls: 'first' }]), ['Sales desc nulls first'])
  t.same(order([{ field: 3 }, { field: '1' }]), ['Sales', 'Region'])
  t.same(order([{ field: 'Day' }]), ['Day:month'])
  t.same(order([{ field: 'Net' }]), ['value'])
  t.same(order([{ field: 'Sales' }, { field: 3, direction: 'desc' }]), ['Sales'], 'a second key of one column changes nothing')
})

t.test('by the column that orders the values, and then by these', async (t) => {
  const select = { dimensions: ['Buyer'], measures: ['Sales'] }
  t.same(order([{ field: 'Buyer' }], { select }), ['order of Buyer', 'Buyer'])
  t.same(order([{ field: 'Buyer', by: 'value' }], { select }), ['Buyer'])
  const byKey = { select: { dimensions: ['Number'], measures: ['Sales'] } }
  t.same(order([{ field: 'Buyer' }], byKey), ['Buyer 2', 'Buyer 1'], 'of a field that the key decides')
  t.same(order([{ field: 'Buyer', by: 'value' }], byKey), ['Buyer 1'])
})

t.test('a page has each dimension at the end', async (t) => {
  t.same(order([{ field: 'Day' }], { limit: 2 }), ['Day:month', 'Region'])
  t.same(order([], { offset: 2 }), ['Region', 'Day:month'])
  t.same(order([]), [])
})

t.test('what there is not is refused', async (t) => {
  t.throws(() => order([{ field: 'Sels' }]), { code: 'UNKNOWN_ORDER_BY_FIELD', details: { suggestions: ['Sales'] } })
  t.throws(() => order([{ field: 4 }]), { code: 'INVALID_ORDER_BY_POSITION' })
})

t.test('top without an order is sorted by its rank', async (t) => {
  const { dimensions } = aggregateQuery({ select: { dimensions: ['Region'], measures: ['Sales'] } }, model)
  const ranked = (more: object = {}) =>
    inRankOrder(
      parseQuery({
        select: { dimensions: ['Region'], measures: ['Sales'] },
        top: { dimension: 'Region', by: 'Net', n: 2, ...more },
      }),
      dimensions,
    )
  t.same(ranked().order_by, [
    { field: 'Net', direction: 'desc' },
    { field: 1, direction: 'asc' },
  ])
  t.equal(ranked({ others: 'Other' }).order_by[0]?.field, 'Region is others')
  const two = aggregateQuery({ select: SELECT }, model).dimensions
  t.same(inRankOrder(ranked(), two), ranked(), 'one that has an order keeps it')
})
