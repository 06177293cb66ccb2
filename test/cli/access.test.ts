/** The command line with the rights of somebody: `--as`, `grainline access`, and `as` in tests of models. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { main } from '@grainline/core/cli'
import t from 'tap'
import { KEYS_FILE, MODEL, TABLES } from '../access/shop.js'
import { ownFolderWithin } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const TESTS = `
tests:
  - { name: the north, as: { name: nora, roles: [sales], attributes: { regions: [North] } }, query: { select: { measures: [Revenue] } }, expect: { rows: [[30]] } }
  - { name: the south, as: { name: sven, attributes: { regions: South } }, query: { select: { measures: [Revenue] } }, expect: { rows: [[100]] } }
  - { name: nobody, as: { name: none }, query: { select: { measures: [Revenue] } }, expect: { error: ACCESS_ATTRIBUTE_MISSING } }
  - { name: all, as: { name: ops, roles: [admin] }, query: { select: { measures: [Revenue] } }, expect: { rows: [[11130]] } }
`
const cwd = ownFolderWithin(t, {
  'shop.yaml': MODEL + TESTS,
  'keys.yaml': KEYS_FILE,
  'config.yaml': `plugins:
  - '@grainline/dialect-duckdb'
  - { use: '@grainline/vendor-duckdb', with: { init: ${JSON.stringify(TABLES)} } }
  - '@grainline/surface-rest'
`,
})

async function run(command: string, ...args: string[]) {
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await main([command, ...args, '--config', 'config.yaml'], {
    stdout,
    stderr,
    cwd,
    env: { API_KEYS_FILE: 'keys.yaml' },
  })
  return { code, ...written() }
}

t.test('a question has the rights of a name of the file, of a principal in JSON, or of an administrator', async (t) => {
  const revenue = async (...as: string[]) => {
    const { code, out, err } = await run('execute', 'shop.yaml', '-m', 'Revenue', '-f', 'csv', ...as)
    return code === 0 ? out.trim().split(/\r?\n/)[1] : err
  }
  t.equal(await revenue('--as', 'north'), '30')
  t.equal(await revenue('--as', 'south'), '100')
  t.equal(await revenue('--as', '{"name":"eva","attributes":{"regions":["North","South"]}}'), '130')
  t.equal(await revenue('--as', 'admin'), '11130')
  t.match(await revenue(), /ACCESS_ATTRIBUTE_MISSING|regions/, 'nobody is an administrator without saying so')
  t.match(await revenue('--as', 'nort'), /no entry 'nort'.*'north'/)
  t.match(await revenue('--as', '{"name":'), /no JSON object/)
  t.match((await run('compile', 'shop.yaml', '-m', 'Revenue', '--as', 'north')).err, /withheld|SQL_WITHHELD/i)
})

t.test('what has no rights of somebody says so', async (t) => {
  for (const action of ['sql', 'build', 'status'])
    t.match(await run('rollup', action, 'shop.yaml', '--as', 'north'), { code: 2, err: /leave out --as/ })
  const { code, err } = await run('describe', '--server', 'http://127.0.0.1:1', '--as', 'admin')
  t.match({ code, err }, { code: 2, err: /use the key of an administrator/ })
})

t.test('access says which rules bind somebody and each measure, and why not', async (t) => {
  const { out, err } = await run('access', 'shop.yaml', '--as', 'north', '-m', 'Revenue')
  t.match(out, /^north: roles sales; attributes \{"regions":\["North"\]\}; SQL is withheld\n/, err)
  t.match(out, /own regions +yes +no role of its unless +Customers, Orders/)
  t.match(out, /Revenue +own regions/)
  t.match(out, /Products Count +unbound names Products|Products Count/)
  t.match(out, /\n +30\n/)
  const { out: json } = await run('access', 'shop.yaml', '--as', 'auditor', '--json')
  t.match(JSON.parse(json), {
    policies: [{ name: 'own regions', binds: false, why: 'its unless names the role auditor' }, {}],
    missing: [],
    seesSql: true,
  })
  t.match((await run('access', 'shop.yaml', '--as', 'none')).out, /Every question is refused.*regions/)
  t.equal((await run('access', 'shop.yaml')).code, 2)
})

t.test('a test of a model names who asks', async (t) => {
  const { code, out, err } = await run('test', 'shop.yaml')
  t.equal(code, 0, out + err)
  t.match(out, /4 tests, 0 failed/)
  await writeFile(join(cwd, 'wrong.yaml'), MODEL + TESTS.replace('rows: [[30]]', 'rows: [[130]]'))
  t.match((await run('test', 'wrong.yaml')).out, /FAIL the north/)
  await writeFile(join(cwd, 'odd.yaml'), MODEL + TESTS.replace('as: { name: none }', 'as: { nam: none }'))
  t.match((await run('test', 'odd.yaml')).err, /tests|nam/)
})
