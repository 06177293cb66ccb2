/** Which tests a change touches (scripts/changed-tests.mjs), on a small repository and on this one. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { changedSince, touchedTests } from '../scripts/changed-tests.mjs'
import { BUNDLE, IMPORTS } from './bundle-manifest.mjs'
import { testFiles } from './groups.mjs'

const root = path.resolve(import.meta.dirname, '..')

t.test('the branch, what is not committed, and new files have changed', (t) => {
  const folder = t.testdir({ 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd: folder, stdio: 'pipe' })
  git('init', '-b', 'main')
  git('add', '.')
  git('commit', '-m', 'first')
  t.same(changedSince(folder), [], 'nothing yet')
  git('checkout', '-b', 'work')
  writeFileSync(path.join(folder, 'a.ts'), '2')
  git('commit', '-am', 'second')
  writeFileSync(path.join(folder, 'b.ts'), '2')
  writeFileSync(path.join(folder, 'd.ts'), '2')
  t.same(changedSince(folder), ['a.ts', 'b.ts', 'd.ts'])
  t.same(changedSince(folder, 'HEAD'), ['b.ts', 'd.ts'], 'since another commit')
  git('branch', '-D', 'main')
  t.same(changedSince(folder), ['b.ts', 'd.ts'], 'without a branch main, since the last commit')
  t.throws(() => changedSince(folder, 'nowhere'))
  t.end()
})

t.test('a test is touched by what it imports, reads and starts, and the nearest come first', (t) => {
  const folder = t.testdir({
    config: { 'bin.cjs': '', 'demo.yaml': '' },
    core: { src: { 'plan.ts': '', 'index.ts': '' } },
    docs: { 'page.md': '' },
    test: {
      'near.test.ts': "import '../core/src/plan.js'",
      'far.test.ts': "import '../core/src/index.js'",
      'reads.test.ts': "readFileSync(path.join(root, 'docs/page.md'))",
      'all.test.ts': "readdirSync(path.join(here, '../docs'))",
      'starts.test.ts': "start('../config/bin.cjs')",
      'alone.test.ts': "t.equal('core', 'test')",
    },
  })
  const tests = ['near', 'far', 'reads', 'all', 'starts', 'alone'].map((name) => `test/${name}.test.ts`)
  const imports = {
    'test/near.test.ts': ['core/src/plan.ts'],
    'test/far.test.ts': ['core/src/index.ts'],
    'core/src/index.ts': ['core/src/plan.ts'],
  }
  const touched = (...changed: string[]) =>
    Object.fromEntries(
      [...touchedTests(folder, { tests, imports, changed })].map(([file, steps]) => [path.basename(file, '.test.ts'), steps]),
    )
  t.same(touched('core/src/plan.ts'), { near: 1, far: 2, starts: 2 })
  t.same(touched('docs/page.md'), { reads: 1, all: 1 })
  t.same(touched('config/demo.yaml'), { starts: 2 })
  t.same(touched('test/alone.test.ts'), { alone: 0 })
  t.same(touched('README.md'), {})
  t.same(Object.keys(touched('package-lock.json')).length, tests.length, 'libraries touch all')
  t.end()
})

t.test('in this repository', (t) => {
  const imports = JSON.parse(readFileSync(path.join(BUNDLE, IMPORTS), 'utf8'))
  const touched = (file: string) => touchedTests(root, { tests: testFiles(), imports, changed: [file] })
  const planned = touched('core/src/plan/plan-query.ts')
  for (const file of ['test/corpus/corpus.test.ts', 'test/oracle/oracle.test.ts', 'test/host/serve.test.ts'])
    t.ok(planned.has(file), file)
  const docs = touched('docs/grain.md')
  t.ok(docs.has('test/docs/links.test.ts'))
  t.notOk(docs.has('test/oracle/oracle.test.ts'))
  t.ok(touched('examples/flights/model.yaml').has('examples/flights/flights.test.ts'))
  t.ok(touched('test/corpus/commerce.yaml').has('test/corpus/corpus.test.ts'))
  t.notOk(touched('plugins/vendor-trino/src/index.ts').has('test/corpus/corpus.test.ts'))
  t.end()
})
