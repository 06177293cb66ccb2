/** Measures over several facts: what is summed of each, and where they meet. */
import t from 'tap'
import { rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { multiFactOf } from './multi-fact.js'

const model = shopWith({
  measures: {
    Kept: { aggregation: 'sum', expression: '({[Orders].[Amount]} + {[Orders].[Amount]}) - {[Returns].[Amount]}' },
    Named: { aggregation: 'sum', expression: '{[Orders].[Amount]} - {[Returns].[Amount]}', anchor: 'Customers' },
    Listed: {
      aggregation: 'listagg',
      expression: '{[Orders].[Status]} || {[Returns].[Amount]}',
      withinGroup: { column: { dataObject: 'Orders', column: 'Day' } },
    },
    Texts: { aggregation: 'count', expression: '{[Orders].[Status]} || {[Returns].[Amount]}' },
  },
})
const of = (name: string, base = 'Customers', within = model) =>
  multiFactOf(within.measures.get(name)!, base, rowSetContext({ select: { measures: ['Sales'] } }, within), 'p')

t.test('each column of a fact is summed once, by the key at which the facts meet', async (t) => {
  const found = of('Kept')!
  t.same(
    found.facts.map(({ object, sums }) => [object, ...sums.map(({ name }) => name)]),
    [
      ['Orders', 'Orders.Amount'],
      ['Returns', 'Returns.Amount'],
    ],
  )
  t.match(found, { assumed: true, keys: [{ label: 'Customers.Id' }] })
  t.match(found.facts[0]?.sums, [{ measure: { aggregation: 'sum', filters: [] } }])
  t.equal(of('Named')?.assumed, false)
  t.equal(of('Sales', 'Orders'), undefined, 'one fact')
})

t.test('facts need a key, and numbers', async (t) => {
  const keyless = shopWith({ dataObjects: { Customers: { columns: { Id: { primaryKey: false } } } } })
  const measure = model.measures.get('Kept')!
  t.throws(() => multiFactOf(measure, 'Customers', rowSetContext({ select: { measures: ['Sales'] } }, keyless), 'p'), {
    code: 'KEY_REQUIRED',
    path: 'p',
  })
  t.throws(() => of('Texts'), { code: 'INVALID_AGGREGATION_INPUTS' })
  t.throws(() => of('Listed'), { code: 'INVALID_AGGREGATION_INPUTS' })
})
