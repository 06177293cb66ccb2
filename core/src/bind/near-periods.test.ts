/** Which times of another period are read: those that rows of the answer can look up, and no others if that is known. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
import type { Expr } from '../model/expression/ast.js'
import type { SemanticModel } from '../model/semantic-model.js'
import type { WhereLeaf } from '../resolve/resolved-query.js'
import { blockRequests } from './block-requests.js'
import { nearPeriods } from './near-periods.js'

const sum = { aggregation: 'sum', columns: [{ dataObject: 'Orders', column: 'Amount' }] }
const before = (offset: number, offsetGrain: string, measure = 'Sales', timeDimension = 'Day') => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension, offset, offsetGrain, comparison: 'previousValue' },
})
const more = {
  measures: { 'Sales Ever': { ...sum, filterContext: { mode: 'RELATIVE', exclude: ['Day'] } } },
  metrics: {
    'A Day Before': before(-1, 'day'),
    'A Week Before': before(-1, 'week'),
    'Two Weeks Before': before(-2, 'week'),
    'A Quarter Before': before(-1, 'quarter'),
    'Two Months Before': before(-2, 'month'),
    'A Month After': before(1, 'month'),
    'Ages Before': before(-100_001, 'day'),
    'Long Before': before(-100_000, 'day'),
    'Ages After': before(100_001, 'day'),
    'Per Customer': { type: 'aggregate', measure: 'Sales', aggregation: 'avg', per: ['Customer'] },
    'Per Customer Last Month': before(-1, 'month', 'Per Customer'),
  },
}
const dates = shopWith(more)
const times = shopWith(more, { dataObjects: { Orders: { columns: { Day: { abstractType: 'timestamp' } } } } })

const between = (from: string, to: string) => [
  { field: 'Day', op: 'gte', value: from },
  { field: 'Day', op: 'lt', value: to },
]

/** The bounds that each block of another period has after the rule. */
function bounds(
  measures: readonly string[],
  where: readonly object[],
  dimensions = ['Day:month'],
  model: SemanticModel = dates,
  more: object = {},
) {
  const query = aggregateQuery({ select: { dimensions, measures }, where, ...more }, model)
  return nearPeriods
    .rewrite(blockRequests(query), query)
    .filter(({ shift }) => shift)
    .map(({ request }) =>
      request.conjuncts
        .filter((c) => c.isNear || c.ofMeasure)
        .flatMap((c) => told(c.expression))
        .join(' '),
    )
}

/** Like `>= 2024-01-01`. */
function told(expression: Expr<WhereLeaf>): readonly string[] {
  if (expression.kind !== 'binary') return [expression.kind]
  // The part of a period, of which the measure says the meaning.
  if (expression.operator === 'or') return []
  if (expression.operator === 'and') return [...told(expression.left), ...told(expression.right)]
  return [
    `${expression.operator} ${expression.right.kind === 'literal' ? String(expression.right.value).replace(' 00:00:00', '') : '?'}`,
  ]
}

const march = between('2024-03-01', '2024-04-01')
const within = (...value: readonly [string, string]) => [{ field: 'Day', op: 'between', value }]
const days = within('2024-03-01', '2024-03-31')
const SALES = ['Sales', 'Sales Last Month']

t.test('the periods before those of the answer', async (t) => {
  t.same(bounds(SALES, march), ['>= 2024-02-01 < 2024-03-01'])
})

for (const [measure, wanted] of [
  ['Sales Last Month', '>= 2024-02-01 < 2024-03-01'],
  ['Two Months Before', '>= 2024-01-01 < 2024-02-01'],
  ['A Month After', '>= 2024-04-01 < 2024-05-01'],
  ['A Quarter Before', '>= 2023-12-01 < 2024-01-01'],
  ['Sales Last Year', '>= 2023-03-01 < 2023-04-01'],
] as const)
  t.test(`${measure} of March`, async (t) => {
    const lower = bounds(['Sales', measure], march.slice(0, 1))
    const upper = bounds(['Sales', measure], march.slice(1))
    t.same([...lower, ...upper].join(' '), wanted, 'the other months of a quarter or a year are not read')
  })

