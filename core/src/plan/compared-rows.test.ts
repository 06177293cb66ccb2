/** Rows that only the compared period has, for each time that the answer shows. */
import t from 'tap'
import { aggregateQuery, boundAggregate } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { above, nodesIn, own, scan } from '../../../test/support/plans.js'
import { said, saidTerms } from '../../../test/support/said.js'
import { type ComparedRows, withComparedRows } from './compared-rows.js'
import type { LogicalPlan } from './logical-plan.js'

const ask = { select: { dimensions: ['Day:month', 'Region'], measures: ['Sales', 'Sales Last Month'] } }
const { dimensions } = aggregateQuery(ask, shop)
const found = boundAggregate(ask, shop).lookups.find(({ shift }) => shift)
const compared = (more: Partial<ComparedRows> = {}): ComparedRows => ({
  shift: found!.shift!,
  isOwn: undefined,
  isOfOnePeriod: false,
  from: scan('before'),
  name: 'before',
  ...more,
})
const { fill } = boundAggregate({ ...ask, fill_gaps: true }, shop)
const rows = { rows: scan('answer'), dimensions, values: [{ name: 'Sales', type: own('Sales').type, emptyIsZero: false }] }
const plan = (more: Partial<ComparedRows> = {}, filled = false): LogicalPlan =>
  withComparedRows(rows, [compared(more)], filled ? fill : undefined)

t.test('without a comparison the rows stay as they are', async (t) => {
  t.equal(withComparedRows(rows, [], fill), rows.rows)
})

t.test('the rows are combined with those that the compared period has', async (t) => {
  const made = plan()
  t.match(made, {
    kind: 'combine',
    keys: [{ name: 'Day:month' }, { name: 'Region' }],
    legs: [
      { contributesRows: true, values: [{ name: 'Sales' }] },
      { contributesRows: true, values: [] },
    ],
  })
  const [, partners] = made.kind === 'combine' ? made.legs : []
  t.same(
    partners?.input.kind === 'project' && partners.input.columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['Day:month = shown_times.Day:month', 'Region = before.Region'],
    'the time is that of the answer, and the rest is found there',
  )
})

t.test('each time is compared with one period', async (t) => {
  const [join] = nodesIn(plan(), 'join')
  t.equal(join?.type, 'inner')
  t.equal(saidTerms(join!.on), '(shown_times.compared = before.Day:month)')
  const [times] = nodesIn(plan(), 'distinct')
  t.same(
    times?.columns.map(({ name, expression }) => `${name} = ${said(expression)}`),
    ['Day:month = Day:month', "compared = date_trunc('month', date_add('month', -1, Day:month))"],
  )
  t.same(
    nodesIn(plan(), 'filter').map(({ condition }) => said(condition)),
    ['Day:month is not null'],
  )
})

t.test('groups of one period are those of each time', async (t) => {
  t.match(nodesIn(plan({ isOfOnePeriod: true }), 'join')[0], { type: 'cross', on: [] })
})

t.test('they can be read for some rows of the answer only', async (t) => {
  const conditions = nodesIn(plan({ isOwn: above(own('n')) }), 'filter').map(({ condition }) => said(condition))
  t.same(conditions, ['Day:month is not null', '(n > 0)'])
})

t.test('if gaps are filled, the periods between the rows are compared, too', async (t) => {
  t.ok(nodesIn(plan({}, true), 'numbers').length > 0)
  t.same(nodesIn(plan(), 'numbers'), [])
  const other = { ...fill!, time: { ...fill!.time, name: 'Other' } }
  t.same(nodesIn(withComparedRows(rows, [compared()], other), 'numbers'), [], 'of another time')
})
