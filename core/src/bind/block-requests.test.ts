/** Which aggregates share one block, which blocks create the rows of an answer, and which dimensions may count a row several times. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { loadText } from '../../../test/support/compile.js'
import { PARCELS_AND_LABELS, SHOP, shopWith } from '../../../test/support/models.js'
import type { AggregateQuery } from '../resolve/resolved-query.js'
import { blockRequests, isWhole, reachOf, tupleRequest } from './block-requests.js'

const model = loadText(
  SHOP.replace(
    'metrics:\n',
    `  Units of Apples: { aggregation: sum, columns: [{ dataObject: Items, column: Quantity }], filters: [{ field: Items.Product, op: equals, value: apple }] }
  Customers of Apples: { aggregation: count, columns: [{ dataObject: Customers, column: Id }], filters: [{ field: Items.Product, op: equals, value: apple }] }
  Sales Anyway: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], allowFanOut: true }
  Sales of All Times: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], filterContext: { mode: RELATIVE, exclude: [Day] } }
metrics:
`,
  ),
)

const asked = (select: object, more: object = {}): AggregateQuery => aggregateQuery({ select, ...more }, model)

const blocks = (query: AggregateQuery): readonly string[] =>
  blockRequests(query).map(
    ({ request, contributesRows, atQueryGrain }) =>
      `${request.base}: ${request.aggregates.map(({ name }) => name).join(', ')}${contributesRows ? '' : ', silent'}${atQueryGrain ? '' : ', looked up'}`,
  )

for (const [title, query, wanted] of [
  [
    'of one base',
    asked({ dimensions: ['Region'], measures: ['Sales', 'Order Count', 'Paid Sales'] }),
    ['Orders: Sales, Order Count, Paid Sales'],
  ],
  ['of two bases', asked({ dimensions: ['Region'], measures: ['Sales', 'Returned'] }), ['Orders: Sales', 'Returns: Returned']],
  [
    'with other conditions',
    asked(
      { dimensions: ['Region'], measures: ['Sales', 'Sales of All Times'] },
      { where: [{ field: 'Day', op: 'gte', value: '2024-01-01' }] },
    ),
    ['Orders: Sales', 'Orders: Sales of All Times'],
  ],
  [
    'without such a condition',
    asked({ dimensions: ['Region'], measures: ['Sales', 'Sales of All Times'] }),
    ['Orders: Sales, Sales of All Times'],
  ],
  [
    'at a coarser grain',
    asked({ dimensions: ['Customer', 'Region'], measures: ['Sales', 'Sales of Region', 'Sales of All'] }),
    ['Orders: Sales', 'Orders: Sales of Region, looked up', 'Orders: Sales of All, looked up'],
  ],
  [
    'at the grain of the query',
    asked({ dimensions: ['Region'], measures: ['Sales', 'Sales of Region'] }),
    ['Orders: Sales, Sales of Region'],
  ],
  [
    'of another period',
    asked({ dimensions: ['Day:month'], measures: ['Sales', 'Sales Last Month', 'Sales Last Year'] }),
    ['Orders: Sales', 'Orders: Sales (-1 month), silent, looked up', 'Orders: Sales (-1 year), silent, looked up'],
  ],
  [
    'that only the order reads, of all rows',
    asked({ dimensions: ['Region'], measures: ['Sales'] }, { order_by: [{ field: 'Order Count' }] }),
    ['Orders: Sales, Order Count'],
  ],
  [
    'that only the order reads, of fewer rows',
    asked({ dimensions: ['Region'], measures: ['Paid Sales'] }, { order_by: [{ field: 'Order Count' }] }),
    ['Orders: Paid Sales', 'Orders: Order Count, silent'],
  ],
  [
    'with a filter on a bridge',
    asked({ dimensions: ['Region'], measures: ['Customer Count', 'Customers of Apples'] }),
    ['Customers: Customer Count', 'Customers: Customers of Apples'],
  ],
  [
    'that count each connection',
    asked({ dimensions: ['Product'], measures: ['Sales', 'Sales Anyway'] }),
    ['Orders: Sales', 'Orders: Sales Anyway'],
  ],
] as const)
  t.test(`aggregates ${title}`, async (t) => {
    t.same(blocks(query), wanted)
  })

t.test('a row is in several groups of a dimension that a bridge has', async (t) => {
  const overlapping = (dimension: string) =>
    blockRequests(asked({ dimensions: [dimension], measures: ['Sales'] })).map((one) => one.overlapping)
  t.same(overlapping('Product'), [['Product']])
  t.same(overlapping('Region'), [[]])
})

t.test('a block has the bridges that its dimensions and filters are read on', async (t) => {
  const bridges = (select: object) => blockRequests(asked(select)).map(({ request }) => [...request.bridges])
  t.same(bridges({ dimensions: ['Region'], measures: ['Sales'] }), [[]])
  t.same(bridges({ dimensions: ['Product'], measures: ['Sales'] }), [['Items']])
  t.same(bridges({ dimensions: ['Region'], measures: ['Units of Apples'] }), [[]], 'its own rows')
  t.same(bridges({ dimensions: ['Region'], measures: ['Customers of Apples'] }), [['Items']])
})

t.test('another period has all other dimensions, and there are some, or it adds no row', async (t) => {
  const whole = (dimensions: readonly string[]) => {
    const query = asked({ dimensions, measures: ['Sales', 'Sales Last Month'] })
    return blockRequests(query).map((one) => isWhole(one, query))
  }
  t.same(whole(['Day:month']), [false, false], 'there is no other dimension')
  t.same(whole(['Day:month', 'Region']), [false, true])
})

const before = (measure: string) => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison: 'previousValue' },
})

t.test('values of another period that only the order reads add no rows beside those that are shown', async (t) => {
  const moved = shopWith({ metrics: { 'Sold Before': before('Sales'), 'Paid Before': before('Paid Sales') } })
  const select = { dimensions: ['Day:month', 'Region'], measures: ['Paid Before'] }
  t.same(blocks(aggregateQuery({ select, order_by: [{ field: 'Sold Before' }] }, moved)).slice(2), [
    'Orders: Paid Sales (-1 month), looked up',
    'Orders: Sales (-1 month), silent, looked up',
  ])
})

t.test('a count of another period through a bridge is apart from other filters, so that it is NULL without rows', async (t) => {
  const shifted = (dimensions: readonly string[], metrics: readonly string[]) => {
    const counted = shopWith({
      metrics: {
        'Orders Before': before('Order Count'),
        'Paid Before': before('Paid Orders'),
        'Sold Before': before('Sales'),
        'Paid Sold Before': before('Paid Sales'),
      },
    })
    const query = aggregateQuery({ select: { dimensions, measures: metrics } }, counted)
    return blockRequests(query).filter(({ shift }) => shift).length
  }
  t.equal(shifted(['Day:month', 'Product'], ['Orders Before', 'Paid Before']), 2)
  t.equal(shifted(['Day:month', 'Region'], ['Orders Before', 'Paid Before']), 1, 'no bridge')
  t.equal(shifted(['Day:month', 'Product'], ['Sold Before', 'Paid Sold Before']), 1, 'sums are NULL anyway')
})

t.test('parts of a row add up to the row, except averages over times', async (t) => {
  const weighted = (take: string) =>
    shopWith(PARCELS_AND_LABELS, {
      measures: {
        Balance: {
          aggregation: 'sum',
          columns: [{ dataObject: 'Orders', column: 'Amount' }],
          semiAdditive: { timeDimension: 'Day', take },
        },
      },
    })
  const overlapping = (measure: string, dimensions: readonly string[], take = 'last') =>
    blockRequests(aggregateQuery({ select: { dimensions, measures: [measure] } }, weighted(take))).flatMap(
      (one) => one.overlapping,
    )
  t.same(overlapping('Sales', ['Label']), [])
  t.same(overlapping('Balance', ['Label'], 'last'), [])
  t.same(overlapping('Balance', ['Label'], 'avg'), ['Label'])
  t.same(overlapping('Sales', ['Label', 'Product']), ['Product'], 'a bridge without weights')
})

t.test('the whole query may count each connection', async (t) => {
  const fanOut = (more: object) =>
    blockRequests(asked({ dimensions: ['Product'], measures: ['Sales'] }, more)).map(({ request }) => request.fanOut)
  t.same(fanOut({}), [false])
  t.same(fanOut({ allow_fan_out: true }), [true])
})

t.test('the tuples of an aggregate have its filters, and the bridges of all that is read', async (t) => {
  const tuples = (measure: string, of = model) => {
    const query = aggregateQuery({ select: { dimensions: ['Region'], measures: [measure] } }, of)
    const request = tupleRequest(query.aggregates[0]!, query.dimensions, query)
    return [
      request.base,
      request.aggregates.length,
      [...request.bridges],
      request.bridgeFilters.length,
      request.multiFact?.facts.length,
    ]
  }
  t.same(tuples('Customers of Apples'), ['Customers', 0, ['Items'], 1, undefined])
  t.same(tuples('Sales'), ['Orders', 0, [], 0, undefined])
  const more = shopWith(PARCELS_AND_LABELS, {
    measures: {
      Kept: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
      'By Product': {
        aggregation: 'sum',
        columns: [{ dataObject: 'Orders', column: 'Amount' }],
        semiAdditive: { timeDimension: 'Day', take: 'last', per: ['Product'] },
      },
    },
  })
  t.same(tuples('Kept', more), ['Customers', 0, [], 0, 2])
  t.same(tuples('By Product', more), ['Orders', 0, ['Items'], 0, undefined])
})

t.test('the facts of measures that are joined at one object are read once', async (t) => {
  const kept = (more: object = {}) => ({
    aggregation: 'sum',
    expression: '{[Orders].[Amount]} - {[Returns].[Amount]}',
    anchor: 'Customers',
    ...more,
  })
  const both = shopWith({
    measures: {
      Kept: kept(),
      Largest: kept({ aggregation: 'max', expression: '{[Orders].[Amount]} - {[Returns].[Amount]} * 2' }),
    },
  })
  const [one, ...others] = blockRequests(
    aggregateQuery({ select: { dimensions: ['Region'], measures: ['Kept', 'Largest'] } }, both),
  )
  t.same(others, [])
  t.same(
    one?.request.multiFact?.facts.map(({ base, aggregates }) => [base, ...aggregates.map(({ name }) => name)]),
    [
      ['Orders', 'Orders.Amount'],
      ['Returns', 'Returns.Amount'],
    ],
  )
  t.equal(one?.request.fanOut, false)
})

t.test('a condition that all aggregates ignore is known', async (t) => {
  const where = [{ field: 'Day', op: 'gte', value: '2024-01-01' }]
  const ignored = (measures: readonly string[]) => {
    const query = asked({ dimensions: ['Region'], measures }, { where })
    return reachOf(blockRequests(query), query).ignored.length
  }
  t.equal(ignored(['Sales of All Times']), 1)
  t.equal(ignored(['Sales of All Times', 'Sales']), 0)
})

t.test('what cannot be reached is refused with what can', async (t) => {
  const refused = (select: object) => () => blockRequests(asked(select))
  t.throws(refused({ dimensions: ['Product'], measures: ['Returned'] }), {
    code: 'NO_JOIN_PATH',
    path: 'select.dimensions[0]',
    message:
      /'Returned' cannot be grouped by 'Product': its rows are those of 'Returns', from which 'Product' on 'Items' cannot be reached/,
  })
})
