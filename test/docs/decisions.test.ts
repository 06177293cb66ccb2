/** The list of decisions has each of them. */
import { readFileSync } from 'node:fs'
import t from 'tap'
import { listed } from '../../scripts/list-decisions.mjs'

t.test('the list is what scripts/list-decisions.mjs writes', async (t) => {
  const list = readFileSync(new URL('../../docs/decisions/README.md', import.meta.url), 'utf8')
  t.equal(list, listed())
  t.ok(list.includes('| 1 | [Which path a join takes](joins.md#1-which-path-a-join-takes) | 2026-11-21 |'))
})
