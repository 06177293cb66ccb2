/** The present in a zone, and the periods that were read from it. */
import t from 'tap'
import { clockAt, currentPeriod, readingsOf, relativeDay, stillReads } from './clock.js'
import { dateText, timestampText } from './time.js'

// Saturday, 23:30 in UTC; in Kolkata it is Sunday.
const now = new Date('2025-03-01T23:30:00Z')

t.test('the periods of a clock are those of its zone', async (t) => {
  const [utc, india] = [clockAt(now, 'UTC', 'monday'), clockAt(now, 'Asia/Kolkata', 'sunday')]
  t.equal(timestampText(india.wall), '2025-03-02 05:00:00')
  t.equal(dateText(currentPeriod(utc, 'day')), '2025-03-01')
  t.equal(dateText(currentPeriod(india, 'week')), '2025-03-02')
})

t.test('readings hold until one of their periods ends', async (t) => {
  const read = readingsOf(clockAt(now, 'UTC', 'monday'), ['day', 'month'])
  t.ok(stillReads(read, new Date('2025-03-01T23:59:59Z')))
  t.notOk(stillReads(read, new Date('2025-03-02T00:00:00Z')))
  t.ok(stillReads(readingsOf(clockAt(now, 'UTC', 'monday'), []), new Date(0)), 'what reads no clock is always right')
  const calendar = { kind: 'months', name: 'fiscal', month: 3, day: 1 } as const
  const ofCalendar = readingsOf(clockAt(now, 'UTC', 'monday'), [{ name: 'fiscal_year', unit: 'year', calendar }])
  t.same([...ofCalendar.starts.keys()], ['day'], 'a day decides the period of a calendar')
})

t.test('days before the present, and ends of its periods', async (t) => {
  const clock = clockAt(now, 'UTC', 'monday')
  const day = (of: Parameters<typeof relativeDay>[0]): string => dateText(relativeDay(of, clock))
  t.equal(day({ kind: 'ago', days: 2 }), '2025-02-27')
  t.equal(day({ kind: 'relative', end: 'start', grain: 'month' }), '2025-03-01')
  t.equal(day({ kind: 'relative', end: 'end', grain: 'month' }), '2025-03-31')
})
