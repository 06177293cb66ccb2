/**
 * Places that overrule the compiler: `as` (except `as const`) and the `!` that removes `undefined`. They are counted on the syntax tree,
 * per 1,000 lines of code that is not a test. A number may only decrease: lower the limit with it.
 */
import t from 'tap'
import { sourcesBelow, syntaxIn, syntaxOf } from './syntax.js'

const CEILINGS = {
  'core/src': { casts: 3.9, assertions: 5.9 },
  packages: { casts: 4.9, assertions: 10.7 },
  plugins: { casts: 3.4, assertions: 6.7 },
} as const

t.test('casts and assertions are distinguished from similar text', (t) => {
  const text = 'const a = b as C; const d = [1] as const; const e = f! + g!.h; const i = !j; import { k as l } from "m"'
  t.match(syntaxIn('example.ts', text), { casts: 1, assertions: 2 })
  t.end()
})

for (const [folder, ceiling] of Object.entries(CEILINGS))
  t.test(`${folder} has no more casts and assertions than its limit`, (t) => {
    const counts = sourcesBelow(folder).map(syntaxOf)
    const thousands = counts.reduce((sum, { lines }) => sum + lines, 0) / 1000
    for (const kind of ['casts', 'assertions'] as const) {
      const found = counts.reduce((sum, each) => sum + each[kind], 0) / thousands
      t.ok(found <= ceiling[kind], `${kind}: ${found.toFixed(2)} per 1,000 lines, ${ceiling[kind]} at most`)
    }
    t.end()
  })
