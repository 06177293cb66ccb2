import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CommandIo, main } from '@grainline/core/cli'
import t from 'tap'
import { start } from './process.js'

/** Runs a command in this process. */
async function run(args: string[], options: Partial<CommandIo> = {}) {
  const out: string[] = []
  const err: string[] = []
  const into = (lines: string[]) => ({ write: (text: string | Uint8Array) => lines.push(String(text)) })
  const code = await main(args, { stdout: into(out), stderr: into(err), cwd: '/nowhere', env: {}, ...options })
  return { code, stdout: out.join(''), stderr: err.join('') }
}

t.test('help and version', async (t) => {
  t.match(await run(['--help']), { code: 0, stdout: /Usage: grainline/, stderr: '' })
  t.match(await run([]), { code: 0, stdout: /Usage: grainline/ })
  t.match(await run(['serve', '--help']), { code: 0, stdout: /Usage: grainline/ })
  t.match(await run(['--version']), { code: 0, stdout: /^\d+\.\d+\.\d+\n$/ })
})

t.test('a wrong call prints one line with the reason and exits with 2', async (t) => {
  t.match(await run(['sevre']), {
    code: 2,
    stdout: '',
    stderr: /^There is no command 'sevre'; did you mean 'serve'\? \(grainline --help shows every command\)\n$/,
  })
  t.match(await run(['serve', '--confg', 'x']), { code: 2, stderr: /^Unknown option '--confg' \(.*\)\n$/ })
  t.match(await run(['plugins', 'extra']), { code: 2, stderr: /^Unexpected argument 'extra'.* \(.*\)\n$/ })
  t.match(await run(['plugins']), { code: 2, stderr: /needs --config FILE/ })
  t.match(await run(['toString']), { code: 2, stderr: /There is no command 'toString'/ })
})

t.test('plugins lists what is loaded, with origin and settings, also as JSON', async (t) => {
  const plugin = "export default Object.assign(function acme () {}, { [Symbol.for('plugin-meta')]: { name: 'acme', host: '*' } })"
  const cwd = t.testdir({ 'acme.mjs': plugin, 'config.yaml': 'plugins: [./acme.mjs]\n', '.env': 'MAX_SESSIONS=7\nUNKNOWN=1\n' })
  const page = await run(['plugins', '--config', 'config.yaml'], { cwd, env: { DB_POOL_SIZE: '3' } })
  t.equal(page.code, 0)
  t.match(page.stdout, /acme +loaded +[0-9.]+ ms +\/.*acme\.mjs/)
  t.match(page.stdout, /MAX_SESSIONS +7 +\(\.env\)/)
  t.match(page.stdout, /DB_POOL_SIZE +3 +\(environment\)/)
  const json = await run(['plugins', '--json'], { cwd, defaultConfig: path.join(cwd, 'config.yaml') })
  t.match(JSON.parse(json.stdout), { plugins: [{ name: '@grainline/core' }, { name: 'acme', status: 'loaded' }] })
})

t.test('an error is one readable text and the exit code is 1', async (t) => {
  const cwd = t.testdir({ 'config.yaml': "plugins: ['@grainline/no-such-one']\n" })
  const { code, stdout, stderr } = await run(['plugins', '--config', 'config.yaml'], { cwd })
  t.equal(code, 1)
  t.equal(stdout, '')
  t.match(
    stderr,
    /^PLUGIN_NOT_FOUND: Plugin @grainline\/no-such-one is not installed .*\n {2}npm install @grainline\/no-such-one\n$/,
  )
  t.match(await run(['plugins', '--config', 'absent.yaml'], { cwd }), {
    code: 1,
    stderr: /^INVALID_CONFIG: The config file .*absent\.yaml cannot be read/,
  })
})

t.test('the error for a plugin name that is nearly the name of a file suggests its path', async (t) => {
  const cwd = t.testdir({ 'acme.mjs': 'export default 1', 'a.yaml': 'plugins: [acme]\n', 'b.yaml': 'plugins: [./acem.mjs]\n' })
  const said = async (config: string) => (await run(['plugins', '--config', config], { cwd })).stderr
  t.match(
    await said('a.yaml'),
    /^PLUGIN_NOT_FOUND: Plugin acme is not installed .*\n {2}A file is named by its path: \.\/acme\.mjs\n$/,
  )
  t.match(await said('b.yaml'), /^PLUGIN_NOT_FOUND: There is no plugin at .*acem\.mjs; did you mean 'acme\.mjs'\?\n/)
})

t.test('an incomplete function is refused at its registration', async (t) => {
  const plugin = (spec: string) =>
    `export default Object.assign(function acme (host) { host.functions.register(${spec}) }, { [Symbol.for('plugin-meta')]: { name: 'acme', host: '*' } })`
  const cases = [
    ["{ name: 'f' }", /'f' at functions, whose 'arity' must be a pair of numbers/],
    ["{ name: 'f', arity: [1, 1], meaning: 'x' }", /whose 'result' must be a function/],
    [
      "{ name: 'f', arity: [1, 1], meaning: 'x', result: () => 1, spellings: { duckdb: 'f' } }",
      /whose 'spellings' must be functions/,
    ],
  ] as const
  const files = Object.fromEntries(
    cases.flatMap(([spec], i) => [
      [`p${i}.mjs`, plugin(spec)],
      [`c${i}.yaml`, `plugins: [./p${i}.mjs]\n`],
    ]),
  )
  const cwd = t.testdir(files)
  for (const [i, [, says]] of cases.entries())
    t.match(await run(['plugins', '--config', `c${i}.yaml`], { cwd }), { code: 1, stderr: says })
})

t.test('the error of a refused connection names host and port of the database', async (t) => {
  const config = fileURLToPath(new URL('../../config/default.yaml', import.meta.url))
  const cwd = t.testdir({})
  const env = { DB_VENDOR: 'postgres', POSTGRES_URL: 'postgres://127.0.0.1:1/shop' }
  const { code, stderr } = await run(['init', '--config', config], { cwd, env })
  t.equal(code, 1)
  t.match(stderr, /ECONNREFUSED at 127\.0\.0\.1 port 1\n$/)
})

t.test('the command ends silently when the reader of its output closes the pipe', async (t) => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const model = path.join(root, 'examples/flights/model.yaml')
  const query = '{"select":{"fields":["Flights.Tail Number"]},"limit":300000}'
  const config = path.join(root, 'config/demo.yaml')
  const command = start(t, ['execute', model, '--config', config, '--query', query], { cwd: t.testdir({}) })
  await command.shows(/Flights\.Tail Number/)
  command.stopReading()
  t.equal(await command.ended, 0)
  t.equal(command.stderr(), '')
})
