import t from 'tap'
import { likePattern, UNPAIRED } from './like-pattern.js'

t.test('a pattern in any case has every letter of each', async (t) => {
  const patterns = { é: "'[éÉ]'", ß: "'[ßẞ]'", k: "'[k\u212a]'", i: "'[iİ]'", σ: "'[σΣς]'", ǆ: "'[ǆǄǅ]'", b: "'b'", 日: "'日'" }
  for (const [literal, pattern] of Object.entries(patterns))
    t.equal(likePattern({ value: 'name', negated: false, literal, pattern: `'${literal}'`, folded: true }), pattern)
})

t.test('no letter is missing', async (t) => {
  const letters = Array.from({ length: 0x20000 }, (_, code) => String.fromCodePoint(code)).filter((letter) => {
    const [lower = ''] = letter.toLowerCase()
    return letter > '\u007f' && lower !== letter && lower.toUpperCase() !== letter
  })
  t.equal(letters.join(''), UNPAIRED)
})
