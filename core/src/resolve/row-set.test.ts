/** The aggregates and steps that fields need. */
import t from 'tap'
import { aggregateQuery, rowSetContext } from '../../../test/support/bound.js'
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
