/** Rows that are chosen before the answer have no values that do not choose them. */
import t from 'tap'
import {
  above,
  factsOf,
  filter,
  limited,
  lookup,
  named,
  own,
  project,
  rowColumn,
  scan,
  shared,
} from '../../../../test/support/plans.js'
import { INT } from '../../model/data-type.js'
import { integer } from '../../resolve/expressions.js'
import { columnsOf } from '../columns.js'
import { inputsOf } from '../inputs.js'
import type { LogicalPlan, RowExpr, Window } from '../logical-plan.js'
import { unreadLookups } from './unread-lookups.js'

const rows = shared(scan('Orders'), [rowColumn('Key'), rowColumn('Sales')])
const keys = [named('Key', own('Key'))]
const running = (input: LogicalPlan, name: string) => lookup(input, scan('Periods'), [name])
const ranked = (input: LogicalPlan, ...calls: readonly string[]): Window => ({
  kind: 'window',
  alias: 'ranked',
  input,
  columns: ['Key', 'Sales'].map((name) => named(name, own(name))),
  calls: calls.map((name) => ({ name, function: 'rank', args: [], partitionBy: [], orderBy: [], type: INT })),
})

const kindsIn = (plan: LogicalPlan): readonly string[] => [plan.kind, ...inputsOf(plan).slice(0, 1).flatMap(kindsIn)]

/** The plan of the rows that are chosen; undefined if the rule leaves it. */
function chosen(values: LogicalPlan): LogicalPlan | undefined {
  const after = unreadLookups.rewrite(
    { kind: 'measured', of: 'shown', name: 'shown_rows', values, input: scan('Orders') },
    factsOf(),
  )
  if (after?.kind !== 'measured') return undefined
  t.same(columnsOf(after.values), columnsOf(values))
  return after.values
}

t.test('a lookup of which nothing is read is none', async (t) => {
  t.same(kindsIn(chosen(limited(project(running(running(rows, 'A'), 'B'), keys)))!), ['limit', 'project', 'shared', 'scan'])
})

t.test('columns of which nothing is read are none, unless they are all', async (t) => {
  const namesIn = (plan: LogicalPlan | undefined): readonly string[] =>
    plan?.kind === 'project' || plan?.kind === 'window' ? plan.columns.map(({ name }) => name) : []
  const inputOf = (plan: LogicalPlan | undefined): LogicalPlan | undefined => (plan?.kind === 'project' ? plan.input : undefined)
  const three = project(
    running(running(rows, 'A'), 'B'),
    ['Key', 'A', 'B'].map((name) => named(name, own(name))),
  )
  const after = chosen(project(three, keys))
  t.same(namesIn(inputOf(after)), ['Key'])
  t.same(kindsIn(after!), ['project', 'project', 'shared', 'scan'])
  const constant = chosen(project(project(running(rows, 'A'), keys), [named('One', integer(1))]))
  t.same(namesIn(inputOf(constant)), ['Key'], 'rows have a column')
  const ranks = chosen(project(ranked(rows, 'Place', 'Other'), [...keys, named('Place', own('Place'))]))
  t.same(namesIn(inputOf(ranks)), ['Key'])
  t.match(ranks, { input: { calls: [{ name: 'Place' }] } })
  const two = lookup(rows, scan('Periods'), ['A', 'B'])
  t.equal(chosen(project(two, [...keys, named('A', own('A'))])), undefined, 'one of the values that it finds')
})

t.test('what an order, a condition or another lookup reads stays', async (t) => {
  const sorted = (name: string): LogicalPlan => ({
    kind: 'sort',
    input: running(running(rows, 'A'), 'B'),
    keys: [{ expression: own(name), type: INT, descending: false, nullsFirst: false }],
  })
  t.same(kindsIn(chosen(project(sorted('A'), keys))!), ['project', 'sort', 'lookup', 'shared', 'scan'])
  t.equal(chosen(project(filter(running(rows, 'A'), above(own('A'))), keys)), undefined)
  const byA = lookup(running(rows, 'A'), scan('Periods'), ['B'], {
    keys: [{ own: own('A'), theirs: 'Key', type: INT, nullSafe: true }],
  })
  t.equal(chosen(project(filter(byA, above(own('B'))), keys)), undefined)
  t.equal(chosen(project(lookup(rows, scan('Periods'), ['A'], { isInner: true }), keys)), undefined, 'it leaves out rows')
})

t.test('window functions of which nothing is read are none, and neither is what they read', async (t) => {
  t.same(kindsIn(chosen(project(ranked(running(rows, 'A'), 'Place'), keys))!), ['project', 'project', 'shared', 'scan'])
  const one = chosen(project(filter(ranked(rows, 'Place', 'Other'), above(own('Place'))), keys))
  t.match(one, { input: { input: { kind: 'window', calls: [{ name: 'Place' }] } } })
  t.equal(chosen(project(filter(ranked(rows, 'Place'), above(own('Place'))), keys)), undefined)
})

t.test('a window function reads the rows that it counts', async (t) => {
  const ofSome = (where: RowExpr): Window => {
    const plan = ranked(running(rows, 'A'), 'Place')
    return { ...plan, calls: plan.calls.map((call) => ({ ...call, where })) }
  }
  const counting = (where: RowExpr) => chosen(project(filter(ofSome(where), above(own('Place'))), keys))
  t.equal(counting(above(own('A'))), undefined, 'by the value that is looked up')
  t.ok(counting(above(own('Sales'))))
})

t.test('other plans are left alone', async (t) => {
  t.equal(unreadLookups.rewrite(project(running(rows, 'A'), keys), factsOf()), undefined)
  t.equal(chosen(project(rows, keys)), undefined)
})
