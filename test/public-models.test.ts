import t from 'tap'
import { pages } from '../scripts/public-models.js'
import { stalePages } from '../scripts/write-pages.js'

t.test('docs/reference/public-models.md has the counts of the public models', async (t) => {
  t.same(await stalePages(pages), [], 'run scripts/public-models.ts')
})
