/** All times before an end, as a condition. */
import t from 'tap'
import { alongOf, dimensionOf } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { TIMESTAMP } from '../model/data-type.js'
import { parseTime } from './time.js'
import { upTo } from './up-to.js'

t.test('as the time is stored, and by the name of its dimension', async (t) => {
  const { clocks } = alongOf({ select: { measures: ['Sales'] } }, shop)
  const month = dimensionOf('Day:month', shop)
  const { micros } = parseTime('2025-03-01')!
  const found = upTo(micros, month, clocks, 'p')
  t.match(found, { fields: ['Day'], path: 'p', ofMeasure: true })
  t.equal(saidWhere(found.expression), "(Day < '2025-03-01')")
  const [member] = month.members
  t.equal(
    saidWhere(upTo(micros, { ...month, members: [{ ...member, type: TIMESTAMP }] }, clocks, 'p').expression),
    "(Day < '2025-03-01 00:00:00')",
  )
})
