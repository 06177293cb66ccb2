/** The object at whose rows a measure is evaluated. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { baseOf, readObjects } from './base-of.js'

const sum = (expression: string, more: object = {}) => ({ aggregation: 'sum', expression, ...more })
const model = shopWith({
  measures: {
    Spent: sum('{[Orders].[Amount]} * {[Customers].[Id]}'),
    Both: sum('{[Orders].[Amount]} - {[Returns].[Amount]}'),
    'At Regions': sum('{[Orders].[Amount]} - {[Returns].[Amount]}', { anchor: 'Regions' }),
    'At Items': sum('{[Orders].[Amount]}', { anchor: 'Items' }),
    'At Returns': sum('{[Orders].[Amount]}', { anchor: 'Returns' }),
    Ones: sum('1', { anchor: 'Orders' }),
    'Latest Status': {
      aggregation: 'first',
      columns: [{ dataObject: 'Orders', column: 'Status' }],
      orderBy: [{ column: { dataObject: 'Orders', column: 'Day' } }],
    },
  },
})
const { graph } = contextOf(model)
const measure = (name: string) => model.measures.get(name)!

const BASES: Readonly<Record<string, string>> = {
  Sales: 'Orders',
  Spent: 'Orders',
  Both: 'Customers',
  'At Regions': 'Regions',
  'At Items': 'Items',
  Ones: 'Orders',
}
for (const [name, base] of Object.entries(BASES))
  t.test(`'${name}' is evaluated at the rows of ${base}`, async (t) => t.equal(baseOf(measure(name), graph, ''), base))

t.test('what counts rows has these', async (t) => {
  t.equal(baseOf({ ...measure('Sales'), rowCountOf: 'Items' }, graph, ''), 'Items')
})

t.test('a measure that reads nothing, or strangers, has no base', async (t) => {
  t.throws(() => baseOf({ ...measure('Ones'), anchor: undefined }, graph, 'p'), { code: 'ANCHOR_REQUIRED', path: 'p' })
  const strangers = shopWith({ dataObjects: { Returns: { joins: [] } } })
  t.throws(() => baseOf(measure('Both'), contextOf(strangers).graph, ''), /no object is reached from all of them/)
})

t.test('the objects that a measure reads: also for its order', async (t) => {
  t.same(readObjects(measure('Both')), ['Orders', 'Returns'])
  t.same(readObjects(measure('Latest Status')), ['Orders'])
})
