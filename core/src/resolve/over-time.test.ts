/** Which metrics depend on other rows, and which can be evaluated over a range. */
import t from 'tap'
import { BUDGETS, shopWith } from '../../../test/support/models.js'
import { countedBelow, hasRunning, isOverTime, isRangeable, measuresBelow } from './over-time.js'

const before = (measure: string, timeDimension = 'Day') => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension, offset: -1, offsetGrain: 'month' },
})
const model = shopWith({
  dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' } },
  metrics: {
    Rank: { type: 'window', windowFunction: 'rank', measure: 'Sales' },
    'Rank Before': before('Rank'),
    'Running Before': before('Running Sales'),
    'Other Time': before('Running Sales', 'Return Day'),
    'Best Rank': { type: 'aggregate', aggregation: 'max', measure: 'Running Sales', per: ['Region'] },
    'Best Sales': { type: 'aggregate', aggregation: 'max', measure: 'Sales', per: ['Region'] },
    'Best Before': before('Best Sales'),
    Formula: { expression: '{[Net]} + {[Running Sales]}' },
    Converted: {
      type: 'conversion',
      base: 'Order Count',
      conversion: 'Paid Orders',
      entity: 'Customer',
      window: '7d',
      calculation: 'count',
      timeDimension: 'Day',
      conversionTimeDimension: 'Day',
    },
  },
})
const metric = (name: string) => model.metrics.get(name)!

t.test('a formula over values of other rows', async (t) => {
  t.ok(isOverTime(['Sales', 'Formula'], model))
  t.notOk(isOverTime(['Net', 'Best Sales', 'Sales'], model))
  t.ok(hasRunning(['Formula'], model))
  t.ok(hasRunning(['Running Before'], model))
  t.notOk(hasRunning(['Net', 'Best Rank'], model), 'what is aggregated is no value of the row')
})

t.test('what reads only the rows of its times', async (t) => {
  const CASES: Readonly<Record<string, boolean>> = {
    'Sales Last Month': true,
    'Running Sales': true,
    'Running Before': true,
    'Best Before': true,
    Net: true,
    'Rank Before': false,
    'Other Time': false,
    'Best Rank': false,
    Converted: true,
    Formula: false,
  }
  for (const [name, is] of Object.entries(CASES)) t.equal(isRangeable(metric(name), model), is, name)
})

t.test('the day of a calendar is the time of the facts that join it', async (t) => {
  const days = shopWith(BUDGETS, {
    dimensions: { Here: { dataObject: 'Dates', column: 'Day', via: 'Budgets' } },
    metrics: {
      'Running Budget': { type: 'cumulative', measure: 'Budget', timeDimension: 'Budgeted' },
      'By Day': before('Running Budget', 'Date'),
      'By Its Day': before('Running Budget', 'Here'),
      'By Order': before('Running Budget', 'Day'),
    },
  })
  for (const [name, is] of [
    ['By Day', true],
    ['By Its Day', true],
    ['By Order', false],
  ] as const)
    t.equal(isRangeable(days.metrics.get(name)!, days), is, name)
})

t.test('the measures whose times are those of a field', async (t) => {
  t.same(measuresBelow(['Net', 'Converted'], model), ['Sales', 'Returned', 'Order Count'])
  t.same(countedBelow(metric('Converted')), ['Order Count'], 'later events have other times')
  t.same(countedBelow(metric('Net')), ['Sales', 'Returned'])
})
