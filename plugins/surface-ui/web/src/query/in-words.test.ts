import t from 'tap'
import { inWords } from './in-words.js'

t.test('a filter that keeps rows without a value says so', async (t) => {
  t.equal(inWords({ field: 'Airline', op: 'not_in', value: ['A', 'B'] }), 'Airline is none of A, B')
  t.equal(inWords({ field: 'Airline', op: 'not_in', value: ['A', 'B'], or_missing: true }), 'Airline is none of A, B or is empty')
})
