// In a checkout the command runs the bundles of `npm ci` if no source has changed since, otherwise the TypeScript sources, so nothing stale
// runs. Installed packages have no sources, and run their build.
const { spawn } = require('node:child_process')
const { existsSync, readdirSync, statSync } = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')

const root = path.dirname(__dirname)
const CONDITION = '@grainline/source'

/** `npm run grainline` starts in the checkout, but paths are relative to the folder of the user. */
exports.whereTheUserIs = () => {
  const { npm_lifecycle_event: script, npm_package_json: manifest, INIT_CWD: folder } = process.env
  if (script === 'grainline' && manifest === path.join(root, 'package.json') && folder) process.chdir(folder)
}

/** True in a checkout whose packages are not built, or were built before a source was last changed. */
exports.runsSources = () => {
  if (!existsSync(path.join(root, 'core/src/cli/main.ts'))) return false
  return packages().some((folder) => !(builtAt(folder) >= changedAt(path.join(folder, 'src'))))
}

/** Starts Node again with the options for sources, in the same folder, and ends with the same status. */
exports.runSources = () => {
  if (process.argv[2] === 'serve' && existsSync(path.join(root, 'core/dist')))
    console.error(
      'Sources have changed since they were bundled, so they run as they are, which starts slower. `npm run prepare` bundles them.',
    )
  const tsx = pathToFileURL(require.resolve('tsx', { paths: [root] })).href
  const first = ['threads.cjs', 'orphaned.cjs'].flatMap((file) => ['--require', path.join(__dirname, file)])
  const flags = [`--conditions=${CONDITION}`, ...first, '--import', tsx]
  const args = [...process.execArgv, ...flags, path.join(__dirname, 'bin.mjs'), ...process.argv.slice(2)]
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  // A terminal interrupts both processes; any other signal only reaches this one.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'))
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name))
  // npm ends without a signal to its child process: core/src/cli/parent-gone.ts.
  const parent = process.ppid
  const end = () => process.ppid !== parent && child.kill('SIGTERM')
  if (process.env.npm_lifecycle_event !== undefined) setInterval(end, 250).unref()
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function packages() {
  const groups = ['plugins', 'packages'].map((name) => path.join(root, name)).filter((group) => existsSync(group))
  const others = groups.flatMap((group) => readdirSync(group).map((name) => path.join(group, name)))
  return [path.join(root, 'core'), ...others].filter((folder) => existsSync(path.join(folder, 'src')))
}

/** Milliseconds since 1970; NaN without a build. */
function builtAt(folder) {
  const dist = path.join(folder, 'dist')
  if (!existsSync(dist)) return Number.NaN
  const times = readdirSync(dist, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.js'))
    .map((entry) => statSync(path.join(entry.parentPath ?? entry.path, entry.name)).mtimeMs)
  return times.length === 0 ? Number.NaN : Math.min(...times)
}

function changedAt(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .reduce((latest, entry) => Math.max(latest, statSync(path.join(entry.parentPath ?? entry.path, entry.name)).mtimeMs), 0)
}
