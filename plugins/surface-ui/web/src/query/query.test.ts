import t from 'tap'
import { fromHash, type Shared, toHash } from './hash-state.js'
import {
  add,
  dimensionsOf,
  EMPTY,
  grainOf,
  measuresOf,
  move,
  nameOf,
  type Query,
  toggle,
  topOf,
  withFilter,
  withGrain,
  withOrders,
  withTop,
} from './query.js'

const asked: Query = {
  select: { dimensions: ['Origin', 'Date:month', { as: 'Half', expression: '1' }], measures: ['Flights', 'Delay'] },
  where: [{ field: 'Origin', op: 'in', value: ['JFK'] }, { segment: 'Summer' }],
  order_by: [{ field: 'Flights', direction: 'desc' }, { field: 'Origin' }],
  use_path_names: [{ source: 'A', target: 'B', path_name: 'x' }],
}

t.test('top is removed with its dimension, and a link with an invalid top is ignored', async (t) => {
  const top = { dimension: 'Origin', by: 'Flights', n: 3, others: 'Others' }
  const cut = withTop(asked, top)
  t.same(topOf(cut), top)
  t.same(topOf(toggle(cut, 'dimension', 'Origin')), undefined)
  t.same(topOf(toggle(cut, 'dimension', 'Date')), top)
  t.notOk('top' in withTop(cut, undefined))
  t.same(withTop(asked, { ...top, others: undefined })['top'], { dimension: 'Origin', by: 'Flights', n: 3 })
  t.equal(topOf({ ...asked, top: { dimension: 5 } }), undefined)
})

t.test('a link restores its query, in any script', async (t) => {
  const shared: Shared = { model: 'vuelos é 漢字', query: asked, tab: 'sql', dialects: ['', 'bigquery'] }
  t.same(fromHash(toHash(shared)), shared)
  t.match(toHash(shared), /^#s=[\w-]+$/, 'nothing that mail programs cut')
})

t.test('of a manipulated link only the valid parts are used', async (t) => {
  const of = (value: unknown) => fromHash(toHash(value as Shared))
  t.same(fromHash('#s=%%%'), {})
  t.same(fromHash('#s=bm8'), {})
  t.same(of([]), {})
  t.same(of({ model: 7, query: { select: { dimensions: 'x' } }, tab: 'nowhere', dialects: [1] }), {})
  t.same(of({ query: { select: { measures: [{}] } } }), {})
  t.same(of({ query: { select: {}, order_by: [null] } }), {})
  t.same(of({ query: { select: {}, where: [5] }, model: 'm' }), { model: 'm' })
})

t.test('a field is added once and removed with its sort key', async (t) => {
  t.same(add(asked, 'measure', 'Flights'), asked)
  t.same(measuresOf(add(asked, 'metric', 'Rate')), ['Flights', 'Delay', 'Rate'])
  const without = toggle(asked, 'measure', 'Flights')
  t.same(measuresOf(without), ['Delay'])
  t.same(without.order_by, [{ field: 'Origin' }])
  t.same(without.use_path_names, asked.use_path_names, 'the rest stays as it is')
  t.notOk('order_by' in toggle({ ...EMPTY, select: { measures: ['A'] }, order_by: [{ field: 'A' }] }, 'measure', 'A'))
})

t.test('the grain is part of the selection, and not of a name with a colon', async (t) => {
  t.same(dimensionsOf(asked).map(nameOf), ['Origin', 'Date', 'Half'])
  t.equal(grainOf('Date:month'), 'month')
  t.equal(grainOf('Ratio 1:2'), undefined)
  t.equal(nameOf('Ratio 1:2'), 'Ratio 1:2')
  t.same(dimensionsOf(withGrain(asked, 'Date', 'year'))[1], 'Date:year')
  t.same(dimensionsOf(withGrain(asked, 'Date', undefined))[1], 'Date')
  t.same(dimensionsOf(toggle(asked, 'dimension', 'Date')).map(nameOf), ['Origin', 'Half'])
})

t.test('fields can be reordered, but not moved between lists', async (t) => {
  t.same(dimensionsOf(move(asked, 'dimension', 0, 2)).map(nameOf), ['Date', 'Half', 'Origin'])
  t.same(move(asked, 'dimension', 0, 3), asked)
  t.same(measuresOf(move(asked, 'metric', 1, 0)), ['Delay', 'Flights'])
})

t.test('a filter replaces the filter on the same field with the same operator', async (t) => {
  const { where } = withFilter(asked, 'where', { field: 'Origin', op: 'in', value: ['LGA'] })
  t.same(where, [{ segment: 'Summer' }, { field: 'Origin', op: 'in', value: ['LGA'] }])
  t.notOk('order_by' in withOrders(asked, []))
})
