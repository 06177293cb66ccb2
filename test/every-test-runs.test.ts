/** Suites that share a process are left out of what tap runs by itself: no test file may fall between the two. */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '..')
const shared = path.join(root, 'test/.shared')

t.test('every test file is run by npm test, once', (t) => {
  const alone = spawnSync('npx', ['tap', 'list'], { cwd: root, encoding: 'utf8' }).stdout.trim().split('\n')
  const together = readdirSync(shared).flatMap((file) => membersOf(path.join(shared, file)))
  const run = [...alone.filter((file) => !file.startsWith('test/.shared/')), ...together]
  t.same(run.toSorted(), testFiles().toSorted())
  t.end()
})

function membersOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(/import\("(file:[^"]+)"\)/g)
  return [...imports].map(([, url]) => path.relative(root, fileURLToPath(url!)))
}

function testFiles(): string[] {
  return ['core', 'packages', 'plugins', 'examples', 'test'].flatMap((top) =>
    readdirSync(path.join(root, top), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.test.ts') && !/(^|\/)(node_modules|dist|interop)\//.test(file))
      .map((file) => path.join(top, file)),
  )
}
