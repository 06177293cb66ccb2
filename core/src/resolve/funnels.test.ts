/** The steps of a funnel as events that follow each other. */
import t from 'tap'
import { metricOf, rowSetContext } from '../../../test/support/bound.js'
import { shopWith } from '../../../test/support/models.js'
import { entitiesOf, funnelOf } from './funnels.js'

const counted = (dataObject: string) => ({ aggregation: 'count', columns: [{ dataObject, column: 'Id' }] })
const steps = [
  { measure: 'Order Count', timeDimension: 'Day' },
  { measure: 'Return Count', timeDimension: 'Return Day' },
  { measure: 'Order Count', timeDimension: 'Day' },
]
const FUNNEL = {
  dimensions: { 'Return Day': { dataObject: 'Returns', column: 'Day' } },
  measures: { 'Return Count': counted('Returns') },
  metrics: { Funnel: { type: 'funnel', steps, entity: 'Customer', window: '7d' } },
}
const model = shopWith(FUNNEL)
const metric = metricOf('funnel', 'Funnel', model)
const measures = metric.steps.map(({ measure }) => model.measures.get(measure)!)
const of = (step: number, within = model, window = metric.window) =>
  funnelOf({ metric: { ...metric, window }, measures, step }, rowSetContext({ select: { measures: ['Sales'] } }, within), 'p')

t.test('the first events, and those of as many further steps', async (t) => {
  const shown = ({ base, later }: ReturnType<typeof of>) => [base.base, ...later.map((one) => one.base)]
  t.same(shown(of(1)), ['Orders'])
  t.same(shown(of(3)), ['Orders', 'Returns', 'Orders'])
  t.match(of(3), { inOrder: true, unit: 'day', count: 7 })
})

t.test('times that cannot be compared are refused', async (t) => {
  const mixed = shopWith(FUNNEL, { dataObjects: { Returns: { columns: { Day: { abstractType: 'timestamp' } } } }, metrics: {} })
  t.throws(() => of(2, mixed), { code: 'INVALID_METRIC', path: 'p' })
  t.throws(() => of(2, model, { unit: 'hour', count: 1 }), /finer than a day/)
})

t.test('entities are counted once', async (t) => {
  t.match(entitiesOf(of(1), measures[0]!), {
    aggregation: 'count_distinct',
    distinct: true,
    anchor: 'Orders',
    inputs: [{ object: 'Customers', column: 'Name' }],
  })
})
