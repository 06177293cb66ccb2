import fc from 'fast-check'
import t from 'tap'
import { jsonPlace } from './json-place.js'

const CASES: readonly (readonly [string, number, number])[] = [
  ['', 1, 1],
  ['{', 1, 2],
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": [1, 2\n}', 3, 1],
  ["{'a': 1}", 1, 2],
  ['{"a" 1}', 1, 6],
  ['[1 2]', 1, 4],
  ['{"a": tru}', 1, 7],
  ['{} x', 1, 4],
  ['[[[', 1, 4],
  ['{"a": "b\nc"}', 1, 7],
]

t.test('the position at which a text stops being JSON', async (t) => {
  for (const [text, line, column] of CASES) t.same(jsonPlace(text), { line, column }, JSON.stringify(text))
})

t.test('the valid beginning of a text is read to its end', async () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const { line, column } = jsonPlace(text)
      return line === text.split('\n').length && column === text.length - text.lastIndexOf('\n')
    }),
    { numRuns: 300 },
  )
})
