import t from 'tap'
import { jsonPieces } from './json-pieces.js'
import { MOST_VALUES } from './portions.js'
import { setOwn } from './yaml.js'

const items = (many: number) => Array.from({ length: many }, (_, i) => ({ name: `c"${i}`, type: 'int', left: undefined }))

t.test('the pieces of a document are its JSON, and none is long', async (t) => {
  const odd: Record<string, unknown> = { 'a"b': null, left: undefined }
  setOwn(odd, '__proto__', items(MOST_VALUES))
  const documents: readonly Readonly<Record<string, unknown>>[] = [
    {},
    { version: 1, left: undefined, list: [1, undefined, [], {}, 'é\u2028"'] },
    { semantic_model: [{ name: 'shop', datasets: items(5000), metrics: [] }, { name: 'other' }] },
    { objects: Object.fromEntries(items(5000).map((item, i) => [`o${i}`, item])), odd },
    { left: undefined, lists: items(50).map(() => items(100)) },
  ]
  for (const document of documents) {
    const pieces = [...jsonPieces(document)]
    t.equal(pieces.join(''), JSON.stringify(document))
    const longest = Math.max(...pieces.map((piece) => piece.length))
    t.ok(longest < 100 * MOST_VALUES, `${longest} characters in the longest of ${pieces.length}`)
  }
})

t.test('a large document is in many pieces', async (t) => {
  t.ok([...jsonPieces({ datasets: items(5000) })].length > 5000)
  t.equal([...jsonPieces({ datasets: items(5) })].length, 1)
})
