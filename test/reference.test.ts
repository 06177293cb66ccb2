import { spawnSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '..')

t.test('docs/reference equals the schemas and tables of the code', async (t) => {
  const args = ['--conditions=@grainline/source', '--import', './test/bundled.mjs', 'scripts/reference.ts', '--check']
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' })
  t.equal(status, 0, stderr || 'every page is fresh')
})
