/** Expressions inside a query. */
import t from 'tap'
import { resolveContext, resolved } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { saidWhere } from '../../../test/support/said.js'
import { adHocCondition, adHocDimension } from './ad-hoc.js'

const context = resolveContext(shop)
const dimension = (expression: string, as = 'X', model = shop) =>
  adHocDimension({ kind: 'expression', expression, as }, 'd', resolveContext(model))

t.test('a condition over dimensions and columns', async (t) => {
  const found = adHocCondition('{[Status]} = {[Orders].[Status]}', 'w', context)
  t.equal(saidWhere(found.expression), '(Status = Orders.Status)')
  t.same(found.fields, ['Status', 'Orders.Status'])
  t.equal(
    saidWhere(adHocCondition("{[Day:month]} = DATE '2025-01-01'", 'w', context).expression),
    "(date_trunc('month', Day:month) = '2025-01-01')",
  )
})

t.test('a dimension has the members of all that it reads', async (t) => {
  const found = dimension('upper({[Region]}) || {[Status]}')
  t.same([found.type.kind, found.members.map(({ object }) => object)], ['string', ['Regions', 'Orders']])
})

const REFUSED: readonly (readonly [string, () => unknown, string])[] = [
  ['no condition', () => adHocCondition('{[Region]}', 'w', context), 'INVALID_EXPRESSION'],
  ['no expression', () => adHocCondition('{[Region]} =', 'w', context), 'INVALID_EXPRESSION'],
  ['no name', () => adHocCondition('{[]} = 1', 'w', context), 'INVALID_EXPRESSION'],
  ['types that differ', () => adHocCondition('{[Day]} + {[Region]} = 1', 'w', context), 'EXPRESSION_TYPE_MISMATCH'],
  ['an unknown column', () => adHocCondition('{[Orders].[Amuont]} = 1', 'w', context), 'UNKNOWN_FILTER_FIELD'],
  ['no dimension in it', () => dimension('1 + 1'), 'INVALID_EXPRESSION'],
  ['the name of a field', () => dimension('upper({[Region]})', 'Sales'), 'INVALID_QUERY'],
  ['what only plans call', () => adHocCondition('same({[Region]}, {[Status]})', 'w', context), 'NON_PORTABLE_FUNCTION'],
]
for (const [what, ask, code] of REFUSED) t.test(`${what} is refused`, async (t) => t.throws(ask, { code }))

t.test('units that differ are refused', async (t) => {
  const model = shopWith({
    dataObjects: { Orders: { columns: { Amount: { unit: 'EUR' }, Payer: { code: 'p', abstractType: 'int', unit: 'km' } } } },
  })
  t.throws(() => adHocCondition('{[Orders].[Amount]} > {[Orders].[Payer]}', 'w', resolveContext(model)), {
    code: 'UNIT_MISMATCH',
  })
  t.ok(resolved({ select: { measures: ['Sales'] }, where: [{ expression: '{[Orders].[Amount]} > 1' }] }, model))
})

t.test('a column without a declared type fits any operator', async (t) => {
  const untyped = shopWith({ dataObjects: { Orders: { columns: { Code: { code: 'code' } } } } })
  const { expression } = adHocCondition('{[Orders].[Code]} > 1', 'w', resolveContext(untyped))
  t.equal(saidWhere(expression), '(Orders.Code > 1)')
})
