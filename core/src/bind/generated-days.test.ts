/** The days of a calendar without a table. */
import t from 'tap'
import type { CalendarBound } from '../model/calendar-table.js'
import { clockAt, type TimeContext } from '../resolve/clock.js'
import { dayNumbers } from './generated-days.js'

/** A Wednesday. */
const now = new Date('2024-02-14T12:00:00Z')
const time: TimeContext = {
  clock: clockAt(now, 'UTC', 'monday'),
  zone: 'UTC',
  weekStart: 'monday',
  naiveZone: undefined,
  leavesNaive: false,
}
const date = (text: string): CalendarBound => ({ kind: 'date', date: text })
const relative = (end: 'start' | 'end', grain: 'day' | 'week' | 'month' | 'year'): CalendarBound => ({
  kind: 'relative',
  end,
  grain,
})
const days = (from: CalendarBound | undefined, to: CalendarBound | undefined, at = time) => dayNumbers('Dates', { from, to }, at)

t.test('both ends are days of it', async (t) => {
  t.same(days(date('2024-02-27'), date('2024-03-01')), { first: '2024-02-27', count: 4 })
  t.same(days(date('2024-02-27'), date('2024-02-27')), { first: '2024-02-27', count: 1 })
})

t.test('there are none if it ends before it begins', async (t) => {
  t.same(days(date('2024-02-27'), date('2024-02-26')).count, 0)
  t.same(days(date('2024-02-27'), date('2023-02-26')).count, 0)
})

t.test('an end is the first or the last day of the current period', async (t) => {
  t.same(days(relative('start', 'month'), relative('end', 'month')), { first: '2024-02-01', count: 29 })
  t.same(days(relative('start', 'week'), relative('end', 'week')), { first: '2024-02-12', count: 7 })
  t.same(days(relative('end', 'year'), relative('end', 'year')), { first: '2024-12-31', count: 1 })
  const fromSunday = { ...time, clock: clockAt(now, 'UTC', 'sunday'), weekStart: 'sunday' } as const
  t.same(days(relative('start', 'week'), relative('end', 'week'), fromSunday), { first: '2024-02-11', count: 7 })
})

for (const [title, from, to, missing] of [
  ['the first day', undefined, date('2024-01-01'), /without 'from'; /],
  ['the last day', date('2024-01-01'), undefined, /without 'to'; /],
  ['both', undefined, undefined, /without 'from' and 'to'; /],
] as const)
  t.test(`the days of a calendar without ${title} are not known`, async (t) => {
    t.throws(() => days(from, to), { code: 'CALENDAR_RANGE_REQUIRED', message: missing, path: 'dataObjects.Dates.calendar' })
  })
