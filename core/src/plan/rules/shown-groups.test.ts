/** The groups of a level of shown totals are read from what is shown, and not from the level with its values. */
import t from 'tap'
import {
  above,
  combined,
  distinct,
  factsOf,
  filter,
  leg,
  lookup,
  named,
  own,
  rowColumn,
  scan,
  shared,
} from '../../../../test/support/plans.js'
import type { Leg, LogicalPlan } from '../logical-plan.js'
import { shownTuples } from '../shown-tuples.js'
import { shownGroups } from './shown-groups.js'

const keys = [rowColumn('Key'), rowColumn('Month')]
const groups = leg(shownTuples('shown_groups', keys), [])
const sales = leg(scan('Sales'), ['Sales'], { contributesRows: false })
const level = (legs: readonly Leg[]) => lookup(combined(keys, legs), scan('Others'), ['Other'])
const rows = shared(level([groups, sales]), [...keys, rowColumn('Sales'), rowColumn('Other')], 'answer_rows')
const periods = (input: LogicalPlan, name = 'Month') => distinct(input, [named('period', own(name))])
const ruled = (plan: LogicalPlan) => shownGroups.rewrite(plan, factsOf())

t.test('distinct values of dimensions are read from the groups', async (t) => {
  t.match(ruled(periods(rows)), { kind: 'distinct', alias: 'different', input: { kind: 'distinct', alias: 'answer_rows' } })
  t.match(ruled(periods(filter(rows, above(own('Key'))))), { input: { kind: 'filter', input: { kind: 'distinct' } } })
})

t.test('values of the level are read from the level', async (t) => {
  t.equal(ruled(periods(rows, 'Sales')), undefined)
  t.equal(ruled(periods(filter(rows, above(own('Other'))))), undefined)
})

t.test('rows that something else makes or leaves out are those of the level', async (t) => {
  const of = (input: LogicalPlan) => ruled(periods(shared(input, keys)))
  t.equal(of(level([groups, leg(scan('Sales'), [])])), undefined)
  t.equal(of(level([leg(scan('Sales'), []), groups])), undefined)
  t.equal(of(level([leg(scan('Sales'), []), sales])), undefined, 'nothing is shown')
  t.equal(of(level([groups, sales, leg(scan('Returns'), [])])), undefined, 'one of the others')
  t.equal(of(lookup(combined(keys, [groups]), scan('Others'), ['Other'], { isInner: true })), undefined)
  t.equal(ruled(periods(scan('Sales'))), undefined)
  t.equal(ruled(rows), undefined)
})
