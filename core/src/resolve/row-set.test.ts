/** The aggregates and steps that fields need. */
import t from 'tap'
import { aggregateQuery, rowSetContext } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'
import { saidStep } from '../../../test/support/said.js'
import { RowSet } from './row-set.js'

const before = (measure: string, comparison = 'previousValue') => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison },
})
const model = shopWith({
  metrics: {
    Deep: { expression: '{[Net]} * 2 + {[Net]}' },
    Growth: before('Net', 'difference'),
    Rank: { type: 'window', windowFunction: 'rank', measure: 'Net' },
    'Rank Before': before('Rank'),
    Best: { type: 'aggregate', aggregation: 'max', measure: 'Sales', per: ['Status'] },
  },
})
const query = (measures: readonly string[], dimensions = ['Day:month'], more: object = {}) =>
  aggregateQuery({ select: { dimensions, measures }, ...more }, model)
const steps = (...args: Parameters<typeof query>) => query(...args).steps.map(saidStep)

t.test('a formula reads its parts, each once', async (t) => {
  t.same(steps(['Deep', 'Net']), ['Net = (Sales - Returned)', 'Deep = ((Net * 2) + Net)'])
})

t.test('a comparison reads the values of another period, whose rows are rows of the answer', async (t) => {
  t.equal(steps(['Growth']).at(-1), 'Growth = (Net - case Day:month is not null: Net (-1 month))')
  t.same(
    query(['Growth']).aggregates.map(({ name, contributesRows }) => [name, contributesRows]),
    [
      ['Sales', true],
      ['Returned', true],
      ['Sales (-1 month)', true],
      ['Returned (-1 month)', true],
    ],
  )
})

t.test('a rank at another period, and groups of groups, are inner queries', async (t) => {
  t.equal(query(['Rank Before']).nested.length, 1)
  t.match(query(['Best']).nested, [{ aggregate: 'max' }])
  t.equal(query(['Rank']).nested.length, 0)
})

t.test('fields that only having reads make no rows', async (t) => {
  const { aggregates } = query(['Sales'], ['Region'], { having: [{ field: 'Units', op: '>', value: 1 }] })
  t.same(
    aggregates.map(({ name, contributesRows }) => [name, contributesRows]),
    [
      ['Sales', true],
      ['Units', false],
    ],
  )
})

t.test('the conditions that a measure sees', async (t) => {
  const context = rowSetContext({ select: { measures: ['Sales'] }, where: [{ field: 'Region', op: 'set' }] }, model)
  const rows = new RowSet(context)
  t.equal(rows.field('nothing', true, ''), undefined)
  t.same(
    rows.measuresSeen(['Deep']).map(({ measure, where }) => [measure.name, where.length]),
    [
      ['Sales', 1],
      ['Returned', 1],
    ],
  )
  t.same(rows.seenByWindow('Rank'), [])
})

t.test('a rank of a funnel, and a full window without times', async (t) => {
  const model = shopWith({
    dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' } },
    measures: { 'Return Count': { aggregation: 'count', columns: [{ dataObject: 'Returns', column: 'Id' }] } },
    metrics: {
      Funnel: {
        ...{ type: 'funnel', entity: 'Customer', window: '7d', calculation: 'count' },
        steps: [
          { measure: 'Order Count', timeDimension: 'Day' },
          { measure: 'Return Count', timeDimension: 'Return Day' },
        ],
      },
      'Funnel Rank': { type: 'window', windowFunction: 'rank', measure: 'Funnel' },
      Full: { type: 'cumulative', measure: 'Sales', timeDimension: 'Day', window: 10, windowGrain: 'day', onlyFull: true },
      'Full of All': {
        type: 'cumulative',
        measure: 'Sales of All',
        timeDimension: 'Day',
        window: 2,
        windowGrain: 'month',
        onlyFull: true,
      },
      Now: { type: 'cumulative', measure: 'Sales', timeDimension: 'Day', untilNow: true },
    },
  })
  const sql = (select: object, more: object = {}) => compileFor({ select, ...more }, model).sql
  t.match(sql({ dimensions: ['Region'], measures: ['Funnel Rank'] }), /RANK\(\)/)
  const none = { where: [{ field: 'Day', op: 'in', value: [] }] }
  t.match(sql({ dimensions: ['Region'], measures: ['Full'] }, none), /FALSE/i, 'no time is left, so that no window is full')
  const march = { where: [{ field: 'Day', op: 'between', value: ['2025-03-01', '2025-03-31'] }] }
  t.match(sql({ dimensions: ['Region'], measures: ['Full of All'] }, march), /2025-0[23]-01/)
  t.match(sql({ dimensions: ['Region'], measures: ['Now'] }), /2025-06-16/)
})
