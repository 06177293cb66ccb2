/** Dimensions as queries write them. */
import t from 'tap'
import { dimensionOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { declaredDimension, grainNamed, resolveDimension, splitGrain } from './fields.js'

const model = shopWith({
  dimensions: {
    'Return Day': { dataObject: 'Returns', column: 'Day' },
    'Day:month ': { dataObject: 'Orders', column: 'Status' },
    Month: { dataObject: 'Orders', column: 'Day', timeGrain: 'month' },
    'Customer by Number': { dataObject: 'Customers', column: 'Name', sortBy: 'Id' },
    Size: { dataObject: 'Orders', column: 'Amount', bins: { edges: [10], labels: ['small', 'large'] } },
    Weight: { dataObject: 'Orders', column: 'Amount', bins: { edges: [10], labels: ['light', 'heavy'] } },
  },
})
const coalesce = (members: readonly string[], as: string, grain?: string) =>
  resolveDimension({ kind: 'coalesce', members, as, ...(grain && { grain }) }, model, 'd')

t.test('a name, and a grain after a colon', async (t) => {
  t.match(dimensionOf('Day', model), { label: 'Day', grain: undefined })
  t.match(dimensionOf('day : QUARTER', model), { label: 'Day:quarter', grain: 'quarter' }, 'in any case')
  t.match(dimensionOf('Month', model), { label: 'Month', grain: 'month' })
  t.match(dimensionOf('Month:year', model), { grain: 'year' })
  t.same(splitGrain('A: B:week', model), { name: 'A: B', grain: 'week' })
  t.same(splitGrain('A: B', model), { name: 'A: B', grain: undefined })
  t.ok(dimensionOf('Customer by Number', model).sortBy)
  t.equal(declaredDimension('Month', model, '').grain, 'month')
})

t.test('several dimensions as one', async (t) => {
  const both = coalesce(['Day', 'Return Day'], 'Any Day', 'month')
  t.same([both.label, both.grain, both.members.map(({ object }) => object)], ['Any Day', 'month', ['Orders', 'Returns']])
  t.equal(coalesce(['Customer by Number', 'Customer by Number'], 'X').sortBy?.column, 'Id')
  t.equal(coalesce(['Customer by Number', 'Customer'], 'X').sortBy, undefined, 'orders that differ are none')
  t.equal(coalesce(['Size', 'Weight'], 'X').sequence, undefined)
})

const REFUSED: readonly (readonly [string, () => unknown, string])[] = [
  ['no dimension', () => dimensionOf('Regoin', model), 'UNKNOWN_DIMENSION'],
  ['a measure', () => dimensionOf('Sales', model), 'UNKNOWN_DIMENSION'],
  ['a grain of a text', () => dimensionOf('Region:month', model), 'TIME_GRAIN_ON_NON_TEMPORAL'],
  ['no name', () => coalesce(['Day', 'Return Day'], ''), 'COALESCE_MISSING_ALIAS'],
  ['one member', () => coalesce(['Day'], 'X'), 'COALESCE_TOO_FEW_MEMBERS'],
  ['the name of a field', () => coalesce(['Day', 'Return Day'], 'Sales'), 'COALESCE_ALIAS_COLLISION'],
  ['a name like a grain', () => coalesce(['Day', 'Return Day'], 'X:month'), 'COALESCE_ALIAS_COLLISION'],
  ['types that differ', () => coalesce(['Day', 'Region'], 'X'), 'COALESCE_TYPE_MISMATCH'],
  ['grains that differ', () => coalesce(['Day', 'Month'], 'X'), 'COALESCE_TYPE_MISMATCH'],
  ['a grain of texts', () => coalesce(['Region', 'Status'], 'X', 'month'), 'TIME_GRAIN_ON_NON_TEMPORAL'],
  ['a member at a grain', () => coalesce(['Day:week', 'Return Day'], 'X'), 'UNKNOWN_DIMENSION'],
  ['an unknown member', () => coalesce(['Dya', 'Return Day'], 'X'), 'UNKNOWN_DIMENSION'],
  ['an unknown grain', () => grainNamed('mnth', model, 'g'), 'INVALID_QUERY'],
]
for (const [what, ask, code] of REFUSED) t.test(`${what} is refused`, async (t) => t.throws(ask, { code }))
