/** The single file of the distribution, and the compiled code that V8 made of it: when each is used, on a small installation of both. */
import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')

const FILE = `(function (exports, require, module, __filename, __dirname, urlIn, importFrom) {
  exports.plugins = { '@grainline/held': { version: '1.0.0', file: 'dist/index.js' } }
  exports.pluginsOfConfig = async (file) => ({ uses: JSON.parse(require('fs').readFileSync(file, 'utf8')), base: require('path').dirname(file) })
  exports.run = async (defaultConfig, { serving, isInstalled, plugin }) => {
    const [command] = process.argv.slice(2)
    if (command === 'serve') setInterval(serving, 1e6) && serving()
    if (command === 'briefly') serving()
    if (command === 'url') console.log(urlIn('@grainline/held', 'dist/a.js'), (await importFrom('@grainline/held', './a.js')).a)
    if (command === 'holds') console.log(isInstalled('@grainline/held') && plugin('@grainline/held', '/') !== undefined)
    if (command === 'fails') process.exitCode = 1
    console.log('one file')
  }
})`

t.test('the single file is run instead of the packages', async (t) => {
  const { grainline, folder } = installation(t)
  t.equal(await grainline('anything'), 'one file')
  t.equal(
    await grainline('url'),
    `file://${folder}/node_modules/@grainline/held/dist/a.js 1 one file`,
    'files are where they were',
  )
})

t.test('the packages run if the installed libraries differ', async (t) => {
  const { grainline, write } = installation(t)
  write('node_modules/.package-lock.json', lockOf('3.0.0'))
  t.equal(await grainline('anything'), 'packages', 'a library that is not compatible')
  write('node_modules/.package-lock.json', lockOf('2.1.10'))
  t.equal(await grainline('anything'), 'one file', 'a library that is compatible')
  write('node_modules/.package-lock.json', lockOf('2.1.10', '1.0.10'))
  t.equal(await grainline('anything'), 'packages', 'a package of ours in another version, since code was cached')
  write('node_modules/.package-lock.json', lockOf('2.0.0', '1.0.0', '0.4.0'))
  t.equal(await grainline('anything'), 'packages', 'before 1.0, a minor version is not compatible')
  write('node_modules/.package-lock.json', lockOf('2.0.0'))
  t.equal(await grainline('anything'), 'one file')
  t.equal(await grainline.with({ GRAINLINE_ONE_FILE: 'false' })('anything'), 'packages', 'nor where the variable says no')
  rmSync(write('node_modules/.package-lock.json', ''))
  t.equal(await grainline('anything'), 'packages', 'no list of npm')
})

t.test('a package that is not installed was not wanted: the file runs, without its plugin', async (t) => {
  const { grainline, write, folder } = installation(t)
  write('node_modules/.package-lock.json', JSON.stringify({ packages: { 'node_modules/@grainline/core': { version: '1.0.0' } } }))
  t.equal(await grainline('holds'), 'true one file', 'a library that only an absent plugin needs')
  rmSync(path.join(folder, 'node_modules/@grainline/held'), { recursive: true })
  t.equal(await grainline('holds'), 'false one file')
  const config = write('own/config.json', '["@grainline/held"]')
  t.equal(await grainline('anything', '--config', config), 'one file', 'a config may name it; the host says what is missing')
})

t.test('a config with a plugin of a third party runs the packages, which share one core', async (t) => {
  const { grainline, write } = installation(t)
  const withPlugins = (...uses: unknown[]) => grainline('anything', '--config', write('own/config.json', JSON.stringify(uses)))
  t.equal(await withPlugins('@grainline/held'), 'one file')
  t.equal(await withPlugins('@grainline/held', 'somebody-else'), 'packages')
  t.equal(await withPlugins('./plugin.mjs'), 'packages')
  t.equal(await withPlugins(null), 'packages', 'what is no name is refused by the packages')
  t.equal(await withPlugins('toString'), 'packages')
  t.equal(await grainline('anything', `--config=${write('own/config.json', '["else"]')}`), 'packages')
  t.equal(await grainline('anything', '--config', 'none.json'), 'packages', 'a config that cannot be read')
  t.equal(await grainline('anything', '--config'), 'packages')
})

