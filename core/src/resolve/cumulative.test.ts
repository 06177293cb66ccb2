/** The windows of running values, and the conditions that they look past. */
import t from 'tap'
import { alongOf, metricOf } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { shopAnd, shopWith } from '../../../test/support/models.js'
import { said, saidWhere } from '../../../test/support/said.js'
import { cumulativeWindow, windowBefore } from './cumulative.js'
import { dateText, parseTime } from './time.js'

const of = (more: string) => `{ type: cumulative, measure: Sales, timeDimension: Day${more} }`
const model = shopAnd({
  metrics: {
    'To Date': of(', grainToDate: year'),
    'Two Months': of(', window: 2, windowGrain: month'),
    'Two Periods': of(', window: 2'),
    'By Region': of(', partitionBy: [Region]'),
    'Ten Days': of(', window: 10, windowGrain: day'),
  },
})
const windowOf = (name: string, dimensions: readonly string[], where: readonly object[] = []) => {
  const along = alongOf({ select: { dimensions, measures: ['Sales'] }, where }, model)
  return { modifier: cumulativeWindow(metricOf('cumulative', name, model), along), along }
}
const between = [{ field: 'Day', op: 'between', value: ['2025-03-01', '2025-03-31'] }]

t.test('a window has the periods of the rows, and shares the other dimensions', async (t) => {
  const { window } = windowOf('Running Sales', ['Region', 'Day:month', 'Day:year']).modifier
  t.match(window, { grain: 'month', periods: undefined, toDate: undefined, partition: [{ label: 'Region' }] })
  t.equal(said(window.own), 'Day:month')
  t.equal(said(windowOf('Running Sales', ['Day']).modifier.window.own), "date_trunc('day', Day)")
  t.match(windowOf('By Region', ['Region', 'Status', 'Day']).modifier.window.partition, [{ label: 'Region' }])
})

t.test('it begins with a longer period, or some periods before', async (t) => {
  t.equal(windowOf('To Date', ['Day:month']).modifier.window.toDate, 'year')
  t.match(windowOf('Two Months', ['Day']).modifier.window, { periods: 2, unit: 'month', grain: 'day' })
  t.match(windowOf('Two Periods', ['Day:month']).modifier.window, { periods: 2, unit: undefined })
  t.match(
    windowOf('Ten Days', ['Day:month']).modifier.window,
    { periods: 10, grain: 'day', unit: undefined },
    'to the last day of a month',
  )
  t.equal(windowOf('Two Months', ['Day:year']).modifier.window.grain, 'day')
})

t.test('it reads up to the end of the range', async (t) => {
  const { modifier, along } = windowOf('Running Sales', ['Day:month'], between)
  t.same(
    modifier.conjuncts(along.where).map(({ expression }) => saidWhere(expression)),
    ["(Day <= '2025-03-31')"],
  )
  t.same(modifier.always(along.where), [], 'its first period is looked for at all times')
})

t.test('the window of a range', async (t) => {
  const at = (text: string) => parseTime(text)!.micros
  const range = { from: at('2025-03-10'), to: at('2025-03-20') }
  const begin = (name: string, grain?: 'day' | 'month') => {
    const { from } = windowBefore(metricOf('cumulative', name, model), { grain, weekStart: 'monday' })(range)
    return from === undefined ? 'ever' : dateText(from)
  }
  t.equal(begin('Running Sales'), 'ever')
  t.equal(begin('To Date'), '2025-01-01')
  t.equal(begin('Two Months'), '2025-01-20')
  t.equal(begin('Two Periods', 'day'), '2025-03-18')
  t.equal(begin('Ten Days'), '2025-03-10')
  // The last hours of 29 March and the first of 30 March are moved to 28 February: the end is before the start.
  const none = { from: at('2025-02-28T18:00:00'), to: at('2025-02-28T06:00:00') }
  t.same(windowBefore(metricOf('cumulative', 'Two Months', model), { grain: undefined, weekStart: 'monday' })(none), none)
})

t.test('no time has a window where the range is moved to days that do not exist', async (t) => {
  const periodOverPeriod = { timeDimension: 'At', offset: -1, offsetGrain: 'month', comparison: 'previousValue' }
  const hours = shopWith({
    dataObjects: { Orders: { columns: { At: { code: 'at', abstractType: 'timestamp' } } } },
    dimensions: { At: { dataObject: 'Orders', column: 'At' } },
    metrics: {
      Running: { type: 'cumulative', measure: 'Sales', timeDimension: 'At', window: 2, windowGrain: 'month' },
      'Running Before': { type: 'period_over_period', measure: 'Running', periodOverPeriod },
    },
  })
  const where = [
    { field: 'At', op: 'gte', value: '2025-03-29T18:00:00' },
    { field: 'At', op: 'lt', value: '2025-03-30T06:00:00' },
  ]
  const { sql } = compileFor({ select: { dimensions: ['Region'], measures: ['Running Before'] }, where }, hours)
  t.match(sql, /"Sales \(range -1 month running\)"\s+FROM "orders"[^;]*?WHERE FALSE/)
})

t.test('of a total, without filters on the time, the window of a period before is all times', async (t) => {
  const before =
    '{ type: period_over_period, measure: Running All, periodOverPeriod: { timeDimension: Day, offset: -1, offsetGrain: month, comparison: previousValue } }'
  const all = shopAnd({
    metrics: { 'Running All': '{ type: cumulative, measure: Sales of All, timeDimension: Day }', 'Running All Before': before },
  })
  const { sql } = compileFor({ select: { dimensions: ['Day:month'], measures: ['Running All Before', 'Sales'] } }, all)
  t.notMatch(/SELECT SUM[^)]*\) AS "Sales of All[^;]*?(?=\n\))/.exec(sql)?.[0] ?? '', /WHERE/)
})
