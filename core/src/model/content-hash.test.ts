import { createHash } from 'node:crypto'
import t from 'tap'
import { canonical, contentHash } from './content-hash.js'
import type { ModelDocument } from './document.js'

/** In one go. */
function atOnce(document: Readonly<Record<string, Readonly<Record<string, unknown>>>>): string {
  const sections = Object.keys(document).toSorted()
  const text = sections.map((name) => {
    const section = document[name]!
    const entries = Object.keys(section).toSorted()
    return `"${name}":{\n${entries.map((key) => `${JSON.stringify(key)}:${canonical(section[key])}\n`).join('')}}\n`
  })
  return createHash('sha256').update(text.join('')).digest('hex')
}

t.test('a table of thousands of columns is hashed in pieces, with the hash of the whole text', async (t) => {
  const columns = Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`ç${i}`, { code: `c${i}`, abstractType: 'int' }]))
  const document = {
    dataObjects: { Wide: { code: 'wide', columns, joins: [] }, Small: { code: 's', columns: {} } },
    measures: {},
  }
  const hashing = contentHash(document as unknown as ModelDocument)
  let pauses = 0
  let step = hashing.next()
  for (; !step.done; step = hashing.next()) pauses++
  t.equal(step.value, atOnce(document))
  t.ok(pauses > 20, `${pauses} pauses`)
})
