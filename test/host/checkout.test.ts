/** The commands of the documentation, as typed in a checkout in which nothing was built. */
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const examples = path.join(root, 'examples')
const asked = ['validate', 'flights/model.yaml', '--config', '../config/demo.yaml']
const env = { ...process.env, NODE_OPTIONS: '' }

t.test('npx grainline runs the sources, and paths are relative to where the user is', async (t) => {
  const { stdout } = await run('npx', ['grainline', ...asked], { cwd: examples, env })
  t.equal(stdout, 'flights/model.yaml is valid\n')
})

t.test('so does npm run grainline', async (t) => {
  const { stdout } = await run('npm', ['run', '-s', 'grainline', '--', ...asked], { cwd: examples, env })
  t.equal(stdout, 'flights/model.yaml is valid\n')
})

t.test('it ends with the code of the command', async (t) => {
  await t.rejects(run(process.execPath, [path.join(root, 'config/bin.cjs'), 'sevre'], { cwd: examples, env }), { code: 2 })
})

t.test('what was built before a source changed is not run; what is installed has no sources', async (t) => {
  const copy = mkdtempSync('/tmp/grainline-checkout-')
  t.teardown(() => rmSync(copy, { recursive: true }))
  cpSync(path.join(root, 'config'), path.join(copy, 'config'), { recursive: true })
  const decided = async () => {
    const script = "process.stdout.write(String(require('./config/sources.cjs').runsSources()))"
    return (await run(process.execPath, ['-e', script], { cwd: copy })).stdout
  }
  t.equal(await decided(), 'false', 'no sources at all')
  const source = path.join(copy, 'core/src/cli/main.ts')
  const built = path.join(copy, 'core/dist/cli/main.js')
  const write = (file: string) => {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '')
  }
  mkdirSync(path.join(copy, 'plugins'))
  write(source)
  t.equal(await decided(), 'true', 'nothing built')
  write(built)
  utimesSync(source, 1000, 1000)
  t.equal(await decided(), 'false', 'built after the last change')
  utimesSync(built, 500, 500)
  t.equal(await decided(), 'true', 'built before the last change')
})
