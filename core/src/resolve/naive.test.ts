/** Timestamps without zone in a query with a zone. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { DATE, TIMESTAMP, TIMESTAMP_TZ, writtenTimestamp } from '../model/data-type.js'
import { asInstant, naiveReading, warnNaive, warnNaiveCompared } from './naive.js'
import { type RelationColumn, relationColumn } from './relation-column.js'

const zoned = shopWith({ settings: { defaultTimezone: 'Europe/Berlin' } })
const at = relationColumn('', 'at', TIMESTAMP)
const written = writtenTimestamp(true)

t.test('they are moved if both zones are known and differ', async (t) => {
  t.same(naiveReading('UTC', zoned.settings), { naiveZone: 'Europe/Berlin', leavesNaive: false })
  t.same(naiveReading('Europe/Berlin', zoned.settings), { naiveZone: undefined, leavesNaive: false })
  t.same(naiveReading('UTC', shop.settings), { naiveZone: undefined, leavesNaive: true })
  t.same(naiveReading(undefined, shop.settings), { naiveZone: undefined, leavesNaive: false })
})

t.test('as its instant, if its zone is known', async (t) => {
  const { time } = resolveContext(zoned, 'UTC')
  t.equal(asInstant<RelationColumn>(at, DATE, time).expression, at)
  const moved = asInstant<RelationColumn>(at, written, time)
  t.equal(said(moved.expression), "from_zone(at, 'Europe/Berlin')")
  t.equal(moved.type, TIMESTAMP_TZ)
  t.equal(asInstant<RelationColumn>(at, written, resolveContext(zoned).time).expression, at)
})

t.test('a warning says that one was read as it is written', async (t) => {
  const warned: string[] = []
  const context = resolveContext(shop, 'UTC', warned)
  warnNaive('At', written, '', context)
  t.same(warned, ['NAIVE_TIMESTAMP'])
  warnNaive('At', DATE, '', context)
  warnNaive('At', written, '', resolveContext(shop, undefined, warned))
  warnNaiveCompared({ op: 'is_null', path: '' }, { name: 'At', type: written }, context)
  t.equal(warned.length, 1, 'no date, no query without a zone, no test whether there is a time')
  warnNaiveCompared({ op: 'gt', path: '' }, { name: 'At', type: written }, context)
  t.equal(warned.length, 2)
})
