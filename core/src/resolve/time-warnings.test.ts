/** Warnings about metrics over time whose numbers could be misunderstood. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { BUDGETS, manyToOne, shopWith } from '../../../test/support/models.js'

const of = (more: object = {}) => ({
  type: 'period_over_period',
  measure: 'Sales',
  periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', ...more },
})
const running = (measure: string, more: object = {}) => ({ type: 'cumulative', measure, timeDimension: 'Day', ...more })
const model = shopWith({
  dataObjects: {
    Days: {
      code: 'days',
      columns: { Date: { code: 'date', abstractType: 'date', primaryKey: true }, Week: { code: 'week', abstractType: 'int' } },
    },
    Orders: { joins: [manyToOne('Customers', 'Customer Id'), manyToOne('Days', 'Day', { columnsTo: ['Date'] })] },
  },
  dimensions: { Week: { dataObject: 'Days', column: 'Week' } },
  metrics: {
    Whole: of({ compare: 'whole' }),
    'Running Buyers': running('Buyers'),
    'Running Net': running('Net'),
    'Running Refunds': running('Refunds'),
    Refunds: { expression: '-{[Returned]}' },
    'Running Ratio': running('Ratio'),
    Ratio: { expression: '{[Sales]} / {[Returned]}' },
    Folded: running('Buyers', { cumulativeType: 'sum' }),
    Above: { expression: '{[Running Buyers]} + 1' },
  },
})
const codes = (
  measures: readonly string[],
  { dimensions = ['Day:month'], where = [] as readonly object[], within = model } = {},
) => resolved({ select: { dimensions, measures }, where }, within).warnings.map(({ code }) => code)
const between = (from: string, to: string) => [{ field: 'Day', op: 'between', value: [from, to] }]

t.test('what does not add up', async (t) => {
  t.same(codes(['Running Buyers']), ['CUMULATIVE_RECOMPUTED'])
  t.same(codes(['Above']), ['CUMULATIVE_RECOMPUTED'])
  t.same(codes(['Running Ratio']), ['CUMULATIVE_RECOMPUTED'])
  t.same(codes(['Running Sales', 'Running Net', 'Running Refunds', 'Folded']), [])
})

t.test('a part that is compared with a whole period', async (t) => {
  t.same(codes(['Whole'], { where: between('2025-03-05', '2025-03-31') }), ['PARTIAL_PERIOD'])
  t.same(codes(['Whole'], { where: between('2025-03-01', '2025-03-31') }), [])
  t.same(codes(['Whole'], { where: [{ field: 'Day', op: 'in', value: ['2025-03-05', null] }] }), ['PARTIAL_PERIOD'])
  t.same(codes(['Sales Last Month'], { where: between('2025-03-05', '2025-03-31') }), [])
  t.same(codes(['Whole'], { where: [{ expression: "{[Day]} < DATE '2025-03-05'" }] }), ['PARTIAL_PERIOD'])
  t.same(codes(['Whole'], { where: [{ field: 'Day', op: 'relative', value: { unit: 'week', count: 1 } }] }), ['PARTIAL_PERIOD'])
})

for (const [condition, isPart] of [
  ["NOT {[Day]} >= DATE '2025-03-05'", true],
  ["NOT {[Day]} >= DATE '2025-03-01'", false],
  ["{[Day]} < DATE '2025-03-05' OR {[Day]} >= DATE '2025-04-01'", true],
  ["{[Day]} < DATE '2025-03-01' OR {[Day]} >= DATE '2025-04-01'", false],
  ["{[Day]} <= DATE '2025-03-05'", true],
  ["{[Day]} <= DATE '2025-02-28'", false],
  ["{[Day]} > DATE '2025-02-28'", false],
  ["{[Day]} <> DATE '2025-03-05'", true],
  ["{[Day]} = DATE '2025-03-05'", true],
  ["{[Day]} < TIMESTAMP '2025-03-05 10:00:00'", true],
  ['{[Day]} IS NULL', false],
  ['{[Day]} > {[Orders].[Day]}', false],
] as const)
  t.test(`where a period is cut: ${condition}`, async (t) =>
    t.same(codes(['Whole'], { where: [{ expression: condition }] }), isPart ? ['PARTIAL_PERIOD'] : []),
  )

t.test('a table of days beside the time', async (t) => {
  t.same(codes(['Running Sales'], { dimensions: ['Day', 'Week'] }), ['TIME_BESIDE_A_CALENDAR'])
  t.same(codes(['Running Sales'], { dimensions: ['Day'], where: [{ field: 'Week', op: '=', value: 1 }] }), [
    'TIME_BESIDE_A_CALENDAR',
  ])
})

t.test('a period that a calendar names is whole', async (t) => {
  const metric = { timeDimension: 'Date', offset: -1, offsetGrain: 'year', compare: 'whole' }
  const within = shopWith(BUDGETS, {
    metrics: { Whole: { type: 'period_over_period', measure: 'Budget', periodOverPeriod: metric } },
  })
  t.same(codes(['Whole'], { dimensions: ['Date:month'], where: [{ field: 'Year No', op: 'equals', value: 2025 }], within }), [])
})

t.test('a filter of the model that leaves a part of the compared range', async (t) => {
  const within = shopWith({ filters: [{ dataObject: 'Orders', column: 'Day', operator: 'gte', value: '2025-02-10' }] })
  t.same(codes(['Sales Last Month'], { where: between('2025-03-01', '2025-03-31'), within }), ['COMPARED_RANGE_RESTRICTED'])
  t.same(codes(['Sales Last Month'], { where: between('2025-04-01', '2025-04-30'), within }), [])
})
