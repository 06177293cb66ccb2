/** Times in a period and in a zone. */
import t from 'tap'
import { resolveContext } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { DATE, TIMESTAMP, TIMESTAMP_TZ } from '../model/data-type.js'
import { bucket, bucketType, groupedBy, onClocks, timeLiteral } from './bucket.js'
import { type RelationColumn, relationColumn } from './relation-column.js'
import { parseTime } from './time.js'

const { time } = resolveContext(shop, 'Europe/Berlin')
const day = relationColumn('', 'day', DATE)
const at = relationColumn('', 'at', TIMESTAMP_TZ)

t.test('days and longer periods are dates', async (t) => {
  t.equal(bucketType('day'), DATE)
  t.equal(bucketType('hour'), TIMESTAMP)
})

t.test('an instant is cut as clocks of the query show it, a date as it is', async (t) => {
  t.equal(said(bucket<RelationColumn>(at, TIMESTAMP_TZ, 'month', time)), "date_trunc('month', in_zone(at, 'Europe/Berlin'))")
  t.equal(said(bucket<RelationColumn>(day, DATE, 'month', time)), "date_trunc('month', day)")
  t.same(onClocks<RelationColumn>(day, DATE, time), { value: day, type: DATE })
  t.equal(onClocks<RelationColumn>(at, TIMESTAMP_TZ, time).type, TIMESTAMP)
})

t.test('a dimension without a grain groups by its value', async (t) => {
  t.equal(groupedBy<RelationColumn>(day, DATE, { grain: undefined }, time), day)
  t.equal(said(groupedBy<RelationColumn>(day, DATE, { grain: 'month' }, time)), "date_trunc('month', day)")
  const movedBy = [{ unit: 'day' as const, count: -7 }]
  t.equal(
    said(groupedBy<RelationColumn>(day, DATE, { grain: 'month', movedBy }, time)),
    "date_trunc('month', date_add('day', 7, day))",
  )
})

t.test('a time is written as its column stores it', async (t) => {
  const { micros } = parseTime('2025-03-01T12:30:00')!
  t.equal(said(timeLiteral<RelationColumn>(micros, DATE)), "'2025-03-01'")
  t.equal(said(timeLiteral<RelationColumn>(micros, TIMESTAMP)), "'2025-03-01 12:30:00'")
})
