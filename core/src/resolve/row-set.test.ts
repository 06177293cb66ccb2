/** The aggregates and steps that fields need. */
import t from 'tap'
import { aggregateQuery, rowSetContext } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { shopWith } from '../../../test/support/models.js'
import { saidStep } from '../../../test/support/said.js'
import { RowSet } from './row-set.js'

const before = (measure: string, comparison = 'previousValue', timeDimension = 'Day') => ({
  type: 'period_over_period',
  measure,
  periodOverPeriod: { timeDimension, offset: -1, offsetGrain: 'month', comparison },
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

const shipped = shopWith({
  dataObjects: { Orders: { columns: { 'Shipped On': { code: 'shipped_on', abstractType: 'date' } } } },
  dimensions: { Shipped: { dataObject: 'Orders', column: 'Shipped On' } },
  metrics: {
    'Running Shipped': { type: 'cumulative', measure: 'Sales', timeDimension: 'Shipped' },
    'Running Shipped Before': before('Running Shipped'),
    'Shipped Before': before('Sales', 'difference', 'Shipped'),
    'Shipped Before Before': before('Shipped Before'),
    'Best Running': { type: 'aggregate', aggregation: 'max', measure: 'Running Sales', per: ['Status'] },
    'Best Running Before': before('Best Running'),
    Now: { type: 'cumulative', measure: 'Sales', timeDimension: 'Day', untilNow: true },
    'Now Before': before('Now', 'difference', 'Shipped'),
  },
})
const found = (measure: string, dimensions: readonly string[]) => {
  const { nested, steps } = aggregateQuery({ select: { dimensions, measures: [measure] } }, shipped)
  return {
    of: nested.map(({ name, shift, contributesRows }) => [name, shift?.dimension.label, contributesRows]),
    last: saidStep(steps.at(-1)!),
    prior: steps.map(saidStep).find((step) => step.includes('(-1 month) = ')),
  }
}

t.test('what runs along another time, or over rows, is read at another period from the rows of that period', async (t) => {
  const both = ['Day:month', 'Shipped:month']
  for (const measure of ['Running Shipped', 'Shipped Before']) {
    const name = `${measure} (-1 month, found)`
    const { of, prior } = found(`${measure} Before`, both)
    t.same(of, [[name, 'Day:month', false]])
    t.equal(prior, `${measure} (-1 month) = ${name}`)
  }
  t.same(found('Best Running Before', ['Day:month', 'Region']).of, [
    ['Best Running (found)', undefined, true],
    ['Best Running (-1 month, found)', 'Day:month', true],
  ])
})

t.test('the rows of a running value without its time are rows of a comparison along another one', async (t) => {
  const query = (dimensions: readonly string[]) => {
    const where = [{ field: 'Shipped', op: 'lt', value: '2025-04-01' }]
    return aggregateQuery({ select: { dimensions, measures: ['Running Shipped Before'] }, where }, shipped).nested
  }
  t.match(query(['Day:month']), [{ name: 'Running Shipped (-1 month, found)', contributesRows: true }])
  t.match(query(['Day:month', 'Shipped:month']), [{ contributesRows: false }])
})

t.test('a value until now is in every period of a time that does not end with the clock', async (t) => {
  t.equal(found('Now Before', ['Day:month', 'Shipped:month']).last, 'Now Before = Now Before (until now)')
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
      // No part of its grain has the partition, and the range of its measure is the only one.
      'Full of None': {
        ...{ type: 'cumulative', measure: 'Sales of All', timeDimension: 'Day', partitionBy: [] },
        ...{ window: 2, windowGrain: 'month', onlyFull: true },
      },
      'Full of All a Month Before': {
        ...{ type: 'period_over_period', measure: 'Full of All' },
        periodOverPeriod: { timeDimension: 'Day', offset: -1, offsetGrain: 'month', comparison: 'previousValue' },
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
  t.match(sql({ dimensions: ['Region'], measures: ['Full of None'] }, march), /<= DATE '2025-02-01' THEN "orders_total"/)
  const part = { where: [{ field: 'Day', op: 'between', value: ['2025-03-05', '2025-03-20'] }] }
  const ofAll = sql({ dimensions: ['Day:month'], measures: ['Full of All a Month Before'] }, part)
  t.match(ofAll, /<= DATE '2025-01-01' THEN "orders_total_3"/, 'a total of all months is compared with that up to the moved end')
  t.match(sql({ dimensions: ['Region'], measures: ['Now'] }), /2025-06-16/)
})
