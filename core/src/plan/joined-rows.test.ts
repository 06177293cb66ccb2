/** Rows with their joins and conditions, taken apart, changed as a whole and put together again. */
import t from 'tap'
import { aggregate, column, filter, joinTo, limited, lookup, scan } from '../../../test/support/plans.js'
import { binary, integer } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import { type JoinedRows, joinedRowsOf, mapJoinedRows, planOf, relationOf } from './joined-rows.js'
import type { Join, LogicalPlan } from './logical-plan.js'

const of = (name: string): RelationColumn => column('Orders', name)
const above = (least: number) => binary<RelationColumn>('>', of('n'), integer(least))
const orders = scan('Orders')
const customers = joinTo(orders, 'Customers', of('customer'))
const regions = joinTo(customers, 'Regions', of('region'))
const [inner, outer] = [filter(regions, above(1)), filter(filter(regions, above(1)), above(2))]

t.test('the first rows, the joins and the conditions, from the innermost on', async (t) => {
  t.same(joinedRowsOf(orders), { start: orders, joins: [], filters: [] })
  t.same(joinedRowsOf(outer), { start: orders, joins: [customers, regions], filters: [inner, outer] })
  t.same(joinedRowsOf(joinTo(inner, 'Shops', of('shop'))).start, inner, 'a condition below a join is part of the first rows')
})

t.test('put together they are the same plan, and the same nodes', async (t) => {
  t.equal(planOf(joinedRowsOf(outer)), outer)
  t.same(
    planOf({ ...joinedRowsOf(outer), start: scan('Visits') }),
    filter(filter(joinTo(joinTo(scan('Visits'), 'Customers', of('customer')), 'Regions', of('region')), above(1)), above(2)),
  )
})

t.test('the relation that a join brings', async (t) => {
  t.equal(relationOf(customers), 'Customers')
  t.equal(relationOf({ ...customers, right: limited(orders) }), '')
})

const withoutJoins = (rows: JoinedRows): JoinedRows => ({ ...rows, joins: [] })
const within: Join = { ...customers, on: [{ kind: 'within' } as never] }

for (const [title, node, wanted] of [
  ['rows of an aggregation', aggregate(regions, [], []), aggregate(orders, [], [])],
  ['rows with conditions', aggregate(inner, [], []), aggregate(filter(orders, above(1)), [], [])],
  [
    'rows on both sides of a lookup',
    lookup(aggregate(orders, [], []), regions, []),
    lookup(aggregate(orders, [], []), orders, []),
  ],
  ['joined rows that are joined to others', { ...customers, right: regions }, { ...customers, right: orders }],
  [
    'rows with conditions that are joined to others',
    { ...customers, left: inner },
    { ...customers, left: filter(orders, above(1)) },
  ],
  ['a table alone', aggregate(orders, [], []), undefined],
  ['joins that are part of joined rows', regions, undefined],
  ['rows below a condition, which is part of them', inner, undefined],
  ['a join that rules do not know', aggregate(joinTo(within, 'Regions', of('region')), [], []), undefined],
] as const satisfies readonly (readonly [string, LogicalPlan, LogicalPlan | undefined])[])
  t.test(`${title}: ${wanted ? 'changed as a whole' : 'left alone'}`, async (t) =>
    t.same(mapJoinedRows(node, withoutJoins), wanted),
  )

t.test('a change that changes nothing', async (t) =>
  t.equal(
    mapJoinedRows(aggregate(regions, [], []), () => undefined),
    undefined,
  ),
)
