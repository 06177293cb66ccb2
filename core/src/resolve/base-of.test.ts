/** The object at whose rows a measure is evaluated. */
import t from 'tap'
import { contextOf } from '../../../test/support/bound.js'
import { manyToOne, shopWith } from '../../../test/support/models.js'
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

t.test('the lowest of the objects that reach both; several without a lowest are refused', async (t) => {
  const pair = (...names: readonly string[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        {
          code: name,
          columns: {
            Id: { code: 'id', abstractType: 'int', primaryKey: true },
            Order: { code: 'o', abstractType: 'int' },
            Return: { code: 'r', abstractType: 'int' },
          },
          joins: [manyToOne('Orders', 'Order'), manyToOne('Returns', 'Return')],
        },
      ]),
    )
  const Returns = { joins: [] }
  const both = model.measures.get('Both')!
  t.equal(baseOf(both, contextOf(shopWith({ dataObjects: { Returns, ...pair('Exchanges') } })).graph, ''), 'Exchanges')
  const several = contextOf(shopWith({ dataObjects: { Returns, ...pair('Exchanges', 'Swaps') } })).graph
  t.throws(() => baseOf(both, several, ''), { code: 'ANCHOR_REQUIRED' })
  t.throws(() => baseOf({ ...both, anchor: 'Items' }, graph, ''), { code: 'ANCHOR_REQUIRED' }, 'its anchor is none')
})

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
