/** Inner queries over a range: their rows are the periods or groups in it, also if nothing is read at their grain. */
import t from 'tap'
import { compileFor } from '../../../test/support/compile.js'
import { shopAnd, shopWith } from '../../../test/support/models.js'

const model = shopAnd({
  measures: { Best: '{ aggregation: max, columns: [{ dataObject: Orders, column: Amount }], total: true }' },
  metrics: {
    'Two Months':
      '{ type: cumulative, measure: Sales of All, timeDimension: Day, window: 2, windowGrain: month, cumulativeType: count }',
    Statuses: '{ type: aggregate, aggregation: count, measure: Best, per: [Status] }',
    'Statuses Before':
      '{ type: period_over_period, measure: Statuses, periodOverPeriod: { timeDimension: Day, offset: -2, offsetGrain: month, comparison: previousValue } }',
  },
})
const where = [{ field: 'Day', op: 'between', value: ['2025-06-01', '2025-06-30'] }]
const sqlOf = (measure: string) => compileFor({ select: { measures: [measure] }, where }, model).sql

t.test('the periods of a window are folded where a measure has no period', async (t) => {
  const [periods = ''] = /DATE_TRUNC\('month'[\s\S]*?GROUP BY/.exec(sqlOf('Two Months')) ?? []
  t.match(periods, /"day" >= DATE '2025-05-01'/)
})

t.test('the groups of the range that is compared are aggregated', async (t) => {
  const groups = sqlOf('Statuses Before').match(/"status" AS "Status"[\s\S]*?GROUP BY/g) ?? []
  t.equal(groups.length, 2)
  t.match(groups[1], /"day" >= DATE '2025-04-01'/)
})

t.test('a running value that is the same for several rows adds none', async (t) => {
  const shared = shopAnd({
    metrics: { Shared: '{ type: cumulative, measure: Sales of All, timeDimension: Day, partitionBy: [Status] }' },
  })
  const query = {
    select: { dimensions: ['Region'], measures: ['Shared'] },
    where: [{ field: 'Day', op: '>=', value: '2025-06-01' }],
  }
  t.notMatch(compileFor(query, shared).sql, /FULL JOIN/)
})

t.test('a folded value at a coarser grain adds no rows of its window', async (t) => {
  const query = { select: { dimensions: ['Region'], measures: ['Two Months'] }, where }
  const { sql } = compileFor(query, model)
  t.notMatch(sql, /FULL JOIN/)
  t.match(sql, /"day" >= DATE '2025-06-01'/)
})

t.test('a part of a period reads the values of the days that it has', async (t) => {
  const running = (more: object) => ({
    ...{ type: 'cumulative', measure: 'Sales', timeDimension: 'Day', window: 10, windowGrain: 'day', cumulativeType: 'avg' },
    ...more,
  })
  const lastYear = (measure: string) => ({
    type: 'period_over_period',
    measure,
    periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'year' },
  })
  const model = shopWith({
    metrics: {
      Folded: running({}),
      Full: running({ onlyFull: true }),
      'Folded Last Year': lastYear('Folded'),
      'Full Last Year': lastYear('Full'),
    },
  })
  const where = [{ field: 'Day', op: 'between', value: ['2025-03-10', '2025-04-20'] }]
  for (const metric of ['Folded Last Year', 'Full Last Year'])
    t.match(compileFor({ select: { dimensions: ['Day:month'], measures: [metric] }, where }, model).sql, /2024-04-2[01]/, metric)
})
