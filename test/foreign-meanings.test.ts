import t from 'tap'
import { pages } from '../scripts/foreign-meanings.js'
import { stalePages } from '../scripts/write-pages.js'

t.test('docs/reference/foreign-meanings.md says what the test of meanings holds', async (t) => {
  t.same(await stalePages(pages), [], 'run scripts/foreign-meanings.ts')
})
