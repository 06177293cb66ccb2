/** A join by a foreign key is an inner join if no row that meets the conditions lacks the key. Otherwise it stays as it is. */
import t from 'tap'
import { aggregate, column, factsOf, filter, joinsIn, joinTo, scan } from '../../../../test/support/plans.js'
import { anyOf, binary, integer, isNotNull, isNull } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import type { LogicalPlan } from '../logical-plan.js'
import { certainJoins } from './certain-joins.js'

const [customer, payer] = [column('Orders', 'customer'), column('Orders', 'payer')]
const byForeignKey = (...matchedBy: readonly RelationColumn[]) => joinTo(scan('Orders'), 'Customers', customer, { matchedBy })
const above0 = (one: RelationColumn) => binary<RelationColumn>('>', one, integer(0))
const joined = byForeignKey(customer)
/** Also joined, by the same column, to other rows: they are found only by rows that have it. */
const byLeft = joinTo(joined, 'Regions', customer)
/** Regions of customers, by whose key shops are found. */
const further = joinTo(joinTo(scan('Orders'), 'Shops', customer), 'Regions', column('Shops', 'region'))

for (const [title, rows, wanted] of [
  ['a condition on the key', filter(joined, above0(customer)), ['inner']],
  ['two conditions, of which one is on the key', filter(filter(joined, above0(payer)), isNotNull(customer)), ['inner']],
  ['no condition', joined, undefined],
  ['a condition on another column', filter(joined, above0(payer)), undefined],
  ['a condition that a row without the key meets', filter(joined, anyOf([above0(payer), isNull(customer)])), undefined],
  [
    'a key of two columns, each of which has a condition',
    filter(filter(byForeignKey(customer, payer), above0(payer)), above0(customer)),
    ['inner'],
  ],
  ['a key of two columns, of which one may be NULL', filter(byForeignKey(customer, payer), above0(customer)), undefined],
  ['a join that is no foreign key', filter(joinTo(scan('Orders'), 'Customers', customer), above0(customer)), undefined],
  ['a foreign key that is an inner join already', filter({ ...joined, type: 'inner' }, above0(customer)), undefined],
  ['an inner join by the same column', joinTo(joined, 'Regions', customer, { type: 'inner' }), ['inner', 'inner']],
  ['an outer join by the same column', byLeft, undefined],
  ['an outer join by it whose row a condition needs', filter(byLeft, above0(column('Regions', 'n'))), ['inner', 'left']],
  [
    'an outer join by it on the way to a row that a condition needs',
    filter(joinTo(further, 'Customers', customer, { matchedBy: [customer] }), above0(column('Regions', 'n'))),
    ['left', 'left', 'inner'],
  ],
  ['rows beside all others', joinTo(filter(joined, above0(payer)).input, 'Days', payer, { type: 'cross', on: [] }), undefined],
] as const satisfies readonly (readonly [string, LogicalPlan, readonly string[] | undefined])[])
  t.test(`${title}: ${wanted ? wanted.join(', ') : 'left alone'}`, async (t) => {
    const after = certainJoins.rewrite(aggregate(rows, [], []), factsOf())
    t.same(after && joinsIn(after).map(({ type }) => type), wanted)
  })
