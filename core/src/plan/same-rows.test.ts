/** Whether two aggregations read the same rows of a table, and which conditions on them only one has. */
import t from 'tap'
import { aggregate, column, filter, joinTo, limited, scan, sumOf } from '../../../test/support/plans.js'
import { anyOf, binary, integer } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import type { Join, LogicalPlan } from './logical-plan.js'
import { conditionsBeside, conditionsOf, isOfSameRows, missingJoins, singleRowsOf } from './same-rows.js'

const of = (name: string): RelationColumn => column('Orders', name)
const [open, big, late] = ['open', 'big', 'late'].map((name) => binary<RelationColumn>('>', of(name), integer(0)))
const orders = scan('Orders')
const customers = joinTo(orders, 'Customers', of('customer'))
const top: Join = { ...customers, right: { kind: 'top-values', alias: 'top' }, findsOne: false }
const { findsOne: _, ...repeating } = customers
const { role: __, ...ofNoModel } = customers.label
const rowsOf = (input: LogicalPlan, more = {}) => singleRowsOf(aggregate(input, [], [], more))

for (const [title, input, wanted] of [
  ['a table', orders, true],
  ['a table with what it refers to', filter(customers, open!), true],
  ['a table with its groups of top values', top, true],
  ['top values by which rows are left out', { ...top, type: 'inner' }, false],
  ['a join that repeats rows', repeating, false],
  ['a join beside one that repeats rows', joinTo(repeating, 'Regions', of('region')), false],
  ['a join that rules do not know', { ...customers, on: [{ kind: 'within' } as never] }, false],
  ['other rows', limited(orders), false],
] as const satisfies readonly (readonly [string, LogicalPlan, boolean])[])
  t.test(`${title}: ${wanted ? '' : 'not '}each row once`, async (t) => {
    t.equal(rowsOf(input) !== undefined, wanted)
    t.equal(rowsOf(input, { sets: [[]] }), undefined, 'of several levels')
  })

for (const [title, one, other, wanted] of [
  ['the same joins', customers, customers, true],
  ['a join that only one has', customers, orders, true],
  ['top values that only one has', top, orders, true],
  ['different joins', customers, joinTo(orders, 'Regions', of('region')), true],
  ['another table', orders, scan('Returns'), false],
  ['an inner join that only one has', { ...customers, type: 'inner' }, orders, false],
  ['a join that only one has and that is not of the model', { ...customers, label: ofNoModel }, orders, false],
  ['two joins by one name', customers, joinTo(orders, 'Customers', of('payer')), false],
  ['two types of one join', customers, { ...customers, type: 'inner' }, false],
  ['two objects by one name', customers, { ...customers, right: { ...scan('Payers'), alias: 'Customers' } }, false],
] as const satisfies readonly (readonly [string, LogicalPlan, LogicalPlan, boolean])[])
  t.test(`${title}: ${wanted ? 'the same rows' : 'other rows'}`, async (t) => {
    const [a, b] = [rowsOf(one)!, rowsOf(other)!]
    t.equal(isOfSameRows(a, b), wanted)
    t.equal(isOfSameRows(b, a), wanted, 'the other way round')
  })

t.test('the joins that others lack', async (t) => {
  const both = rowsOf(joinTo(customers, 'Regions', of('region')))!
  t.same(
    missingJoins(both, rowsOf(customers)!).map(({ label }) => label.to),
    ['Regions'],
  )
  t.same(missingJoins(rowsOf(customers)!, both), [])
})

const sum = (filter?: typeof open) => sumOf('Sum', of('n'), { filter })
const conditions = (...filters: readonly (typeof open)[]) => ({ filters: filters.map((condition) => filter(orders, condition!)) })

for (const [title, aggregates, given, wanted] of [
  ['values that count all rows', [sum()], conditions(open, late), [open, late]],
  ['rows that some value counts', [sum(open), sum(big)], conditions(anyOf([open!, big!]), late), [late]],
  ['the same, of equal values', [sum(open), sum(open)], conditions(open, late), [late]],
  ['rows that another value does not count', [sum(open), sum()], conditions(open), [open]],
  ['no values', [], conditions(anyOf([])), [anyOf([])]],
] as const)
  t.test(`the conditions of ${title}`, async (t) => t.same(conditionsOf({ aggregates }, given), wanted))

t.test('the conditions that others lack', async (t) => t.same(conditionsBeside([open!, big!], [big!, late!]), [open]))
