/** Warnings of metrics over time: periods that a filter includes only in part, and running values that are not sums. */
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { compileFor } from '../support/compile.js'

const { model, errors } = parseModelSync({
  json: {
    dataObjects: {
      Sales: {
        code: 'sales',
        columns: {
          On: { code: 'sold_on', abstractType: 'date' },
          At: { code: 'sold_at', abstractType: 'timestamp_tz' },
          N: { code: 'n', abstractType: 'int' },
        },
      },
    },
    dimensions: {
      Date: { dataObject: 'Sales', column: 'On' },
      Month: { dataObject: 'Sales', column: 'On', timeGrain: 'month' },
      Moment: { dataObject: 'Sales', column: 'At' },
    },
    measures: {
      Sold: { aggregation: 'sum', columns: [{ dataObject: 'Sales', column: 'N' }] },
      Sales: { aggregation: 'count', anchor: 'Sales' },
      Kinds: { aggregation: 'count_distinct', columns: [{ dataObject: 'Sales', column: 'N' }] },
    },
    metrics: {
      Before: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date', compare: 'whole' } },
      Elapsed: { type: 'period_over_period', measure: 'Sold', periodOverPeriod: { timeDimension: 'Date' } },
      Earlier: {
        type: 'period_over_period',
        measure: 'Sold',
        periodOverPeriod: { timeDimension: 'Moment', grain: 'day', compare: 'whole' },
      },
      Change: { expression: '{[Sold]} - {[Before]}' },
      'Sold so far': { type: 'cumulative', measure: 'Sold', timeDimension: 'Date' },
      Both: { expression: '{[Sold]} - -{[Sales]}' },
      'Both so far': { type: 'cumulative', measure: 'Both', timeDimension: 'Date' },
      Mean: { expression: '{[Sold]} / {[Sales]}' },
      'Mean so far': { type: 'cumulative', measure: 'Mean', timeDimension: 'Date' },
      'Kinds so far': { type: 'cumulative', measure: 'Kinds', timeDimension: 'Date' },
      'Kinds folded': { type: 'cumulative', measure: 'Kinds', timeDimension: 'Date', cumulativeType: 'max' },
    },
  },
})
if (!model) throw new Error(JSON.stringify(errors))

const warningsOf = (dimension: string, measure: string, where: readonly object[] = [], more: object = {}) =>
  compileFor({ select: { dimensions: [dimension], measures: [measure] }, where, ...more }, model).warnings
const on = (op: string, value: unknown, field = 'Date') => [{ field, op, value }]

t.test('a warning names a period that a filter includes only in part', (t) => {
  t.match(warningsOf('Date:month', 'Before', on('gte', '2025-02-10')), [
    {
      code: 'PARTIAL_PERIOD',
      path: 'where[0]',
      message: /'Date' cuts the month of 2025-02-01: 'Before'/,
      context: { metric: 'Before' },
    },
  ])
  const cut = (dimension: string, measure: string, where: readonly object[], more?: object) =>
    warningsOf(dimension, measure, where, more).map(({ code, context }) => [code, context?.period])
  const partial = (period: string) => [['PARTIAL_PERIOD', period]]
  t.same(cut('Date:month', 'Before', on('between', ['2025-01-01', '2025-03-31'])), [], 'whole months')
  t.same(cut('Date:month', 'Before', on('between', ['2025-01-01', '2025-03-30'])), partial('2025-03-01'))
  t.same(cut('Date:month', 'Before', on('eq', '2025-03-01')), partial('2025-03-01'), 'one day of a month')
  t.same(cut('Date:month', 'Before', on('eq', '2025-03-01', 'Month')), [], 'a whole month')
  t.same(
    cut('Date:quarter', 'Before', on('in', ['2025-01-01', '2025-03-01'], 'Month')),
    partial('2025-01-01'),
    'months of a quarter',
  )
  t.same(cut('Date:week', 'Before', on('lt', '2025-06-10')), partial('2025-06-09'))
  t.same(cut('Date', 'Before', on('lt', '2025-06-10')), [], 'days are never cut by dates')
  t.same(cut('Date:month', 'Change', on('gt', '2025-02-09')), partial('2025-02-01'), 'below a formula')
  t.same(cut('Date:month', 'Before', on('relative', { unit: 'day', count: 30 })), partial('2025-05-01'))
  t.same(cut('Date:month', 'Before', on('relative', { unit: 'month', count: 2 })), [])
  t.same(cut('Date:month', 'Elapsed', on('gte', '2025-02-10')), [], 'the same part of the month before is compared')
  t.same(cut('Date:month', 'Sold', on('gte', '2025-02-10')), [], 'nothing is compared')
  t.same(cut('Date:month', 'Before', on('gte', '2025-02-10', 'Moment')), [], 'another time')
  const berlin = { timezone: 'Europe/Berlin' }
  t.same(cut('Moment:day', 'Earlier', on('gte', '2025-02-10', 'Moment'), berlin), [], 'a day of the zone')
  t.same(cut('Moment:day', 'Earlier', on('gte', '2025-02-09T23:00:00Z', 'Moment'), berlin), [], 'the same instant')
  t.same(cut('Moment:day', 'Earlier', on('gte', '2025-02-10T00:00:00Z', 'Moment'), berlin), partial('2025-02-10'))
  t.end()
})

t.test('a warning names running values that cannot be computed from sums', (t) => {
  const codes = (measure: string) => warningsOf('Date:month', measure).map(({ code, path }) => [code, path])
  t.same(codes('Sold so far'), [])
  t.same(codes('Both so far'), [], 'sums and differences add up')
  t.same(codes('Mean so far'), [['CUMULATIVE_RECOMPUTED', 'select.measures[0]']])
  t.same(codes('Kinds so far'), [['CUMULATIVE_RECOMPUTED', 'select.measures[0]']])
  t.same(codes('Kinds folded'), [])
  t.end()
})
