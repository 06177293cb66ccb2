/** The pages that lead through the code, step by step or by an exercise, name files that exist. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '../..')
const PAGES = ['docs/writing-a-rule.md', 'docs/new-metric-kind.md']
/** Where a path may begin. */
const STARTS = ['', 'core/src']

for (const page of PAGES) {
  t.test(`each file that ${page} names exists`, async (t) => {
    const named = readFileSync(path.join(root, page), 'utf8').match(/`[a-z][\w-]*\/[\w/-]+(?:\.test)?\.ts`/g) ?? []
    const files = new Set(named.map((text) => text.slice(1, -1)))
    t.ok(files.size > 10, `${files.size} files`)
    const gone = [...files].filter((file) => !STARTS.some((start) => existsSync(path.join(root, start, file))))
    t.same(gone, [])
  })
}
