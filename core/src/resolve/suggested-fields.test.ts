/** Which field an unknown name may mean. */
import t from 'tap'
import { hiddenName } from '../hidden-name.js'
import { knownNames, suggestedFields } from './suggested-fields.js'

const hidden = hiddenName('0'.repeat(32))
const fields = [
  { name: 'Revenue', synonyms: ['turnover'] },
  { name: 'Order Count', synonyms: [] },
  { name: 'Customer Orders', synonyms: [] },
  { name: hidden, synonyms: ['secret'] },
]

t.test('by a synonym, by spelling, and by words, best first', async (t) => {
  t.same(suggestedFields('Turnovers', fields), ['Revenue'])
  t.same(suggestedFields('Revenu', fields), ['Revenue'])
  t.same(suggestedFields('orders', fields), ['Order Count', 'Customer Orders'])
  t.same(suggestedFields('secret', fields), [], 'no name that is hidden')
  t.same(suggestedFields('???', fields), [])
})

t.test('three at most, and of very many only by spelling', async (t) => {
  t.same(suggestedFields('orders', ['a order', 'b order', 'c order', 'd order']).length, 3)
  const many = Array.from({ length: 5001 }, (_, i) => `Orders ${i}`)
  t.same(suggestedFields('the orders', many), [])
})

t.test('the names that there are', async (t) => {
  t.same(knownNames([hidden]), {})
  t.same(knownNames(['A', { name: 'B', synonyms: [] }, hidden]), { hint: 'Use one of A, B.' })
  t.match(knownNames(Array.from({ length: 12 }, (_, i) => `F${i}`)).hint, /F9 and 2 more\.$/)
})
