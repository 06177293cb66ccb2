/** When a block of another period may read all rows of its base, so that it is one aggregation with a block of the answer. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { blockRequests } from './block-requests.js'
import { sharedRows } from './shared-rows.js'

const model = shopWith({
  measures: {
    'Paid Anyway': {
      aggregation: 'count',
      columns: [{ dataObject: 'Orders', column: 'Id' }],
      filters: [{ field: 'Orders.Status', op: 'equals', value: 'paid' }],
      allowFanOut: true,
    },
    'Units of Apples': {
      aggregation: 'sum',
      columns: [{ dataObject: 'Items', column: 'Quantity' }],
      filters: [{ field: 'Items.Product', op: 'equals', value: 'apple' }],
    },
  },
  metrics: {
    'Anyway Last Month': {
      type: 'period_over_period',
      measure: 'Paid Anyway',
      periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison: 'previousValue' },
    },
  },
})

/** By measures: which requests then read all rows. */
function shares(measures: readonly string[], dimensions: readonly string[] = ['Day:month']): readonly boolean[] {
  const query = aggregateQuery({ select: { dimensions, measures } }, model)
  return sharedRows.rewrite(blockRequests(query), query).map(({ request }) => request.ofAllRows === true)
}

t.test('a filtered block of another period shares the rows of one that reads all', async (t) => {
  t.same(shares(['Sales', 'Paid Orders Last Month']), [false, true])
  t.same(shares(['Sales', 'Paid Sales', 'Paid Orders Last Month']), [false, true], 'beside a filtered measure')
})

t.test('a block of the answer itself is left alone', async (t) => {
  t.same(shares(['Sales', 'Paid Sales']), [false])
})

t.test('a block that leaves out no row shares them anyway', async (t) => {
  t.same(shares(['Sales', 'Sales Last Month']), [false, false])
  t.same(shares(['Order Count', 'Sales Last Month', 'Paid Sales Last Month']), [false, false], 'one of its measures counts all')
})

t.test('no block reads all rows of that base', async (t) => {
  t.same(shares(['Paid Sales', 'Paid Orders Last Month']), [false, false], 'that of the answer is filtered')
  t.same(shares(['Units', 'Paid Orders Last Month']).includes(true), false, 'that of the answer has another base')
  t.same(shares(['Sales Last Month', 'Paid Orders Last Month']).includes(true), false, 'all rows are those of another period')
})

t.test('a block whose dimensions are rows of the answer creates no more of them', async (t) => {
  t.same(shares(['Sales', 'Paid Orders Last Month'], ['Day:month', 'Region']), [false, false])
})

t.test('a row that counts for each of its connections is not shared', async (t) => {
  t.notOk(shares(['Sales', 'Anyway Last Month']).includes(true))
})
