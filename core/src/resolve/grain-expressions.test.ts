/** Periods of any grain as expressions: those of calendars shift to months or weeks that the engine knows, and back. */
import t from 'tap'
import { said } from '../../../test/support/said.js'
import { DATE, TIMESTAMP } from '../model/data-type.js'
import type { CalendarUnit, Grain } from '../model/grain.js'
import { call, integer, text } from './expressions.js'
import { dateItself, periodAfter, periodsBetween, startAway, startBefore, truncated } from './grain-expressions.js'
import { type RelationColumn, relationColumn } from './relation-column.js'

const day = relationColumn('', 'd', DATE)
const months = { kind: 'months', name: 'fiscal', month: 3, day: 6 } as const
const weeks = { kind: 'weeks', name: 'retail', firstWeekday: 0, weekOffset: -1, month: 1, reach: 0, longMonth: 1 } as const
const fiscal = (unit: CalendarUnit): Grain => ({ name: `fiscal_${unit}`, unit, calendar: months })
const retail = (unit: CalendarUnit): Grain => ({ name: `retail_${unit}`, unit, calendar: weeks })
const short = (expression: Parameters<typeof said>[0]): string =>
  said(expression).replaceAll('date_trunc', 'cut').replaceAll('date_add', 'add').replaceAll('date_diff', 'diff')

t.test('a period begins', async (t) => {
  const start = (grain: Grain): string => short(truncated<RelationColumn>(grain, day))
  t.equal(start('month'), "cut('month', d)")
  t.equal(start(fiscal('month')), "add('day', 5, cut('month', add('day', -5, d)))")
  t.equal(start(fiscal('year')), "add('day', 5, add('month', 3, cut('year', add('month', -3, add('day', -5, d)))))")
  t.equal(start(retail('week')), "add('day', -1, cut('week', add('day', 1, d)))")
  t.match(start(retail('quarter')), /^add\('day', \(91 \* div\(\(\(4 \* div\(diff\('day', /)
  t.match(start(retail('month')), /^add\('day', \(7 \* div\(/)
})

t.test('a period follows', async (t) => {
  const after = (grain: Grain): string => short(periodAfter<RelationColumn>(grain, integer(2), day))
  t.equal(after('week'), "add('week', 2, d)")
  t.equal(after(fiscal('quarter')), "add('day', 5, add('quarter', 2, add('day', -5, d)))")
  t.equal(after(retail('week')), "add('week', 2, d)")
  t.match(after(retail('month')), /extract\('month', add\('month', 2, cut\('month', add\('day', 16, d\)\)\)\)/)
})

t.test('periods are counted', async (t) => {
  const count = (grain: Grain): string => short(periodsBetween<RelationColumn>(grain, day, relationColumn('', 'e', DATE)))
  t.equal(count('month'), "diff('month', d, e)")
  t.equal(count(fiscal('quarter')), "diff('quarter', d, e)")
  t.equal(count(retail('week')), "div(diff('day', d, e), 7)")
  t.equal(count(retail('month')), "diff('month', cut('month', add('day', 16, d)), cut('month', add('day', 16, e)))")
  t.match(count(retail('year')), /^div\(.*, 12\)$/)
})

t.test('another period: from a start by whole ones, else by the days of a time', async (t) => {
  const away = (grain: Grain, unit: Grain, isStart: boolean, type = DATE): string =>
    short(startAway<RelationColumn>(grain, [unit, -1], { value: day, type, isStart }))
  t.equal(away('month', 'year', true), "cut('month', add('year', -1, d))")
  t.equal(away(fiscal('month'), fiscal('year'), true), "add('day', 5, add('year', -1, add('day', -5, d)))", 'a start stays one')
  t.match(away(fiscal('year'), fiscal('month'), true), /cut\('year'/, 'of a longer period')
  t.match(away(retail('week'), retail('month'), true), /least\(/, 'a week is not the first of a month')
  t.match(away(retail('month'), retail('year'), false), /least\(/)
  t.match(
    away(retail('month'), retail('month'), false, TIMESTAMP),
    /add\('day', diff\('day', d, least\(/,
    'the time of day is kept',
  )
})

t.test('moves are undone, the last one first', async (t) => {
  const moves = [
    { unit: 'month' as const, count: -1 },
    { unit: 'day' as const, count: 2 },
  ]
  t.equal(
    short(startBefore<RelationColumn>('month', moves, { value: day, type: DATE })),
    "cut('month', add('month', 1, add('day', -2, d)))",
  )
})

t.test('the day of a date is the date', async (t) => {
  const at = relationColumn('', 'at', TIMESTAMP)
  t.equal(dateItself(call('date_trunc', text('day'), day)), day)
  for (const other of [
    call('date_trunc', text('week'), day),
    call('date_trunc', text('day'), at),
    call('upper', text('day'), day),
    day,
  ])
    t.equal(dateItself(other), other)
})
