/** Values of dimensions without measures: those that could occur together, and those of every row. */
import t from 'tap'
import { aggregateQuery, bound, contextOf } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shop, shopWith } from '../../../test/support/models.js'
import { said } from '../../../test/support/said.js'
import { bindDimensionRows } from './bind-dimensions.js'

function exclude(dimensions: readonly string[], where: readonly object[] = []) {
  const found = bound({ select: { dimensions }, dimensions_exclude: true, where }, shop)
  const { rows } = found
  if (rows.kind !== 'exclude') throw new Error(rows.kind)
  return { ...rows, bases: found.bases }
}
const equals = (field: string, value: string) => ({ field, op: 'equals', value })
const conditions = (blocks: ReturnType<typeof exclude>['occurring']) =>
  blocks.map(({ where }) => where.map(({ expression }) => said(expression)).join())

t.test('each dimension has its values, and the tuples are those of an object that has all', async (t) => {
  const { values, occurring, bases } = exclude(['Region', 'Status'])
  t.same(
    values.map((blocks) => blocks.map(({ base }) => base)),
    [['Regions'], ['Orders']],
  )
  t.same(
    occurring.map(({ base }) => base),
    ['Orders'],
  )
  t.same(bases, ['Orders'])
})

t.test('a condition restricts the values that it is about, and all tuples', async (t) => {
  const { values, occurring } = exclude(['Region', 'Status'], [equals('Region', 'north'), equals('Status', 'paid')])
  t.same(values.map(conditions), [["(Regions.name = 'north')"], ["(Regions.name = 'north'),(Orders.status = 'paid')"]])
  t.same(conditions(occurring), ["(Regions.name = 'north'),(Orders.status = 'paid')"])
})

t.test('a test for other rows restricts the values of the objects that reach its subject', async (t) => {
  const found = { field: 'Customers', op: 'exists', subquery: { dataObject: 'Returns' } }
  const { values } = exclude(['Region', 'Status'], [found])
  t.same(
    values.map((blocks) => blocks.map(({ where }) => where.length)),
    [[0], [1]],
  )
})

const rows = (dimensions: readonly string[], base: string) =>
  bindDimensionRows(aggregateQuery({ select: { dimensions, measures: ['Sales'] } }, shop), base, contextOf(shop))

t.test('every row of an object shows what it reaches', async (t) => {
  const { rows: found, bases } = rows(['Region', 'Status'], 'Orders')
  t.same(
    found.block.groupBy.map(({ expression }) => said(expression)),
    ['Regions.name', 'Orders.status'],
  )
  t.same(bases, ['Orders'])
})

t.test('a condition through a bridge would repeat rows', async (t) => {
  const labelled = shopWith(PARCELS_AND_LABELS)
  const where = [{ field: 'Label', op: '=', value: 'x' }]
  const query = aggregateQuery({ select: { dimensions: ['Region'], measures: ['Sales'] }, where }, labelled)
  t.throws(() => bindDimensionRows(query, 'Orders', contextOf(labelled)), { message: /can have several values/ })
})
