/** A key is new if no earlier one is the same, or may be spelled the same. */
import t from 'tap'
import { column, named } from '../../../../test/support/plans.js'
import { DATE, INT } from '../../model/data-type.js'
import { call } from '../../resolve/expressions.js'
import type { RelationColumn, RowExpr } from '../../resolve/relation-column.js'
import { isNewKey } from './new-key.js'

const [a, b, other] = [column('Orders', 'a'), column('Orders', 'b'), column('Customers', 'a')]
const asDate: RelationColumn = { ...a, type: DATE }
const converted = { ...a, stored: { name: 'Orders.a', declared: INT, physical: undefined, collation: undefined } }
const isNew = (first: RowExpr, second: RowExpr): boolean => {
  const keys = [named('One', first), named('Two', second)]
  return isNewKey(named('Two', second), 1, keys)
}

for (const [title, first, second, wanted] of [
  ['another column', a, b, true],
  ['the same column', a, column('Orders', 'a'), false],
  ['a column of the same name of another relation', a, other, true],
  ['a function of the column', a, call('abs', a), true],
  ['the same function of it', call('abs', a), call('abs', column('Orders', 'a')), false],
  ['the column as another type', a, asDate, false],
  ['a function of it as another type', a, call('abs', asDate), false],
  ['one of several columns as another type', call('concat', b, a), call('concat', other, asDate), false],
  ['a function of a column that is converted', converted, call('abs', converted), false],
  ['another column beside one that is converted', converted, b, true],
] as const satisfies readonly (readonly [string, RowExpr, RowExpr, boolean])[])
  t.test(`${title} is ${wanted ? 'a new key' : 'no new key'}`, async (t) => t.equal(isNew(first, second), wanted))

t.test('only earlier keys count', async (t) => {
  const keys = [named('One', a), named('Two', a)]
  t.ok(isNewKey(named('One', a), 0, keys))
  t.notOk(isNewKey(named('Two', a), 1, keys))
})
