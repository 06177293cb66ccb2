/** The ranges with which ranges are compared. */
import t from 'tap'
import type { Grain } from '../model/grain.js'
import { type Move, movedRange, movedTime, periodAt, periodsFrom } from './moved-range.js'
import { dateText, MICROS_PER_DAY, parseTime, timestampText } from './time.js'

const micros = (text: string) => (text === '' ? undefined : parseTime(text)!.micros)
const textOf = (at: bigint | undefined): string =>
  at === undefined ? '' : at % MICROS_PER_DAY === 0n ? dateText(at) : timestampText(at)
const by = (unit: Grain, count: number): Move => ({ kind: 'by', unit, count })

/** A range until a day that is no longer in it, at a grain. */
const CASES: readonly (readonly [string, string, string, Move, Grain | undefined, string, string])[] = [
  ['days', '2025-03-10', '2025-03-15', by('day', -7), 'day', '2025-03-03', '2025-03-08'],
  ['hours', '2025-03-10', '2025-03-11', by('hour', -6), undefined, '2025-03-09 18:00:00', '2025-03-10 18:00:00'],
  ['a length', '2025-03-10', '2025-03-15', { kind: 'lengths', count: -1 }, undefined, '2025-03-05', '2025-03-10'],
  ['a length of an open range', '', '2025-03-15', { kind: 'lengths', count: -1 }, undefined, '', '2025-03-15'],
  ['a part of a month, to its last day', '2025-03-10', '2025-04-01', by('month', -1), undefined, '2025-02-10', '2025-03-01'],
  ['a day that does not exist', '2025-03-31', '2025-04-01', by('month', -1), 'day', '2025-02-28', '2025-03-01'],
  ['a whole month', '2025-03-01', '2025-04-01', by('month', -1), 'month', '2025-02-01', '2025-03-01'],
  ['the first days of a month', '2025-03-01', '2025-03-11', by('year', -1), 'month', '2024-03-01', '2024-03-11'],
  ['a whole week in the year before', '2025-03-03', '2025-03-10', by('year', -1), 'week', '2024-02-26', '2024-03-04'],
  ['weekdays in the year before', '2025-03-04', '2025-03-08', by('year', -1), 'week', '2024-02-27', '2024-03-02'],
  ['days without an end', '2025-03-16', '', by('day', -1), 'day', '2025-03-15', ''],
  ['an open beginning', '', '2025-03-16', by('month', -1), 'day', '', '2025-02-16'],
  ['an open end', '2025-03-16', '', by('quarter', -1), 'day', '2024-12-16', ''],
  [
    'a time of day',
    '2025-03-31T12:00:00',
    '2025-03-31T18:00:00',
    by('month', -1),
    undefined,
    '2025-02-28 12:00:00',
    '2025-02-28 18:00:00',
  ],
  [
    'a whole month to the first of its year',
    '2025-03-01',
    '2025-04-01',
    { kind: 'to-first', of: 'year' },
    'month',
    '2025-01-01',
    '2025-02-01',
  ],
  [
    'a part of a month to the first',
    '2025-03-05',
    '2025-03-08',
    { kind: 'to-first', of: 'year' },
    'month',
    '2025-01-05',
    '2025-01-08',
  ],
  ['days to the first day', '2025-03-05', '2025-03-06', { kind: 'to-first', of: 'month' }, 'day', '2025-03-01', '2025-03-02'],
  [
    'a part of a day',
    '2025-03-05T06:00:00',
    '2025-03-05T07:00:00',
    { kind: 'to-first', of: 'month' },
    'day',
    '2025-03-01 06:00:00',
    '2025-03-01 07:00:00',
  ],
  ['nothing, at a level without the time', '2025-03-05', '2025-03-06', { kind: 'to-first', of: 'month' }, undefined, '', ''],
]

for (const [name, from, to, move, grain, start, end] of CASES)
  t.test(`${name} moves to ${start || 'no time'}`, async (t) => {
    const moved = movedRange({ from: micros(from), to: micros(to) }, move, { grain, weekStart: 'monday' })
    t.same([textOf(moved.from), textOf(moved.to)], [start, end])
  })

t.test('periods are found and counted', async (t) => {
  const at = micros('2025-03-20')!
  const { from, to } = periodAt(at, 'quarter', 'monday')
  t.same([dateText(from), dateText(to)], ['2025-01-01', '2025-04-01'])
  t.equal(periodsFrom(from, to, 'month'), 3)
  t.equal(periodsFrom(from, to, 'day'), 90)
  t.equal(periodsFrom(from, from, 'month'), 0)
  t.equal(dateText(movedTime(at, 'week', -1, 'monday')), '2025-03-13')
})
