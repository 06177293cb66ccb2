/** The comparison that a query asks for all its measures. */
import t from 'tap'
import { shop } from '../../../test/support/models.js'
import { parseQuery } from '../query/parse-query.js'
import { withComparedMeasures } from './compared-measures.js'

const ask = (measures: readonly string[], compare: object = {}, select: object = {}) =>
  withComparedMeasures({
    query: parseQuery({ select: { measures, ...select }, compare: { time: 'Day', unit: 'month', ...compare } }),
    model: shop,
  })

t.test('each measure has a column for each comparison, and comparisons stand for themselves', async (t) => {
  const { query, model } = ask(['Sales', 'Sales Last Month', 'Net'], { show: ['previousValue', 'percentChange'] })
  t.same(query.select.measures.slice(3), ['Sales before', 'Sales change', 'Net before', 'Net change'])
  t.match(model.metrics.get('Sales change'), { comparison: 'percentChange', offset: -1, offsetGrain: 'month', format: '0.0%' })
  t.match(model.metrics.get('Net before'), { timeDimension: 'Day', byRange: false })
  t.equal(shop.metrics.has('Sales change'), false, 'the model of others is unchanged')
})

t.test('by the length of the range', async (t) => {
  const { model, query } = ask(['Sales'], { unit: 'range', count: 2 })
  t.match(model.metrics.get(query.select.measures.at(-1)!), { byRange: true, offset: -2, offsetGrain: undefined })
})

t.test('the same comparison has the same model', async (t) => {
  t.equal(ask(['Sales']).model, ask(['Sales']).model)
  t.not(ask(['Sales']).model, ask(['Net']).model)
  for (const unit of ['day', 'week', 'quarter', 'year', 'hour', 'range', 'second', 'minute']) ask(['Sales'], { unit })
  t.ok(ask(['Sales']).model.metrics.has('Sales before'), 'also if it was forgotten')
})

t.test('a comparison of nothing is refused', async (t) => {
  t.throws(() => ask(['Sales Last Month']), { code: 'INVALID_QUERY', path: 'compare' })
  t.throws(() => ask([], {}, { fields: ['Orders.Id'] }), { code: 'INVALID_QUERY', path: 'compare' })
  t.throws(() => ask(['Sales'], { time: 'Region' }), { code: 'TIME_GRAIN_ON_NON_TEMPORAL', path: 'compare.time' })
  t.throws(() => ask(['Sales'], { time: 'Dya' }), { code: 'UNKNOWN_DIMENSION', details: { suggestions: ['Day'] } })
  const query = parseQuery({ select: { measures: ['Sales'] } })
  t.equal(withComparedMeasures({ query, model: shop }).model, shop, 'a query without a comparison')
})
