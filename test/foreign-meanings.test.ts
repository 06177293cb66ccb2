import { spawnSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '..')

t.test('docs/reference/foreign-meanings.md says what the test of meanings holds', async (t) => {
  const args = ['--conditions=@grainline/source', '--import', './test/bundled.mjs', 'scripts/foreign-meanings.ts', '--check']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  t.equal(status, 0, stderr || 'the page is fresh')
})
