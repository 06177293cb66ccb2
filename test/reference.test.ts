import t from 'tap'
import { pages } from '../scripts/reference.js'
import { stalePages } from '../scripts/write-pages.js'

t.test('docs/reference equals the schemas and tables of the code', async (t) => {
  t.same(await stalePages(pages), [], 'run scripts/reference.ts')
})
