import t from 'tap'
import { nearest, shown } from './nearest.js'

t.test('the closest names come first, without regard to case, and distant names are left out', async (t) => {
  t.same(nearest('revenu', ['Revenue', 'Revenues', 'Country', 'REVENU']), ['REVENU', 'Revenue', 'Revenues'])
  t.same(nearest('Revenu', ['Country']), [])
  t.same(nearest('Revenu', ['Revenue', 'Revenues'], 1), ['Revenue'])
})

t.test('long names are compared by their first hundred characters', async (t) => {
  const long = 'x'.repeat(1_000_000)
  t.same(nearest(long, [`${long.slice(1)}y`, 'x', `z${'y'.repeat(1_000_000)}`]), [`${long.slice(1)}y`])
})

t.test('the search ends after a number of names, however many there are', async (t) => {
  let asked = 0
  function* names() {
    for (;;) {
      asked += 1
      yield `${'y'.repeat(90)}${asked}`
    }
  }
  t.same(nearest('x'.repeat(90), names()), [])
  t.ok(asked < 2000, `${asked} names were looked at`)
})

t.test('a message contains only the beginning of a long name', async (t) => {
  t.equal(shown('Revenue'), 'Revenue')
  t.equal(shown('x'.repeat(1_000_000)), `${'x'.repeat(100)}…`)
})
