/** What the parts of a question read, together. */
import t from 'tap'
import { allTables, NO_TABLES } from './table-sources.js'

t.test('each table and each measure once, in their order', async (t) => {
  const [one, other] = [
    { rollups: ['Weekly', 'Daily'], facts: ['Median Sale'] },
    { rollups: ['Daily'], facts: ['Median Sale', 'Payers'] },
  ]
  t.same(allTables([one, other]), { rollups: ['Weekly', 'Daily'], facts: ['Median Sale', 'Payers'] })
  t.same(allTables([]), NO_TABLES)
})
