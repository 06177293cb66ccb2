import t from 'tap'
import { pages } from '../scripts/reading-the-sql.js'
import { stalePages } from '../scripts/write-pages.js'

t.test('docs/reading-the-sql.md shows the plans and the SQL of the compiler', async (t) => {
  t.same(await stalePages(pages), [], 'run scripts/reading-the-sql.ts')
})
