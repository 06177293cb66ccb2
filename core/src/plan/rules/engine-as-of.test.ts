/** An engine that knows such joins is asked for the last row before a time, unless rows are left out that find one too far away. */
import t from 'tap'
import { column, factsOf, joinTo, scan } from '../../../../test/support/plans.js'
import type { AsOf } from '../../model/join-term.js'
import type { RowExpr } from '../../resolve/relation-column.js'
import type { Join } from '../logical-plan.js'
import { engineAsOf } from './engine-as-of.js'
import { usableRules } from './rule.js'

const customers = joinTo(scan('Orders'), 'Customers', column('Orders', 'customer'))
const term = (within: AsOf<RowExpr>['within']): AsOf<RowExpr> => ({
  kind: 'as-of',
  found: 'to',
  value: column('Orders', 'day'),
  at: column('Customers', 'since'),
  direction: 'backward',
  within,
  ties: [],
  zone: undefined,
})
const week = { count: 1, unit: 'week' } as const

for (const [title, join, isAsked] of [
  ['a join by equal columns', customers, false],
  ['a join to the last row', { ...customers, on: [...customers.on, term(undefined)] }, true],
  ['a join to the last row of a week', { ...customers, on: [term(week)] }, true],
  ['an inner join to the last row', { ...customers, type: 'inner', on: [term(undefined)] }, true],
  ['an inner join to the last row of a week', { ...customers, type: 'inner', on: [term(week)] }, false],
  ['a join for which the engine is asked', { ...customers, on: [term(undefined)], byEngine: true }, false],
] as const satisfies readonly (readonly [string, Join, boolean])[])
  t.test(`${title}: ${isAsked ? 'asked' : 'left alone'}`, async (t) =>
    t.same(engineAsOf.rewrite(join, factsOf()), isAsked ? { ...join, byEngine: true } : undefined),
  )

t.test('only an engine that has such joins is asked', async (t) => {
  t.same(usableRules([engineAsOf], factsOf().hints, new Set()), [])
  t.same(usableRules([engineAsOf], factsOf({ asOfJoins: true }).hints, new Set()), [engineAsOf])
})
