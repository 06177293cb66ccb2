import t from 'tap'
import { pages } from '../scripts/questions-by-engine.js'
import { stalePages } from '../scripts/write-pages.js'

t.test('docs/reference/questions-by-engine.md equals the counts of the interop suite', async (t) => {
  t.same(await stalePages(pages), [], 'run scripts/questions-by-engine.ts')
})
