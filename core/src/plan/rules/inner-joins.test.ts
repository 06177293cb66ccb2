/** A join whose row the conditions need is an inner join, and inner joins come first. The rows stay the same. */
import t from 'tap'
import { aggregate, column, factsOf, filter, joinsIn, joinTo, limited, scan } from '../../../../test/support/plans.js'
import { binary, integer, isNull } from '../../resolve/expressions.js'
import type { RelationColumn } from '../../resolve/relation-column.js'
import { relationOf } from '../joined-rows.js'
import type { LogicalPlan } from '../logical-plan.js'
import { innerJoins } from './inner-joins.js'

const of = (name: string) => column('Orders', name)
const above0 = (one: RelationColumn) => binary<RelationColumn>('>', one, integer(0))
const customers = joinTo(scan('Orders'), 'Customers', of('customer'))
const regions = joinTo(customers, 'Regions', column('Customers', 'region'))
const shops = joinTo(customers, 'Shops', of('shop'))
const inner = { type: 'inner' } as const

for (const [title, rows, wanted] of [
  ['a condition on the joined row', filter(customers, above0(column('Customers', 'n'))), ['inner Customers']],
  [
    'a condition on a row that another finds',
    filter(regions, above0(column('Regions', 'n'))),
    ['inner Customers', 'inner Regions'],
  ],
  ['no condition', customers, undefined],
  ['a condition on the first rows', filter(customers, above0(of('n'))), undefined],
  ['a condition that is met without the row', filter(customers, isNull<RelationColumn>(column('Customers', 'n'))), undefined],
  ['a condition on the last of two joins', filter(shops, above0(column('Shops', 'n'))), ['inner Shops', 'left Customers']],
  ['a condition on the first of two joins', filter(shops, above0(column('Customers', 'n'))), ['inner Customers', 'left Shops']],
  ['an inner join after an outer one', joinTo(customers, 'Shops', of('shop'), inner), ['inner Shops', 'left Customers']],
  [
    'an inner join after two outer ones, of which it reads the first',
    joinTo(shops, 'Levels', column('Customers', 'level'), inner),
    ['inner Customers', 'inner Levels', 'left Shops'],
  ],
  ['an inner join after an inner one', joinTo({ ...customers, ...inner }, 'Shops', of('shop'), inner), undefined],
  ['an inner join without a condition', joinTo(customers, 'Shops', of('shop'), { ...inner, on: [] }), undefined],
  [
    'an inner join after outer rows without a name',
    joinTo({ ...customers, right: limited(scan('Customers')) }, 'Shops', of('shop'), inner),
    undefined,
  ],
  [
    'an inner join after rows beside all others',
    joinTo({ ...customers, type: 'cross', on: [] }, 'Shops', of('shop'), inner),
    undefined,
  ],
] as const satisfies readonly (readonly [string, LogicalPlan, readonly string[] | undefined])[])
  t.test(`${title}: ${wanted ? wanted.join(', ') : 'left alone'}`, async (t) => {
    const after = innerJoins.rewrite(aggregate(rows, [], []), factsOf())
    t.same(after && joinsIn(after).map((join) => `${join.type} ${relationOf(join)}`), wanted)
  })
