/** Which groups of an answer have all rows of a coarser value, and the value of each group that is added to them. */
import t from 'tap'
import {
  aggregate,
  column,
  combined,
  filter,
  joinTo,
  leg,
  limited,
  named,
  rowColumn,
  scan,
  sumOf,
} from '../../../../test/support/plans.js'
import type { RowColumn } from '../../bind/bound-block.js'
import { firstOf } from '../../invariant.js'
import { DATE, TIMESTAMP } from '../../model/data-type.js'
import { allOf, binary, integer } from '../../resolve/expressions.js'
import { truncated } from '../../resolve/grain-expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import type { Aggregate, LogicalPlan, NamedAggregate } from '../logical-plan.js'
import { giversOf, type Totals, withConditions, withTotal } from './totals-of-groups.js'

const of = (name: string): RelationColumn => column('Orders', name)
const [city, state] = [named('City', of('city')), named('State', of('state'))]
const sum = sumOf('Sum', of('n'))
const open = binary<RelationColumn>('=', of('open'), integer(1))
const big = binary<RelationColumn>('>', of('n'), integer(9))
const orders = scan('Orders')
const fine = (input: LogicalPlan = orders, values: readonly NamedAggregate[] = [sum]) => aggregate(input, [city, state], values)
const coarse = (input: LogicalPlan = orders) => aggregate(input, [state], [sumOf('Total', of('n'))])
const [day, time] = [column('Orders', 'day', DATE), column('Orders', 'at', TIMESTAMP)]
const dayOf = (value: RelationColumn) => truncated('day', value)
const monthOf = (value: RelationColumn) => truncated('month', value)
const byDay = (key: RowExpr) => aggregate(orders, [named('Day', key, DATE)], [sum])
const facts = (...inputs: readonly LogicalPlan[]) =>
  combined(
    [rowColumn('City')],
    inputs.map((input) => leg(input, ['Sum'])),
  )
const returns = aggregate(scan('Returns'), [city], [sum])

for (const [title, from, rows, wanted] of [
  ['the same rows', coarse(), fine(), [0, []]],
  ['a condition that the groups have, too', coarse(filter(orders, open)), fine(filter(orders, open)), [0, []]],
  ['a condition that the groups lack', coarse(filter(orders, open)), fine(), [0, [open]]],
  ['a condition that only the groups have', coarse(), fine(filter(orders, open)), undefined],
  ['rows of another table', coarse(), returns, undefined],
  ['a key that the groups lack', fine(), coarse(), undefined],
  ['groups of another kind', coarse(), limited(fine()), undefined],
  ['the day of a date', byDay(dayOf(day)), byDay(day), [0, []]],
  ['the month of a date', byDay(monthOf(day)), byDay(day), undefined],
  ['the day of a time', byDay(dayOf(time)), byDay(time), undefined],
  ['rows that are not those of a table', coarse(limited(orders)), fine(), undefined],
  ['groups of rows that are not those of a table', coarse(), fine(limited(orders)), undefined],
  ['the second of two facts', coarse(), facts(returns, fine()), [1, []]],
  ['the second fact, after one of another kind', coarse(), facts(limited(returns), fine()), [0, []]],
] as const satisfies readonly (readonly [string, Aggregate, LogicalPlan, unknown])[])
  t.test(title, async (t) => {
    const [giver] = giversOf(from, rows)
    t.same(giver && [giver.place, giver.conditions], wanted)
  })

t.test('a fact whose rows are not rows of the answer has not all groups', async (t) => {
  const rows = combined([rowColumn('City')], [leg(fine(), ['Sum'], { contributesRows: false }), leg(returns, ['Sum'])])
  t.same(giversOf(coarse(), rows), [])
})

t.test('the conditions that groups lack become conditions of the value', async (t) => {
  t.equal(withConditions(sum, []), sum)
  t.same(withConditions(sum, [open]), { ...sum, filter: open })
  t.same(withConditions({ ...sum, filter: big }, [open]), { ...sum, filter: allOf([open, big]) })
})

const totals = (rows: LogicalPlan): Totals => ({ rows, calls: [], taken: [rowColumn('Sum')] })
const added = (rows: LogicalPlan, call: NamedAggregate, from = coarse()): Totals =>
  withTotal(totals(rows), {
    call,
    from,
    giver: firstOf(giversOf(from, rows)),
    emptyIsZero: false,
    window: ({ name, type }) => ({ name: `of ${name}`, type, function: 'sum', args: [], partitionBy: [], orderBy: [] }),
  })

t.test('a value that the groups have is read', async (t) => {
  const rows = fine()
  const after = added(rows, sumOf('Total', of('n')))
  t.equal(after.rows, rows)
  t.same([after.calls.map(({ name }) => name), after.taken], [['of Sum'], [rowColumn('Sum')]])
})

t.test('another one is added, under a name that is free', async (t) => {
  const after = added(fine(), sumOf('Total', of('m')))
  t.same(after.rows, fine(orders, [sum, sumOf('Total (detail)', of('m'))]))
  t.same(
    after.calls.map(({ name }) => name),
    ['of Total (detail)'],
  )
  t.ok(after.taken.some(({ name }) => name === 'Total (detail)'))
})

t.test('a second one is added to the first', async (t) => {
  const [rows, from] = [fine(), coarse()]
  const window = ({ name, type }: RowColumn) => ({ name, type, function: 'sum', args: [], partitionBy: [], orderBy: [] })
  const total = { from, giver: firstOf(giversOf(from, rows)), emptyIsZero: false, window }
  const [first, second] = [sumOf('One', of('m')), sumOf('Two', of('k'))]
  const after = withTotal(withTotal(totals(rows), { ...total, call: first }), { ...total, call: second })
  t.same(after.rows, fine(orders, [sum, { ...first, name: 'One (detail)' }, { ...second, name: 'Two (detail)' }]))
})

t.test('with the joins that it needs and the groups lack', async (t) => {
  const joined = joinTo(orders, 'Customers', of('customer'))
  const after = added(fine(filter(orders, open)), sumOf('Total', column('Customers', 'n')), coarse(filter(joined, open)))
  t.same(after.rows, fine(filter(joined, open), [sum, sumOf('Total (detail)', column('Customers', 'n'))]))
})

t.test('of several facts, only the one whose groups they are changes', async (t) => {
  const rows = facts(returns, fine())
  const after = added(rows, sumOf('Total', of('m'))).rows
  t.same(after, {
    ...rows,
    legs: [rows.legs[0], { ...leg(fine(orders, [sum, sumOf('Total (detail)', of('m'))]), ['Sum', 'Total (detail)']) }],
  })
})