t.test(
  'a package nearer to the config is a different plugin; a link to the package of the distribution is the same one',
  async (t) => {
    const { grainline, write, folder } = installation(t)
    const config = write('own/config.json', '["@grainline/held"]')
    mkdirSync(path.join(folder, 'own/node_modules/@grainline'), { recursive: true })
    symlinkSync(path.join(folder, 'node_modules/@grainline/held'), path.join(folder, 'own/node_modules/@grainline/held'))
    t.equal(await grainline('anything', '--config', config), 'one file')
    rmSync(path.join(folder, 'own/node_modules/@grainline/held'))
    mkdirSync(path.join(folder, 'own/node_modules/@grainline/held'))
    t.equal(await grainline('anything', '--config', config), 'packages')
  },
)

t.test('compiled code is cached beside the file after each successful command, and used', async (t) => {
  const { grainline, codes } = installation(t)
  await grainline('fails').catch(() => undefined)
  t.same(codes(), [])
  await grainline('anything')
  const kept = codes()
  t.equal(kept.length, 1)
  const written = readFileSync(kept[0]!)
  utimesSync(kept[0]!, 1000, 1000)
  await grainline('anything')
  t.ok(readFileSync(kept[0]!).equals(written))
  await grainline('another')
  t.equal(codes().length, 2)
})

t.test('a server caches its compiled code after it listens', async (t) => {
  const { folder, codes } = installation(t)
  const server = spawn(process.execPath, ['config/bin.cjs', 'serve'], { cwd: folder, stdio: 'ignore' })
  t.teardown(() => server.kill())
  while (codes().length === 0) await new Promise((done) => setTimeout(done, 50))
  t.equal(codes().length, 1)
})

t.test('a server that ends before that caches its compiled code at the end', async (t) => {
  const { grainline, codes } = installation(t)
  t.equal(await grainline('briefly'), 'one file')
  t.equal(codes().length, 1)
})

t.test('compiled code that V8 rejects is replaced', async (t) => {
  const { grainline, codes } = installation(t)
  await grainline('anything')
  const [file] = codes() as [string]
  const good = readFileSync(file)
  for (const stale of [Buffer.alloc(0), Buffer.from('no code at all'), good.subarray(0, 100), Buffer.alloc(good.length)]) {
    writeFileSync(file, stale)
    t.equal(await grainline('anything'), 'one file')
    t.notSame(readFileSync(file), stale)
  }
})

t.test('another Node version, other flags and another file have their own compiled code', async (t) => {
  const { grainline, codes, write } = installation(t)
  await grainline('anything')
  t.equal(codes().length, 1)
  write('later.cjs', "Object.defineProperty(process, 'version', { value: 'v20.99.0' })")
  t.equal(await grainline.with({ NODE_OPTIONS: '--require ./later.cjs' })('anything'), 'one file')
  t.equal(codes().length, 2)
  write('dist/grainline.cjs', FILE.replace("'one file'", "'new file'"))
  t.equal(await grainline('anything'), 'new file')
  t.equal(codes().length, 3)
})

t.test(
  'compiled code is not read from a folder that other users can write',
  { skip: process.getuid === undefined },
  async (t) => {
    const { grainline, codes, folder } = installation(t)
    await grainline('anything')
    const [file] = codes() as [string]
    // Code of the same length with another meaning.
    const other = installation(t)
    other.write('dist/grainline.cjs', FILE.replace("'one file'", "'bad code'"))
    await other.grainline('anything')
    const bad = readFileSync(other.codes()[0]!)
    writeFileSync(file, bad)
    t.equal(await grainline('anything'), 'bad code', 'V8 itself does not tell')
    chmodSync(file, 0o622)
    t.equal(await grainline('anything'), 'one file', 'a file that others may write')
    writeFileSync(file, bad)
    chmodSync(file, 0o600)
    chmodSync(path.join(folder, 'dist/code'), 0o777)
    t.equal(await grainline('anything'), 'one file', 'a folder that others may write')
    t.ok(codes('home/.cache/grainline/code').length > 0, 'the folder of the user has it')
  },
)

