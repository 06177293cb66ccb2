/** The levels of subtotals, and what each shows. */
import t from 'tap'
import { resolved } from '../../../test/support/bound.js'
import { shop, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import type { GroupedQuery } from './resolved-query.js'

function grouped(grouping: unknown, more: object = {}, dimensions: readonly string[] = ['Region', 'Status']): GroupedQuery {
  const found = resolved({ select: { dimensions, measures: ['Sales'] }, grouping, ...more }, shop)
  if (found.kind !== 'grouped') throw new Error(found.kind)
  return found
}
const levels = (grouping: unknown, dimensions?: readonly string[]) =>
  grouped(grouping, {}, dimensions).levels.map((level) => level.dimensions.map(({ label }) => label).join('+'))

t.test('each level once, the finest first', async (t) => {
  t.same(levels('rollup'), ['Region+Status', 'Region', ''])
  t.same(levels('cube'), ['Region+Status', 'Status', 'Region', ''])
  t.same(levels({ sets: [[], ['status'], ['Status'], ['Region', 'Status']] }), ['Region+Status', 'Status', ''])
  t.same(
    levels({ sets: [['Day']] }, ['Day:month', 'Day:year']),
    ['Day:month+Day:year'],
    'by the name of the dimension, at every grain',
  )
})

t.test('too many levels, and what is not selected, are refused', async (t) => {
  const grains = ['Region', 'Status', 'Customer', 'Product', 'Day', 'Day:month', 'Day:year']
  t.throws(() => levels('cube', grains), /more than 64 levels/)
  const sets = Array.from({ length: 65 }, (_, i) => grains.filter((_, at) => (i >> at) % 2 === 1))
  t.throws(() => levels({ sets }, grains), /65 levels; 64 is the most|more than 64/)
  t.throws(() => levels({ sets: [['Regin']] }), { code: 'UNKNOWN_DIMENSION', path: 'grouping.sets[0][0]' })
  t.throws(() => grouped({ sets: [['Region']], of: 'shown' }), { path: 'grouping.sets', code: 'INVALID_QUERY' })
})

t.test('a level shows NULL and a flag for what it aggregates', async (t) => {
  const { levels: all, outputs } = grouped('rollup')
  t.same(
    outputs.map(({ name }) => name),
    ['Region', 'Status', 'Sales', 'Region is total', 'Status is total'],
  )
  t.same(
    all[1]?.outputs.map(({ expression }) => said(expression)),
    ['Region', 'null::string', 'Sales', 'false', 'true'],
  )
})

t.test('rows are ordered over all levels; a page also by the flags', async (t) => {
  const order = (more: object) =>
    grouped('rollup', more).order.map(({ expression, descending }) => `${said(expression)}${descending ? ' desc' : ''}`)
  t.same(order({}), [])
  t.same(order({ order_by: [{ field: 'Sales', direction: 'desc' }] }), ['Sales desc'])
  t.same(order({ order_by: [{ field: 'Net' }] }), ['order 1'], 'a value that is not shown is a hidden column')
  t.same(order({ limit: 5 }), ['Region is total', 'Region', 'Status is total', 'Status'])
})

t.test('a page is ordered by what orders each dimension', async (t) => {
  const ordered = shopWith({
    dimensions: { Region: { sortBy: 'Id' }, Customer: { sortBy: 'Region Id' } },
  })
  const query = { select: { dimensions: ['Region', 'Customer'], measures: ['Sales'] }, grouping: 'rollup', limit: 5 }
  const found = resolved(query, ordered)
  if (found.kind !== 'grouped') throw new Error(found.kind)
  t.same(
    found.order.map(({ expression }) => said(expression)),
    ['Region is total', 'order of Region', 'Region', 'Customer is total', 'order of Customer', 'Customer'],
  )
})

t.test('totals of what is shown', async (t) => {
  const { shown, levels: all } = grouped({ sets: 'rollup', of: 'shown' }, { having: [{ field: 'Sales', op: '>', value: 1 }] })
  t.ok(shown?.having)
  t.equal(all[0]?.having, undefined)
  t.equal(grouped('rollup').shown, undefined)
})
