/** Rows of one table, each of which counts once. */
import t from 'tap'
import { aggregate, column, filter, joinTo, limited, scan } from '../../../test/support/plans.js'
import { isNotNull } from '../resolve/expressions.js'
import type { RelationColumn } from '../resolve/relation-column.js'
import type { LogicalPlan } from './logical-plan.js'
import { plainRowsOf } from './plain-rows.js'

const orders = scan('Orders')
const customers = joinTo(orders, 'Customers', column('Orders', 'customer'))
const known = isNotNull<RelationColumn>(column('Orders', 'n'))

for (const [title, input, wanted] of [
  ['a table', orders, true],
  ['a table with joins and conditions', filter(customers, known), true],
  ['a join that repeats rows', { ...customers, findsOne: false }, false],
  [
    'a join that repeats rows before another',
    joinTo({ ...customers, findsOne: false }, 'Regions', column('Orders', 'region')),
    false,
  ],
  ['a join that rules do not know', { ...customers, on: [{ kind: 'within' } as never] }, false],
  ['other rows', limited(orders), false],
] as const satisfies readonly (readonly [string, LogicalPlan, boolean])[])
  t.test(`${title}: ${wanted}`, async (t) => {
    t.equal(plainRowsOf(aggregate(input, [], []))?.start, wanted ? orders : undefined)
    t.equal(plainRowsOf(aggregate(input, [], [], { sets: [[]] })), undefined, 'of several levels')
  })