t.test(
  'if the folder is not writable, the code is cached in the home folder of the user; if that is not writable, nowhere',
  async (t) => {
    const { grainline, codes, write, folder } = installation(t)
    // Even root cannot create a folder in the place of a file.
    write('dist/code', '')
    t.equal(await grainline('anything'), 'one file')
    t.equal(codes('home/.cache/grainline/code').length, 1)
    t.equal(await grainline('anything'), 'one file')
    t.equal(await grainline.with({ XDG_CACHE_HOME: path.join(folder, 'dist/code') })('anything'), 'one file')
    t.equal(await grainline.with({ NODE_DISABLE_COMPILE_CACHE: '1' })('another'), 'one file')
    t.equal(codes('home/.cache/grainline/code').length, 1)
  },
)

t.test('processes that start at the same time leave one complete file', async (t) => {
  const { grainline, codes, folder } = installation(t)
  t.same(await Promise.all(Array.from({ length: 6 }, () => grainline('anything'))), Array(6).fill('one file'))
  t.equal(codes().length, 1)
  t.equal(readdirSync(path.join(folder, 'dist/code')).length, 1, 'nothing half written')
  t.equal(await grainline('anything'), 'one file')
})

t.test('old compiled code is removed', async (t) => {
  const { grainline, codes, write } = installation(t)
  await grainline('anything')
  for (let number = 0; number < 20; number++) utimesSync(write(`dist/code/${number}.code`, ''), 1000 + number, 1000 + number)
  await grainline('another')
  t.equal(codes().length, 12)
  t.notOk(codes().some((file) => file.endsWith('/3.code')))
})

type Run = (...args: string[]) => Promise<string>

function installation(t: { teardown(run: () => void): void }): {
  readonly folder: string
  readonly grainline: Run & { readonly with: (env: Record<string, string>) => Run }
  readonly write: (file: string, text: string) => string
  readonly codes: (folder?: string) => string[]
} {
  const folder = mkdtempSync('/tmp/grainline-one-file-')
  t.teardown(() => rmSync(folder, { recursive: true }))
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), text)
    return path.join(folder, file)
  }
  cpSync(path.join(root, 'config'), path.join(folder, 'config'), { recursive: true })
  write('config/bin.mjs', "console.log('packages')")
  write('dist/grainline.cjs', FILE)
  write('dist/grainline.json', '{ "packages": ["@grainline/core@1.0.0", "library@2.0.0", "early@0.3.1"] }')
  write('node_modules/.package-lock.json', lockOf('2.0.0'))
  write('node_modules/@grainline/core/package.json', '{}')
  write('node_modules/@grainline/held/package.json', '{ "type": "module" }')
  write('node_modules/@grainline/held/dist/import.js', 'export default (specifier) => import(specifier)')
  write('node_modules/@grainline/held/dist/a.js', 'export const a = 1')
  const { XDG_CACHE_HOME: _, NODE_DISABLE_COMPILE_CACHE: __, ...inherited } = process.env
  const withEnv =
    (env: Record<string, string>): Run =>
    async (...args) => {
      const all = { ...inherited, NODE_OPTIONS: '', HOME: path.join(folder, 'home'), ...env }
      const { stdout } = await run(process.execPath, ['config/bin.cjs', ...args], { cwd: folder, env: all })
      return stdout.trim().replaceAll('\n', ' ')
    }
  const codes = (below = 'dist/code') => {
    try {
      const files = readdirSync(path.join(folder, below)).filter((file) => file.endsWith('.code'))
      return files.map((file) => path.join(folder, below, file))
    } catch {
      return []
    }
  }
  return { folder, grainline: Object.assign(withEnv({}), { with: withEnv }), write, codes }
}

function lockOf(library: string, core = '1.0.0', early = '0.3.7'): string {
  const packages = {
    core: { version: core },
    'node_modules/@grainline/core': { resolved: 'core', link: true },
    'node_modules/other/node_modules/library': { version: library },
    'node_modules/early': { version: early },
  }
  return JSON.stringify({ packages })
}
