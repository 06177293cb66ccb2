/** The range that a value at a coarser grain reads, where its ends are moved. */
import t from 'tap'
import { alongOf, dimensionOf } from '../../../test/support/bound.js'
import { compileFor } from '../../../test/support/compile.js'
import { shop, shopAnd, shopWith } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { conjunctsOnTime } from './periods.js'
import type { Conjunct } from './resolved-query.js'
import { dateText, parseTime } from './time.js'
import {
  conjunctsAtPeriods,
  conjunctsInRange,
  movedBy,
  partsAreApart,
  rangeIn,
  refuseParts,
  type TimesRead,
} from './times-read.js'

t.test('rows without a time are left out where a range with one end is moved to one without ends', async (t) => {
  const model = shopAnd({
    metrics: {
      'All at the Start':
        '{ type: period_over_period, measure: Sales of All, periodOverPeriod: { timeDimension: Day, offsetToGrain: year, comparison: previousValue } }',
    },
  })
  const select = { dimensions: ['Day'], measures: ['All at the Start'] }
  const ofAll = (sql: string): string => /SELECT SUM[^)]*\) AS "Sales of All[^;]*?(?=\n\))/.exec(sql)?.[0] ?? ''
  const { sql } = compileFor({ select, where: [{ field: 'Day', op: '<', value: '2025-04-01' }] }, model)
  t.match(ofAll(sql), /"day" IS NOT NULL/)
  t.notMatch(ofAll(compileFor({ select }, model).sql), /WHERE/)
})

const day = (op: string, value: unknown) => ({ field: 'Day', op, value })
const MARCH = day('between', ['2025-03-10', '2025-03-20'])
const at = (text: string) => parseTime(text)!.micros

/** What a comparison with a month before reads, and the conditions of its query. */
function read(where: readonly object[], more: Partial<TimesRead> = {}, model = shop) {
  const { where: seen, clocks, graph } = alongOf({ select: { measures: ['Sales'] }, where }, model)
  const time = dimensionOf('Day', model)
  const times: TimesRead = {
    ...{ metric: 'M', path: 'p', time, clocks, model, isWhole: false },
    onTime: (all, base) => conjunctsOnTime(time, all, graph, base),
    level: { grain: 'month', weekStart: 'monday' },
    moves: [{ kind: 'by', unit: 'month', count: -1 }],
    ...more,
  }
  return { times, seen }
}
const textOf = ({ from, to }: { readonly from: bigint | undefined; readonly to: bigint | undefined }) =>
  [from, to].map((end) => (end === undefined ? '' : dateText(end))).join('–')
const conditions = (found: readonly Conjunct[]) => found.map(({ expression }) => saidWhere(expression))

t.test('a range that is known is moved, as a whole period or in parts', async (t) => {
  const march = { from: at('2025-03-01'), to: at('2025-04-01') }
  const range = (where: readonly object[], more: Partial<TimesRead> = {}) => {
    const { times, seen } = read(where, more)
    const found = rangeIn(times, seen, undefined, true)
    return found && textOf(found)
  }
  t.equal(range([MARCH]), '2025-02-10–2025-02-21')
  t.equal(range([MARCH], { period: march }), '2025-02-10–2025-02-21')
  t.equal(range([MARCH], { period: march, isWhole: true }), '2025-02-01–2025-03-01')
  t.equal(range([day('>=', '2025-05-01')], { period: march }), '2025-02-01–2025-03-01', 'a period that the filters leave out')
  t.equal(range([day('in', [])]), undefined)
  t.throws(() => range([{ expression: "date_add('day', 1, {[Day]}) > DATE '2025-01-01'" }]), {
    code: 'TIME_FILTER_NOT_A_RANGE',
    path: 'where[0]',
  })
})

t.test('the conditions in its place', async (t) => {
  const inRange = (where: readonly object[], more: Partial<TimesRead> = {}) => {
    const { times, seen } = read(where, more)
    return conditions(conjunctsInRange(times, seen, undefined, false))
  }
  t.match(inRange([MARCH])[0], /2025-02-10.*2025-02-21/)
  t.same(inRange([day('in', [])]), ['false'])
  t.same(inRange([]), [], 'without ends, rows without a time are among them')
  const empty = { from: at('2025-03-01'), to: at('2025-03-01') }
  t.same(inRange([MARCH], { window: () => empty }), ['false'])
  t.match(textOf(movedBy(read([]).times, empty, true)), '2025-03-01–2025-03-01', 'what is empty is not moved')
})

t.test('several parts of a period are refused, with an example where a finer grain has a name', async (t) => {
  const { times } = read([])
  const period = { from: at('2025-03-01'), to: at('2025-04-01') }
  t.throws(() => refuseParts(times, period), { code: 'TIME_FILTER_NOT_A_RANGE', details: { hint: /such as 'Day:day'/ } })
  const byDay = { ...times, level: { ...times.level, grain: 'day' } } as const
  t.throws(() => refuseParts(byDay, period), { code: 'TIME_FILTER_NOT_A_RANGE', details: { hint: /finer than day$/ } })
})

t.test('periods between two ranges are not cut', async (t) => {
  const { times, seen } = read([MARCH])
  t.ok(partsAreApart(times, seen))
  t.match(conditions(conjunctsAtPeriods(times, seen, undefined, true))[0], /2025-02-10|2025-02-21/)
  const timed = shopWith({ dataObjects: { Orders: { columns: { Day: { abstractType: 'timestamp' } } } } })
  const nights = day('between', ['2025-03-30T06:00:00', '2025-03-31T03:00:00'])
  const late = read([nights], {}, timed)
  t.match(
    conditions(conjunctsAtPeriods(late.times, late.seen, undefined, true))[0],
    /2025-02-01.*2025-03-01/,
    'both days are the last of February, where the end comes before the beginning: nothing is left',
  )
})
