import t from 'tap'
import { sharedExtremes } from './shared-extremes.js'

const point = (place: string, series: string, values: readonly (number | null)[]) => ({
  x: place,
  series,
  values,
  texts: [],
  place,
})
const points = [point('a', 's', [1, 5, 9]), point('a', 't', [2, null, 9]), point('b', 's', [4, 3, 9])]
const names = ['Revenue', 'Revenue before', 'Orders']

t.test('a measure and its value before have one scale', async (t) => {
  for (const name of names.slice(0, 2)) {
    t.same(sharedExtremes({ names, name, points, kind: 'line' }), [1, 5])
    t.same(sharedExtremes({ names, name, points, kind: 'bar' }), [3, 5], 'bars of one place stand on each other')
  }
  t.same(sharedExtremes({ names, name: 'Orders', points, kind: 'line' }), [])
  t.same(
    sharedExtremes({ names: ['Night before'], name: 'Night before', points, kind: 'line' }),
    [],
    'a name that ends like this',
  )
  t.same(sharedExtremes({ names, name: 'Revenue', points: [], kind: 'line' }), [])
})
