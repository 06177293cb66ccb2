import t from 'tap'
import { shadesOf } from './shades.js'

const column = (role: 'measure' | 'dimension' | 'grouping', values: readonly unknown[], name = 'x') => ({
  name,
  role,
  type: 'int',
  at: (row: number) => values[row],
})
const shades = (values: readonly unknown[], ...more: ReturnType<typeof column>[]) => {
  const [shade] = shadesOf([column('measure', values), ...more], values.length)
  return shade && values.map((_, row) => shade(row))
}

t.test('numbers of one side have five steps from the smallest to the largest', (t) => {
  t.same(shades([0, 10, 20, 40, 60, 80, 100]), [1, 1, 2, 3, 4, 5, 5])
  t.same(shades([-100, -50, -1]), [1, 3, 5])
  t.end()
})

t.test('numbers on both sides of zero are compared with zero', (t) => {
  t.same(shades([-100, -10, 0, 50, 100]), [-5, -1, undefined, 3, 5])
  t.end()
})

t.test('what is no number is not coloured, and neither is a value without others', (t) => {
  t.same(shades([1n, null, '2.5', Number.NaN, 3]), [1, undefined, 4, undefined, 5])
  t.equal(shades([7, 7, null]), undefined)
  t.equal(shades([]), undefined)
  t.same(shadesOf([column('dimension', [1, 2])], 2), [undefined])
  t.end()
})

t.test('a subtotal is neither coloured nor part of the scale', (t) => {
  t.same(shades([1, 2, 3000], column('grouping', [0, 0, 1], 'Month is total')), [1, 5, undefined])
  t.end()
})
