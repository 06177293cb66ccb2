/** Which windows are running totals, which follow the row at a fixed length, and which values window functions can aggregate. */
import t from 'tap'
import { aggregateQuery } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { BOOLEAN, DATE, decimal, FLOAT, INT, JSON_TYPE, STRING, TIME, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { call, text } from '../resolve/expressions.js'
import { relationColumn } from '../resolve/relation-column.js'
import type { PeriodWindow } from '../resolve/resolved-query.js'
import { isRunning, isTrailing, runs, showsPeriod } from './running-windows.js'

function windowOf(dimension: string, more: Partial<PeriodWindow> = {}, model = shop): PeriodWindow {
  const query = aggregateQuery({ select: { dimensions: [dimension], measures: ['Running Sales'] } }, model)
  const { window } = query.aggregates.find((one) => one.window) ?? {}
  if (!window) throw new Error('no window')
  return { ...window, ...more }
}

const month = windowOf('Day:month')
const groupBy = [month.time]

t.test('a running window begins at the first of all periods or of a longer one, and is one group', async (t) => {
  t.ok(isRunning(month))
  t.ok(isRunning({ ...month, toDate: 'year' }))
  t.notOk(isRunning({ ...month, periods: 3 }), 'a number of periods')
  t.notOk(isRunning({ ...month, groupBy }), 'several groups')
})

t.test('a trailing window has a number of periods at the grain of the row, and is one group', async (t) => {
  const trailing: PeriodWindow = { ...month, periods: 3 }
  t.ok(isTrailing(trailing))
  t.ok(isTrailing({ ...trailing, unit: 'month' }))
  t.notOk(isTrailing(month), 'no number of periods')
  t.notOk(isTrailing({ ...trailing, unit: 'day' }), 'a number of other periods')
  t.notOk(
    isTrailing({ ...trailing, grain: { calendar: 'fiscal', unit: 'month' } as never }),
    'months of a calendar differ in length',
  )
  t.notOk(isTrailing({ ...trailing, groupBy }), 'several groups')
})

t.test('a row shows the last period of its window if its time is in whole periods', async (t) => {
  t.ok(showsPeriod(month))
  t.ok(showsPeriod(windowOf('Day')), 'a date is its own day')
  const { own, time } = month
  t.notOk(showsPeriod({ ...month, own: call('upper', own) }), 'a value that is computed from the time')
  t.notOk(showsPeriod({ ...month, own: relationColumn('', 'other', DATE) }), 'another column')
  t.notOk(
    showsPeriod({ ...month, time: { ...time, name: 'other' }, own: relationColumn('', 'other', DATE) }),
    'the time is no period',
  )
})

t.test('the day of a date is the date, and nothing else is', async (t) => {
  const day = windowOf('Day')
  const at = relationColumn('', day.time.name, DATE)
  const truncated = call('date_trunc', text('day'), at)
  const shown: PeriodWindow = { ...day, time: { ...day.time, type: DATE }, period: { ...day.time, grain: 'day' }, own: truncated }
  t.ok(showsPeriod(shown))
  t.notOk(showsPeriod({ ...shown, own: call('date_add', text('day'), at) }), 'another function')
  t.notOk(showsPeriod({ ...shown, own: call('date_trunc', text('month'), at) }), 'the first day of a month')
  const moment = relationColumn('', day.time.name, TIMESTAMP)
  t.notOk(showsPeriod({ ...shown, own: call('date_trunc', text('day'), moment) }), 'a time of day')
})

t.test('window functions aggregate numbers and times', async (t) => {
  for (const type of [INT, FLOAT, decimal(9, 2), DATE, TIMESTAMP, TIMESTAMP_TZ]) t.ok(runs(type), type.kind)
  for (const type of [STRING, BOOLEAN, TIME, JSON_TYPE]) t.notOk(runs(type), type.kind)
})

t.test('a window of a time of day shows no whole day', async (t) => {
  const timed = shopWith({ dataObjects: { Orders: { columns: { Day: { abstractType: 'timestamp' } } } } })
  t.notOk(showsPeriod(windowOf('Day', {}, timed)))
})
