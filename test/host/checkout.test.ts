/** The commands of the documentation, as typed in a checkout, with bundled packages and with a source that has changed since. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const examples = path.join(root, 'examples')
const asked = ['validate', 'flights/model.yaml', '--config', '../config/demo.yaml']
const env = { ...process.env, NODE_OPTIONS: '' }

t.test('npx grainline runs, with paths relative to the folder of the user', async (t) => {
  const { stdout } = await run('npx', ['grainline', ...asked], { cwd: examples, env })
  t.equal(stdout, 'flights/model.yaml is valid\n')
})

t.test('npm run grainline does so, too', async (t) => {
  const { stdout } = await run('npm', ['run', '-s', 'grainline', '--', ...asked], { cwd: examples, env })
  t.equal(stdout, 'flights/model.yaml is valid\n')
})

t.test('npx grainline returns the exit code of the command', async (t) => {
  await t.rejects(run(process.execPath, [path.join(root, 'config/bin.cjs'), 'sevre'], { cwd: examples, env }), { code: 2 })
})

t.test('a plugin from another folder uses the core of the command', async (t) => {
  const folder = mkdtempSync(path.join(root, 'node_modules/.cache/grainline-own-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const own = `import { definePlugin, fail } from '@grainline/core'
    export default definePlugin({ name: 'own', host: '*', setup: () => fail('INVALID_CONFIG', 'of the same class') })`
  writeFileSync(path.join(folder, 'own.mjs'), own)
  writeFileSync(path.join(folder, 'config.yaml'), "plugins: ['@grainline/dialect-duckdb', './own.mjs']")
  const listed = run(process.execPath, [path.join(root, 'config/bin.cjs'), 'plugins', '--config', 'config.yaml'], {
    cwd: folder,
    env,
  })
  const { stderr } = (await listed.then(
    () => t.fail('it refuses'),
    (error) => error,
  )) as { readonly stderr: string }
  t.match(stderr, /of the same class/)
  t.notMatch(stderr, /failed to start/, 'an error of another core would be one of the plugin')
})

t.test('bundles that are older than a source are not run; installed packages have no sources', async (t) => {
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

t.test('serve reports that it runs sources because a source is newer than its bundle', async (t) => {
  const copy = mkdtempSync('/tmp/grainline-checkout-')
  t.teardown(() => rmSync(copy, { recursive: true }))
  cpSync(path.join(root, 'config'), path.join(copy, 'config'), { recursive: true })
  for (const file of ['core/src/cli/main.ts', 'core/dist/index.js', 'node_modules/tsx/index.mjs']) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), '')
  }
  writeFileSync(path.join(copy, 'node_modules/tsx/package.json'), '{ "name": "tsx", "main": "index.mjs" }')
  // The server is not started, so its output is not checked.
  const said = async (command: string) =>
    (await run(process.execPath, ['config/bin.cjs', command], { cwd: copy, env }).catch((error) => error)).stderr as string
  utimesSync(path.join(copy, 'core/dist/index.js'), 500, 500)
  t.match(await said('serve'), /Sources have changed since they were bundled/)
  t.notMatch(await said('validate'), /Sources have changed/)
})

/** The process of the sources holds the output open until it ends. */
async function endsWith(t: Test, command: string, args: readonly string[], more: Readonly<Record<string, string>>) {
  const copy = mkdtempSync('/tmp/grainline-checkout-')
  t.teardown(() => rmSync(copy, { recursive: true }))
  cpSync(path.join(root, 'config'), path.join(copy, 'config'), { recursive: true })
  for (const file of ['core/src/cli/main.ts', 'plugins/none', 'node_modules/tsx/index.mjs']) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true })
    writeFileSync(path.join(copy, file), '')
  }
  writeFileSync(path.join(copy, 'node_modules/tsx/package.json'), '{ "name": "tsx", "main": "index.mjs" }')
  writeFileSync(path.join(copy, 'config/bin.mjs'), "console.log('serves'); setInterval(() => {}, 1000)")
  // Also tests that npm runs start a command as if it was typed.
  const own = { ...env, npm_lifecycle_event: undefined, ...more }
  const started = spawn(command, args, { cwd: copy, env: own, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(started.stdout, 'data')
  const closed = once(started, 'close')
  started.kill('SIGKILL')
  await closed
  t.pass('nothing is left')
}

// As npm does it: a shell with the command as its child.
t.test('sources that npm started end with npm', (t) =>
  endsWith(t, 'sh', ['-c', 'node config/bin.cjs serve; true'], { npm_lifecycle_event: 'start' }),
)

t.test('sources end with the command that started them, also if it is killed', (t) =>
  endsWith(t, process.execPath, ['config/bin.cjs', 'serve'], {}),
)
