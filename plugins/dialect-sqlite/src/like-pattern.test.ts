import t from 'tap'
import { likePattern } from './like-pattern.js'

t.test('a pattern in any case has every letter of each', async (t) => {
  const patterns = { é: "'[éÉ]'", ß: "'[ßẞ]'", k: "'[k\u212a]'", i: "'[iİ]'", σ: "'[σΣς]'", ǆ: "'[ǆǄǅ]'", b: "'b'", 日: "'日'" }
  for (const [literal, pattern] of Object.entries(patterns))
    t.equal(likePattern({ value: 'name', negated: false, literal, pattern: `'${literal}'`, folded: true }), pattern)
})
