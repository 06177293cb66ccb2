/** An error that nothing catches fails the test that is running, and the tests after it run (uncaught-errors.mjs). */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const finder = fileURLToPath(new URL('uncaught-errors.mjs', import.meta.url))

const FILE = `import t from 'tap'
t.test('before', async (t) => t.pass())
t.test('thrown by a timer', (t) => { setTimeout(() => { throw new Error('late') }, 1) })
t.test('after a timer', async (t) => t.pass())
t.test('rejected', (t) => { setTimeout(() => { Promise.reject(new Error('lost')) }, 1) })
t.test('of two', async (t) => {
  await t.test('inner', (t) => { Promise.resolve().then(() => { throw new Error('inside') }) })
  await t.test('next', async (t) => t.pass())
})
t.test('last', async (t) => t.pass())
`

t.test('each test has its own result', (t) => {
  const folder = t.testdir({ 'file.mjs': FILE })
  const { stdout, status } = spawnSync(process.execPath, ['--import', finder, path.join(folder, 'file.mjs')], {
    encoding: 'utf8',
  })
  t.equal(status, 1)
  // Only tests have a time.
  const results = [...stdout.matchAll(/^ *((?:not )?ok) \d+ - (.*) # time=/gm)]
  t.same(
    results.map(([, result, name]) => `${result} ${name}`),
    [
      'ok before',
      'not ok thrown by a timer',
      'ok after a timer',
      'not ok rejected',
      'not ok inner',
      'ok next',
      'not ok of two',
      'ok last',
    ],
    stdout,
  )
  for (const error of ['late', 'lost', 'inside']) t.match(stdout, new RegExp(`not ok .*${error}`), error)
  t.end()
})
