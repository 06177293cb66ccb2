/** A condition on days over a table of weeks or months: only where it leaves whole ones. */
import t from 'tap'
import { shopWith } from '../../../../test/support/models.js'
import { asked, shownCondition, TABLES } from '../../../../test/support/rollups.js'
import { onBuckets } from './on-buckets.js'
import { heldFor } from './readable.js'
import { isUnread } from './unread.js'

const SENT = {
  rollups: { Sent: { dataObject: 'Orders', dimensions: [{ field: 'Sent At', grain: 'hour' }], measures: ['Sales'] } },
}
const model = shopWith(TABLES, SENT)
const on = (op: string, value?: unknown, field = 'Day') => ({ field, op, value })
const any = (...filters: readonly object[]) => ({ logic: 'or', filters })

function ask(where: object, rollup = 'Weekly') {
  const { request, reading } = asked({}, rollup, { where: [where] }, model)
  const [conjunct] = request.conjuncts
  const [leaf] = conjunct!.leaves
  const held = leaf?.kind === 'where-field' ? heldFor(leaf.members[0], reading) : []
  const read = onBuckets(conjunct!, held[0]!, reading)
  return isUnread(read) ? `${read.reason} ${read.field}: ${read.says}` : shownCondition(read)
}

t.test('whole periods', async (t) => {
  t.equal(ask(on('gte', '2024-01-01')), "(#day_week >= '2024-01-01')")
  t.equal(ask(on('lt', '2024-01-08')), "(#day_week < '2024-01-08')")
  t.equal(ask(on('lte', '2024-01-07')), "(#day_week < '2024-01-08')")
  t.equal(ask(on('between', ['2024-01-01', '2024-01-14'])), "((#day_week >= '2024-01-01') and (#day_week < '2024-01-15'))")
  t.equal(ask(on('is_not_null')), '#day_week is not null')
})

t.test('several ranges, and rows without a time', async (t) => {
  const outside = any(on('lt', '2024-01-01'), on('gte', '2024-02-05'))
  t.equal(ask(outside), "((#day_week < '2024-01-01') or (#day_week >= '2024-02-05'))")
  t.equal(ask(on('is_null')), '#day_week is null')
  t.equal(ask(any(on('gte', '2024-01-01'), on('is_null'))), "((#day_week >= '2024-01-01') or #day_week is null)")
})

t.test('a range that cuts a period, with the nearest that does not', async (t) => {
  const of = (says: string): string =>
    `RANGE_NOT_ALIGNED Day: holds each week of 'Day' as a whole, and the condition cuts one; the nearest whole range is ${says}`
  t.equal(ask(on('gte', '2024-01-03')), of('2024-01-01 and later'))
  t.equal(ask(on('lt', '2024-01-03')), of('all times before 2024-01-08'))
  t.equal(ask(on('between', ['2024-01-01', '2024-01-10'])), of('2024-01-01 to before 2024-01-15'))
  t.match(ask(on('gte', '2024-01-08'), 'Monthly'), /each month .* 2024-01-01 and later$/)
})

t.test('hours', async (t) => {
  t.match(ask(on('gte', '2024-01-03', 'Sent At'), 'Sent'), /^\(#sent_at_hour >= /)
  t.match(ask(on('gte', '2024-01-03T10:30:00', 'Sent At'), 'Sent'), /^GRAIN_TOO_COARSE Sent At/, 'no list of ranges')
})

t.test('a condition of another form', async (t) => {
  t.match(ask({ expression: "extract('month', {[Day]}) = 3" }), /^GRAIN_TOO_COARSE Day: holds only periods of 'Day'/)
  t.match(ask(any(on('gte', '2024-01-01'), on('eq', 'paid', 'Status'))), /^GRAIN_TOO_COARSE/)
})
