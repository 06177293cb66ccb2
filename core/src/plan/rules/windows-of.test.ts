/** Which lookups read the values of windows, and which of them a window function can have. */
import t from 'tap'
import { canonicalPlan } from '../../../../test/support/compile.js'
import { shop } from '../../../../test/support/models.js'
import { limited, nodesIn } from '../../../../test/support/plans.js'
import { firstOf } from '../../invariant.js'
import type { PeriodWindow } from '../../resolve/resolved-query.js'
import type { Aggregate, Distinct, Filter, Join, Lookup, Shared } from '../logical-plan.js'
import { NO_HINTS } from '../planner-hints.js'
import { framedValuesOf, windowValuesOf } from './windows-of.js'

const plan = canonicalPlan({ select: { dimensions: ['Day:month'], measures: ['Running Sales'] } }, shop)
const lookup = firstOf(nodesIn(plan, 'lookup'))
const values = lookup.from as Aggregate
const join = values.input as Join
const windows = join.left as Distinct
const rows = (windows.input as Filter).input as Shared

t.test('the values, their windows, the rows with these windows, and what is in the windows', async (t) =>
  t.same(windowValuesOf(lookup), { window: join.window, rows, right: join.right, values }),
)

const over = (input: Aggregate['input']): Lookup => ({ ...lookup, from: { ...values, input } })
const ofWindows = (left: Join['left']): Lookup => over({ ...join, left })
const { window: _, ...otherJoin } = join

for (const [title, other] of [
  ['values that are no aggregates', { ...lookup, from: limited(values) }],
  ['values of several levels', { ...lookup, from: { ...values, sets: [[]] } }],
  ['values of rows that are not joined', over(limited(join))],
  ['a join of other rows than windows', over(otherJoin)],
  ['windows that are not distinct', ofWindows(limited(windows))],
  ['windows of rows without a time', ofWindows({ ...windows, input: limited(rows) })],
  ['windows of rows that are read once', ofWindows({ ...windows, input: { ...(windows.input as Filter), input: rows.input } })],
] as const satisfies readonly (readonly [string, Lookup])[])
  t.test(`${title} are not known`, async (t) => {
    t.equal(windowValuesOf(other), undefined)
    t.equal(framedValuesOf(other, { ...NO_HINTS, rangeFrames: true }), undefined)
  })

for (const [title, window, withFrames, without] of [
  ['all periods so far', {}, true, true],
  ['three periods', { periods: 3 }, true, false],
  ['periods that are grouped within the window', { groupBy: [join.window!.time] }, false, false],
] as const satisfies readonly (readonly [string, Partial<PeriodWindow>, boolean, boolean])[])
  t.test(`${title}: with frames of intervals ${withFrames}, without ${without}`, async (t) => {
    const found = over({ ...join, window: { ...join.window!, ...window } })
    const peers = { ...NO_HINTS, peerFrames: true }
    t.equal(framedValuesOf(found, { ...peers, rangeFrames: true }) !== undefined, withFrames)
    t.equal(framedValuesOf(found, peers) !== undefined, without)
    t.equal(framedValuesOf(found, NO_HINTS), undefined, 'none without frames up to the last row of the same order')
  })
