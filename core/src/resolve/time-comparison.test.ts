/** Times beside values as queries write them: the range of stored values, and its text. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { DATE, TIMESTAMP_TZ, writtenTimestamp } from '../model/data-type.js'
import type { Grain } from '../model/grain.js'
import { type RelationColumn, relationColumn } from './relation-column.js'
import { parseTime } from './time.js'
import { timeComparer } from './time-comparison.js'

const TOKYO = resolveContext(shop, 'Asia/Tokyo').time
const of = (type: typeof DATE, time = TOKYO, grain?: Grain) =>
  timeComparer<RelationColumn>({ expression: relationColumn('', 'x', type), type, grain, name: 'X' }, 'where[0].value', time)

t.test('a date', async (t) => {
  const x = of(DATE)
  t.equal(said(x.equal('2025-03-01').expression), "(x = '2025-03-01')")
  t.equal(said(x.order('lte', '2025-03').expression), "(x < '2025-04-01')", 'a month covers its days')
  t.equal(said(x.order('gt', '2025').expression), "(x >= '2026-01-01')")
  t.equal(said(x.equal('2025-02').expression), "((x >= '2025-02-01') and (x < '2025-03-01'))")
  t.throws(() => x.equal('2025-03-01T10:00:00'), { code: 'INVALID_FILTER_VALUE', path: 'where[0].value' })
  t.throws(() => x.equal('soon'), /'soon' does not fit 'X' \(date\)/)
  t.throws(() => x.equal(2025), { code: 'INVALID_FILTER_VALUE' })
})

t.test('an instant, by the clocks of the query', async (t) => {
  const x = of(TIMESTAMP_TZ)
  t.equal(said(x.order('lt', '2025-03-01').expression), "(x < '2025-02-28 15:00:00')")
  t.equal(said(x.equal('2025-03-01T00:00:00').expression), "(x = '2025-02-28 15:00:00')")
  t.equal(said(x.order('gte', '2025-03-01T00:00:00Z').expression), "(x >= '2025-03-01 00:00:00')")
  t.equal(said(x.equal('2025-03-01').expression), "((x >= '2025-02-28 15:00:00') and (x < '2025-03-01 15:00:00'))")
})

t.test('a timestamp whose zone is known', async (t) => {
  const { time } = resolveContext(shopWith({ settings: { defaultTimezone: 'UTC' } }), 'Asia/Tokyo')
  t.equal(said(of(writtenTimestamp(true), time).order('lt', '2025-03-01').expression), "(x < '2025-02-28 15:00:00')")
  t.equal(said(of(writtenTimestamp(true), time).order('gte', '2025-03-01').expression), "(x >= '2025-02-28 15:00:00')")
  t.equal(said(of(writtenTimestamp(false), time).order('lt', '2025-03-01').expression), "(x < '2025-03-01 00:00:00')")
})

t.test('a period by its first day', async (t) => {
  const x = of(DATE, TOKYO, 'year')
  t.equal(said(x.equal(2025).expression), "((x >= '2025-01-01') and (x < '2026-01-01'))")
  t.equal(said(x.order('lt', '2025-06-01').expression), "(x < '2026-01-01')")
  const calendar = { kind: 'months', name: 'fiscal', month: 3, day: 1 } as const
  t.throws(
    () => of(DATE, TOKYO, { name: 'fiscal_year', unit: 'year', calendar }).equal('2025'),
    /the date on which a fiscal_year begins/,
  )
})

t.test('ranges of local times, also beyond what has a literal', async (t) => {
  const x = of(DATE)
  const [march, april] = [parseTime('2025-03-01')!.micros, parseTime('2025-04-01')!.micros]
  t.equal(said(x.within(march, april).expression), "((x >= '2025-03-01') and (x < '2025-04-01'))")
  t.equal(said(x.both(x.from(march), x.below(april)).expression), "((x >= '2025-03-01') and (x < '2025-04-01'))")
  t.equal(said(x.within(april, march).expression), '(x <> x)', 'no time, and unknown without one')
  t.equal(said(x.below(10n ** 18n).expression), '(x = x)')
  t.same(x.walls('2025-03'), [march, april])
})
