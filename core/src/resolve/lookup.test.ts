import t from 'tap'
import { find } from './lookup.js'

t.test('a name is found exactly, or else by the only one that differs only by case', async (t) => {
  const entries = new Map([
    ['Revenue', 1],
    ['Margin', 2],
    ['margin', 3],
  ])
  t.equal(find('Revenue', entries), 1)
  t.equal(find('REVENUE', entries), 1)
  t.equal(find('margin', entries), 3, 'the very name comes before others')
  t.equal(find('MARGIN', entries), undefined, 'two names differ in case alone')
  t.equal(find('Profit', entries), undefined)
  entries.set('Profit', 4)
  t.equal(find('profit', entries), 4, 'a name that came later')
  entries.set('Profit', 5)
  t.equal(find('profit', entries), 5, 'an entry that was replaced')
})
