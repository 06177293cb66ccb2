/** Measures per object that a statement names. */
import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { builtInAggregates } from '../model/functions/aggregates.js'
import { builtInFunctions } from '../model/functions/catalogue.js'
import { withQueryColumns } from './query-columns.js'

const of = (measure: string) =>
  withQueryColumns(shop, [{ measure, per: 'Customers', as: 'Spent' }], {
    functions: builtInFunctions,
    aggregates: builtInAggregates,
  })

t.test('each is a hidden dimension', async (t) => {
  const model = of('Sales')
  t.match(model.dimensions.get('Spent'), { hidden: true, dataObject: 'Customers' })
  t.equal(model.dimensions.get('Region')?.hidden, false)
  t.equal(shop.dimensions.has('Spent'), false)
  t.throws(() => of('Sels'), { path: /columns\[0\]/, code: 'UNKNOWN_MEASURE' })
})