t.test('a day looks up days, and a week weeks, or the part of them that the query leaves', async (t) => {
  t.same(bounds(['Sales', 'A Day Before'], march, ['Day:day']).join(), '>= 2024-02-29 < 2024-03-31')
  const weeks = between('2024-03-06', '2024-03-13')
  t.same(bounds(['Sales', 'A Week Before'], weeks, ['Day:week']).join(), '>= 2024-02-28 < 2024-03-06')
  t.same(
    bounds(['Sales', 'A Week Before'], between('2024-03-04', '2024-03-11'), ['Day:week']).join(),
    '>= 2024-02-26 < 2024-03-04',
  )
})

t.test('a range that begins within a month is compared with that part of the month before', async (t) => {
  t.same(bounds(SALES, between('2024-03-15', '2024-04-15')).join(), '>= 2024-02-15 < 2024-03-15')
})

t.test('times of day have two more days on each side before and after the shift, so that no zone matters', async (t) => {
  t.same(bounds(SALES, between('2024-03-10', '2024-03-20'), ['Day:month'], times).join(), '>= 2024-01-30 < 2024-03-03')
  t.same(bounds(SALES, between('2024-03-02', '2024-03-31'), ['Day:month'], times).join(), '>= 2023-12-30 < 2024-04-03')
})

t.test('blocks with the same rows have the same bounds if little more is read, so that they are one', async (t) => {
  const near = bounds(['Sales', 'Sales Last Month', 'Two Months Before'], within('2024-03-01', '2024-03-31'))
  t.same(near, ['>= 2024-01-01 < 2024-03-01', '>= 2024-01-01 < 2024-03-01'])
  const far = bounds(['Sales', 'Sales Last Month', 'Sales Last Year'], within('2024-03-01', '2024-03-31'))
  t.same(far, ['>= 2024-02-01 < 2024-03-01', '>= 2023-03-01 < 2023-04-01'])
  const open = bounds(['Sales', 'Sales Last Month', 'Two Months Before'], march.slice(0, 1))
  t.same(open, ['>= 2024-02-01', '>= 2024-01-01'], 'without an end, each has its own')
})

t.test('blocks with a gap of at most half of what they read', async (t) => {
  // Of weeks 1 and 2: none between them; of 1 and 3: one between two.
  const week = within('2024-03-04', '2024-03-10')
  t.same(bounds(['Sales', 'A Week Before', 'Two Weeks Before'], week, ['Day:week']), [
    '>= 2024-02-19 < 2024-03-04',
    '>= 2024-02-19 < 2024-03-04',
  ])
  const month = within('2024-02-01', '2024-02-29')
  t.same(
    bounds(['Sales', 'Sales Last Month', 'A Quarter Before'], month),
    ['>= 2024-01-01 < 2024-02-01', '>= 2023-11-01 < 2023-12-01'],
    'a month between two of 31 and 30 days is more',
  )
})

t.test('other dimensions or another time are other rows', async (t) => {
  t.same(bounds(['Sales', 'Sales Last Month', 'Paid Sales Last Month'], march), ['>= 2024-02-01 < 2024-03-01'])
})

t.test('blocks over other times of the same rows have their own bounds', async (t) => {
  const model = shopWith(more, {
    dataObjects: { Orders: { columns: { Shipped: { code: 'shipped', abstractType: 'date' } } } },
    dimensions: { Shipped: { dataObject: 'Orders', column: 'Shipped' } },
    metrics: { 'Shipped Before': before(-2, 'month', 'Sales', 'Shipped') },
  })
  const both = ['Day', 'Shipped'].flatMap((field) => days.map((one) => ({ ...one, field })))
  t.same(bounds(['Sales', 'Sales Last Month', 'Shipped Before'], both, ['Day:month', 'Shipped:month'], model), [
    '>= 2024-02-01 < 2024-03-01',
    '>= 2024-01-01 < 2024-02-01',
  ])
})

