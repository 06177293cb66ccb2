/** Each meaning of another product has its numbers, and each that differs has its line in the list. */
import t from 'tap'
import { ABOUT, askMeanings, foreignMeanings } from './foreign-meanings.js'
import { FORMATS } from './formats.js'

t.setTimeout(300_000)

for (const each of foreignMeanings)
  t.test(`${each.format}: what differs is in the list, and what does not has the same numbers`, async (t) => {
    const found = FORMATS.find(({ importer }) => importer.name === each.format)
    if (!found) throw new Error(`no importer reads '${each.format}'`)
    const said = [...each.meanings.map(({ about }) => about), ...Object.keys(each.none)]
    t.same([...new Set(said)].toSorted(), Object.keys(ABOUT).toSorted(), 'each of them is said')
    await askMeanings(t, found.importer, each)
  })

t.test('every format has its meanings', (t) => {
  const formats = FORMATS.map(({ importer }) => importer.name).filter((name) => name !== 'obml')
  t.same(
    foreignMeanings.map(({ format }) => format),
    formats.toSorted(),
  )
  t.end()
})
