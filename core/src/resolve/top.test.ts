/** The values with the largest measure. */
import t from 'tap'
import { aggregateQuery, resolved } from '../../../test/support/bound.js'
import { shop } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'

const ask = (top: object, dimensions: readonly string[] = ['Region', 'Status']) => ({
  select: { dimensions, measures: ['Sales'] },
  top: { dimension: 'Region', by: 'Net', n: 2, ...top },
  having: [{ field: 'Sales', op: '>', value: 1 }],
})

t.test('a separate query chooses them: without the group of none, and without other conditions on values', async (t) => {
  const { top, dimensions } = aggregateQuery(ask({ others: 'Other' }), shop)
  t.match(
    dimensions.map((d) => d.top),
    [{ others: 'Other' }, undefined],
  )
  t.match(top, { limit: 2, dimensions: [{ label: 'Region' }], order: [{ output: 'Net', descending: true }] })
  t.equal(said(top!.having!), '(Region is not null and Net is not null)')
  t.same(
    top!.outputs.map(({ name }) => name),
    ['Region'],
  )
})

t.test('it names a selected dimension', async (t) => {
  t.equal(aggregateQuery(ask({ dimension: 'Day' }, ['Day:month']), shop).dimensions[0]?.top?.others, undefined)
  t.throws(() => resolved(ask({ dimension: 'Customer' }), shop), { code: 'UNKNOWN_DIMENSION', path: 'top.dimension' })
  t.throws(() => resolved(ask({ dimension: 'Day' }, ['Day:month', 'Day:year']), shop), {
    code: 'INVALID_QUERY',
    details: { suggestions: ['Day:month', 'Day:year'] },
  })
})