t.test('blocks of several facts by one calendar have their own bounds', async (t) => {
  const toDates = [manyToOne('Customers', 'Customer Id'), manyToOne('Dates', 'Day', { columnsTo: ['Date'] })]
  const model = shopWith(more, {
    dataObjects: { Dates: { calendar: {} }, Orders: { joins: toDates }, Returns: { joins: toDates } },
    dimensions: { Date: { dataObject: 'Dates', column: 'Date' } },
    metrics: { 'Sales Before': before(-1, 'month', 'Sales', 'Date'), 'Returned Before': before(-2, 'month', 'Returned', 'Date') },
  })
  const inMarch = days.map((one) => ({ ...one, field: 'Date' }))
  t.same(bounds(['Sales', 'Returned', 'Sales Before', 'Returned Before'], inMarch, ['Date:month'], model), [
    '>= 2024-02-01 < 2024-03-01',
    '>= 2024-01-01 < 2024-02-01',
  ])
})

t.test('weeks look up the weeks of the month before, which may begin before it', async (t) => {
  t.same(bounds(SALES, between('2024-03-04', '2024-03-11'), ['Day:week']), ['>= 2024-01-29 < 2024-03-04'])
})

t.test('no row is bounded unless all rows of the answer are', async (t) => {
  t.same(bounds(SALES, []), [''])
  t.same(bounds(SALES, [{ field: 'Status', op: 'equals', value: 'paid' }]), [''], 'a condition on something else')
  t.same(bounds(['Sales Ever', ...SALES], march), [''], 'one measure ignores the bounds')
  t.same(bounds(['Sales', 'Per Customer', 'Sales Last Month'], march), [''], 'an inner query reads separate rows')
  t.same(bounds(['Customer Count', 'Sales Last Month'], march, ['Customer', 'Day:month']), [''], 'rows of another fact')
})

t.test('a measure that only the order reads sets no bound and has none', async (t) => {
  const order_by = [{ field: 'Sales Ever' }]
  t.same(bounds(['Paid Sales', 'Sales Last Month'], march, ['Day:month'], dates, { order_by }), ['>= 2024-02-01 < 2024-03-01'])
})

t.test('a shift of more periods than dates are known for is not bounded', async (t) => {
  t.same(bounds(['Sales', 'Ages Before'], march, ['Day:day']), [''])
  t.same(bounds(['Sales', 'Ages After'], march, ['Day:day']), [''])
  t.same(bounds(['Sales', 'Long Before'], march, ['Day:day']), ['>= 1750-05-17 < 1750-06-17'])
  t.same(
    bounds(['Sales', 'Ages Before', 'A Day Before'], march, ['Day:day']),
    ['', '>= 2024-02-29 < 2024-03-31'],
    'and no other because of it',
  )
})

t.test('bounds before year 1149 or after 2791 are not written', async (t) => {
  t.same(bounds(SALES, between('1148-08-01', '2024-04-01')), ['< 2024-03-01'])
  t.same(bounds(SALES, between('2024-03-01', '2791-08-01')), ['>= 2024-02-01'])
  t.same(bounds(SALES, between('1149-03-01', '2791-03-01')), ['>= 1149-02-01 < 2791-02-01'])
  t.same(bounds(SALES, between('1100-01-01', '2900-01-01')), [''])
})

t.test('a time that a bridge reads sets no bound', async (t) => {
  const model = shopWith(more, { metrics: { 'Customers Last Month': before(-1, 'month', 'Customer Count') } })
  t.same(bounds(['Customer Count', 'Customers Last Month'], march, ['Day:month'], model), [''])
})

t.test('a condition on the periods of a calendar sets no bound', async (t) => {
  const model = shopWith({
    dataObjects: {
      Days: {
        code: 'days',
        calendar: { key: 'Day', periods: { Month: 'month' } },
        columns: {
          Day: { code: 'day', abstractType: 'date', primaryKey: true },
          Month: { code: 'month', abstractType: 'string' },
        },
      },
      Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Day'] })] },
    },
    dimensions: { Date: { dataObject: 'Days', column: 'Day' }, Month: { dataObject: 'Days', column: 'Month' } },
    metrics: { 'Sales Before': before(-1, 'month', 'Sales', 'Date') },
  })
  t.same(bounds(['Sales', 'Sales Before'], [{ field: 'Month', op: 'equals', value: '2024-03' }], ['Date:month'], model), [''])
})
