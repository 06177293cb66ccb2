/** Times beside the intervals of a join: by their day, by moments of a day, and at most so far away. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { DATE, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import type { Within } from '../model/join-term.js'
import type { Typed } from './in-clocks.js'
import { clocksOfPeriod, comparable, comparableTimes, nearEnough } from './in-period.js'
import { type RelationColumn, relationColumn } from './relation-column.js'

const { time } = resolveContext(shop, 'Asia/Tokyo')
const column = (name: string, type: typeof DATE): Typed<RelationColumn> => ({ expression: relationColumn('', name, type), type })
const within = (
  value: typeof DATE,
  ends: typeof DATE,
  holds: 'start' | 'end' | 'any' | undefined,
): Within<Typed<RelationColumn>> => ({
  kind: 'within',
  interval: 'to',
  value: column('v', value),
  start: { at: column('a', ends), isIncluded: true, isOpen: false },
  end: { at: column('b', ends), isIncluded: false, isOpen: false },
  ...(holds && { reading: { zone: undefined, holds } }),
})
const told = (term: Within<Typed<RelationColumn>>): string => {
  const { start, end, value, ...rest } = comparable(term, time)
  return saidTerms([
    { ...rest, value: value.expression, start: { ...start, at: start.at.expression }, end: { ...end, at: end.at.expression } },
  ])
}

t.test('the clocks of a period are those of the data', async (t) => {
  t.match(clocksOfPeriod({ zone: undefined }, shop.settings, time), { zone: 'UTC', naiveZone: undefined, daysIn: 'UTC' })
  t.match(clocksOfPeriod({ zone: 'UTC' }, { ...shop.settings, defaultTimezone: 'Europe/Paris' }, time), {
    zone: 'UTC',
    naiveZone: 'Europe/Paris',
    daysIn: 'Europe/Paris',
  })
})

t.test('a time is compared by its day, and a day by its moments', async (t) => {
  t.equal(told(within(DATE, DATE, 'start')), '((v >= a) and (v < b))')
  t.equal(told(within(TIMESTAMP, TIMESTAMP, undefined)), '((v >= a) and (v < b))')
  t.equal(told(within(TIMESTAMP, DATE, 'start')), "((date_trunc('day', v) >= a) and (date_trunc('day', v) < b))")
  t.equal(told(within(DATE, TIMESTAMP, 'start')), '((v::timestamp >= a) and (v::timestamp < b))')
  t.equal(
    told(within(DATE, TIMESTAMP, 'end')),
    "((date_add('day', 1, v)::timestamp > a) and (date_add('day', 1, v)::timestamp <= b))",
  )
  t.match(told(within(DATE, TIMESTAMP, 'any')), "(v::timestamp >= case (b is null or (a < b)): date_trunc('day', a)")
})

t.test('a time beside days', async (t) => {
  const asOf = (value: typeof DATE, at: typeof DATE) =>
    said(
      comparableTimes<RelationColumn>(
        {
          kind: 'as-of',
          found: 'to',
          value: column('v', value),
          at: column('a', at),
          direction: 'backward',
          within: undefined,
          ties: [],
          zone: undefined,
        },
        time,
      ).value.expression,
    )
  t.equal(asOf(TIMESTAMP, DATE), "date_trunc('day', v)")
  t.equal(asOf(TIMESTAMP, TIMESTAMP), 'v')
})

t.test('not too far away', async (t) => {
  const [value, at] = [relationColumn('', 'v', DATE), relationColumn('', 'a', DATE)]
  const near = (direction: 'backward' | 'forward', unit: 'day' | 'week' | 'month', type = DATE) =>
    said(nearEnough<RelationColumn>({ direction, within: { count: 2, unit } }, { value, at }, type)!)
  t.equal(nearEnough<RelationColumn>({ direction: 'backward', within: undefined }, { value, at }, DATE), undefined)
  t.equal(near('backward', 'week'), "(date_diff('day', a, v) <= 14)")
  t.equal(near('forward', 'day'), "(date_diff('day', v, a) <= 2)")
  t.equal(near('backward', 'month'), "(a >= date_add('month', -2, v))")
  t.equal(near('forward', 'day', TIMESTAMP_TZ), "(in_zone(a, 'UTC') <= date_add('day', 2, in_zone(v, 'UTC')))")
})
