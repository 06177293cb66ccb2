/** Windows that begin before the first period of their base. */
import t from 'tap'
import { metricOf } from '../../../test/support/bound.js'
import { shopAnd } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { DATE, TIMESTAMP } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import { TRUE } from './expressions.js'
import { beginOf, firstIn, grainOfFirst, isFullFrom, unitOfFull, whenFull } from './full-windows.js'
import { relationColumn } from './relation-column.js'
import type { PeriodWindow } from './resolved-query.js'
import { parseTime } from './time.js'

const own = relationColumn('', 'own', DATE)
const window = (more: object): PeriodWindow =>
  ({ own, grain: 'month', period: { type: DATE }, ...more }) as unknown as PeriodWindow

t.test('the first period of a window', async (t) => {
  const begin = (more: object): string => said(beginOf(window(more)))
  t.equal(begin({ since: relationColumn('', 'since', DATE), periods: 3 }), 'since')
  t.equal(begin({ periods: 3 }), "date_add('month', -2, own)")
  t.equal(begin({ periods: 3, unit: 'month' }), "date_add('month', -2, own)")
  t.equal(begin({ toDate: 'year' }), "date_trunc('year', own)")
  t.equal(begin({}), "date_trunc('month', own)", 'a window of one period')
  t.equal(begin({ periods: 1, unit: 'year' }), "date_add('month', 1, date_trunc('month', date_add('year', -1, own)))")
})

const model = shopAnd({
  metrics: Object.fromEntries(
    Object.entries({
      Week: 'windowGrain: week, window: 2',
      Year: 'windowGrain: year, window: 1',
      'To Date': 'grainToDate: quarter',
      Plain: 'window: 3',
    }).map(([name, of]) => [name, `{ type: cumulative, measure: Sales, timeDimension: Day, ${of} }`]),
  ),
})
const metric = (name: string) => metricOf('cumulative', name, model)
const rangeOf = (from: string, to: string) => ({ from: parseTime(from)!.micros, to: parseTime(to)!.micros })

t.test('the first rows are read by days, or by shorter units', async (t) => {
  t.equal(grainOfFirst(metric('Year')), 'day')
  t.equal(grainOfFirst(metric('Plain')), 'day')
  t.equal(grainOfFirst({ ...metric('Year'), cumulativeType: 'sum' }), 'year', 'values of whole periods are folded')
})

t.test('a range is full by the longest periods of which it consists', async (t) => {
  const unit = (name: string, from: string, to: string): Grain => unitOfFull(metric(name), rangeOf(from, to), 'monday')
  t.equal(unit('Year', '2025-01-01', '2026-01-01'), 'year')
  t.equal(unit('Year', '2025-04-01', '2025-07-01'), 'quarter')
  t.equal(unit('Year', '2025-05-01', '2025-07-01'), 'month')
  t.equal(unit('Year', '2025-05-02', '2025-07-01'), 'day')
  t.equal(unit('To Date', '2025-01-01', '2025-02-01'), 'month')
  t.equal(unit('Week', '2025-01-06', '2025-01-13'), 'day')
  t.equal(unit('Plain', '2025-01-01', '2026-01-01'), 'day')
})

t.test('a window is full from the period of the first rows on', async (t) => {
  const first = { name: 'first', type: DATE, grain: 'day' } as const
  t.equal(said(firstIn('day', first)), 'first')
  t.equal(said(firstIn('month', first)), "date_trunc('month', first)")
  const begin = parseTime('2025-03-01T06:00:00')!.micros
  t.equal(said(isFullFrom(begin, 'day', first, 'monday')), "(first <= '2025-03-01')")
  t.equal(said(isFullFrom(begin, 'day', { ...first, type: TIMESTAMP }, 'monday')), "(first <= '2025-03-01 06:00:00')")
  t.equal(said(whenFull(TRUE, own)), 'case true: own')
})
