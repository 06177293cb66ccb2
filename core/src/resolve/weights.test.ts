/** The weights of bridges on which values are read. */
import t from 'tap'
import { contextOf, dimensionOf, rowSetContext } from '../../../test/support/bound.js'
import { PARCELS_AND_LABELS, shopWith } from '../../../test/support/models.js'
import { formatDataType, INT } from '../model/data-type.js'
import { TRUE } from './expressions.js'
import { isWeighed, weightedType, weightsOf } from './weights.js'

const model = shopWith(PARCELS_AND_LABELS)
const { graph } = contextOf(model)
const context = rowSetContext({ select: { measures: ['Sales'] } }, model)
const measure = (name: string) => model.measures.get(name)!
const weights = (dimensions: readonly string[]) =>
  weightsOf({ base: 'Orders', dimensions: dimensions.map((name) => dimensionOf(name, model)), conjuncts: [], filters: [] }, graph)

t.test('sums, counts and averages of rows are weighed', async (t) => {
  t.ok(isWeighed(measure('Sales')))
  t.notOk(isWeighed(measure('Buyers')))
  t.notOk(isWeighed({ ...measure('Sales'), distinct: true }))
  t.notOk(isWeighed({ ...measure('Sales'), allowFanOut: true }))
})

t.test('each bridge that is read, once', async (t) => {
  t.same(weights(['Label', 'Label']), [{ bridge: 'Order Labels', column: 'Share' }])
  t.same(weights(['Region']), [])
})

t.test('a bridge on which the rows behind what is shown are found', async (t) => {
  const behind = { expression: TRUE, leaves: [], path: '', fields: ['Label'], shown: [dimensionOf('Label', model)] }
  t.same(weightsOf({ base: 'Orders', dimensions: [], conjuncts: [behind], filters: [] }, graph), [
    { bridge: 'Order Labels', column: 'Share' },
  ])
})

t.test('a weighed value has the type of its product', async (t) => {
  const type = (name: string, of = weights(['Label'])) => formatDataType(weightedType(measure(name), INT, of, context))
  t.equal(type('Sales'), 'float')
  t.equal(type('Order Count'), 'float')
  t.equal(type('Sales', []), 'int')
  t.equal(formatDataType(weightedType({ ...measure('Sales'), aggregation: 'avg' }, INT, weights(['Label']), context)), 'int')
})
