/** A key of grouping sets is an expression only where every engine, and the one asked, takes it for this key. */
import t from 'tap'
import { aggregate, column, factsOf, joinTo, named, scan, sumOf } from '../../../../test/support/plans.js'
import { DATE, INT } from '../../model/data-type.js'
import { plainName } from '../../resolve/aliases.js'
import { call, integer } from '../../resolve/expressions.js'
import type { LogicalPlan, NamedExpr } from '../logical-plan.js'
import { inSets } from './sets.js'

const [a, b] = [column('Orders', 'a'), column('Orders', 'b')]
const converted = { ...a, stored: { name: 'Orders.a', declared: INT, physical: undefined, collation: undefined } }
const keys = (...all: readonly NamedExpr['expression'][]): readonly NamedExpr[] => all.map((e, i) => named(`Key ${i}`, e))
const sets = [['Key 0'], []]
const grouped = (all: readonly NamedExpr[], hints = {}, input: LogicalPlan = scan('Orders')) =>
  inSets(aggregate(input, all, [sumOf('Sum', b)]), sets, factsOf(hints))

for (const [title, all, withExpressions, isPlain] of [
  ['columns', keys(a, b), false, true],
  ['a column with itself', keys(a, a), false, false],
  ['an expression', keys(call('abs', a)), true, true],
  ['an expression, where keys are columns', keys(call('abs', a)), false, false],
  ['an expression beside a column, where keys are columns', keys(a, call('abs', b)), false, false],
  ['a column that is converted, which is an expression', keys(converted), false, false],
  ['a column that is converted, where keys may be expressions', keys(converted), true, true],
  ['a constant', keys(integer(1)), true, false],
  ['a constant beside a column', keys(a, integer(1)), true, false],
  ['an expression with itself', keys(call('abs', a), call('abs', a)), true, false],
] as const)
  t.test(`${title}: ${isPlain ? 'the keys as they are' : 'each key is a column of a subquery'}`, async (t) => {
    const made = grouped(all, { groupedExpressions: withExpressions })
    t.equal(made.sets, sets)
    t.equal(made.input.kind, isPlain ? 'scan' : 'project')
    t.same(
      made.keys.map(({ name }) => name),
      all.map(({ name }) => name),
    )
    if (isPlain) t.same(made.keys, all)
    else t.ok(made.keys.every(({ expression }) => expression.kind === 'column'))
  })

t.test('the subquery is named after the object whose rows are grouped', async (t) => {
  const named = (input: LogicalPlan): string | undefined => {
    const made = grouped(keys(integer(1)), {}, input).input
    return made.kind === 'project' ? plainName(made.alias) : undefined
  }
  t.equal(named(scan('Orders')), 'orders_rows')
  t.equal(named(joinTo(scan('Orders'), 'Customers', a)), 'orders_rows')
  t.equal(named({ kind: 'limit', input: scan('Orders'), limit: 1, offset: undefined }), 'groups_rows')
})

t.test('two readings of one column are never two keys', async (t) => {
  const asDate = { ...a, type: DATE }
  t.equal(grouped(keys(a, asDate)).input.kind, 'project')
})
