import t from 'tap'
import { heightOf, rowWindow, scrolledTo } from './row-window.js'

const view = (count: number, scrolled: number) => ({ count, rowHeight: 28, scrolled, inside: 500 })

t.test('visible rows and a few more are rendered, each in its position', async (t) => {
  t.same(rowWindow(view(1000, 0)), { first: 0, last: 24, shift: 0 })
  t.same(rowWindow(view(1000, 2800)), { first: 94, last: 124, shift: 0 })
  t.same(rowWindow(view(3, 0)), { first: 0, last: 3, shift: 0 })
  t.same(rowWindow(view(0, 0)), { first: 0, last: 0, shift: 0 })
})

t.test('more rows than the height of an element allows can be reached', async (t) => {
  for (const count of [285_715, 1_000_000, 50_000_000]) {
    const end = heightOf(count, 28) - 500
    const { first, last, shift } = rowWindow(view(count, end))
    t.equal(last, count, `${count} rows: the last one`)
    t.equal((count - 1) * 28 + shift + 28, end + 500, 'ends where the box ends')
    t.ok(last - first < 40)
    t.equal(rowWindow(view(count, 0)).shift, 0)
  }
})

t.test('a row is scrolled into view, and a visible row does not move', async (t) => {
  for (const count of [1000, 1_000_000])
    for (const row of [0, 17, 500, count - 1]) {
      const to = scrolledTo(row, view(count, 3000)) ?? 3000
      const seen = rowWindow(view(count, to))
      t.ok(seen.first <= row && row < seen.last, `${row} of ${count}`)
      t.equal(scrolledTo(row, view(count, to)), undefined)
    }
})
