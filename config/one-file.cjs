// The command line and every plugin of the distribution in one file (made by scripts/one-file.mjs), with the code that V8 compiled at an earlier start:
// one file is read instead of about 500, and almost nothing is compiled. It runs only if our installed packages are those that were bundled, and if the
// config names no other plugin: such a plugin imports the core, and would get a second one. In every other case bin.mjs imports the packages.
// A package that is not installed at all was not wanted: its plugin is not in the file then, as it is not in the folder.
const { existsSync, readFileSync, realpathSync, statSync } = require('node:fs')
const path = require('node:path')
const { pathToFileURL } = require('node:url')
const vm = require('node:vm')
const { codeCache } = require('./code-cache.cjs')

const root = path.dirname(__dirname)
const FILE = path.join(root, 'dist/grainline.cjs')
const CONTENTS = path.join(root, 'dist/grainline.json')
const DEFAULT_CONFIG = path.join(__dirname, 'default.yaml')

/** The bundled packages that are not installed in the same version; undefined if there is no such file, or no list of npm. */
exports.differences = () => {
  const modules = modulesFolder()
  return modules === undefined || !existsSync(FILE) ? undefined : differencesFrom(path.join(modules, LOCK), exactly)
}

/** Resolves to false if the file cannot be used; no command has started then. */
exports.runOneFile = async () => {
  const modules = modulesFolder()
  if (process.env.GRAINLINE_ONE_FILE === 'false' || modules === undefined || !existsSync(FILE)) return false
  const lock = path.join(modules, LOCK)
  const cache = codeCache(path.dirname(FILE), [stampOf(FILE), stampOf(lock), process.argv[2]])
  const kept = cache.read()
  // Code is cached only for a file that matched the installed packages, and its name has the stamp of both.
  if (kept === undefined && differencesFrom(lock, compatibly).length > 0) return false
  const { script, oneFile } = load(kept, modules)
  const plugin = pluginsIn(oneFile.plugins, modules)
  const isAbsent = absentIn(oneFile.plugins, modules)
  if (!(await holdsAll(oneFile, (name, base) => plugin(name, base) !== undefined || isAbsent(name, base)))) return false
  const isComplete = kept !== undefined && !script.cachedDataRejected
  const serving = isComplete ? () => undefined : keepOnce(script, cache)
  oneFile.run(DEFAULT_CONFIG, { plugin, serving, isInstalled: (name) => existsSync(path.join(modules, name)) })
  return true
}

/** npm's list of installed packages. Other package managers do not write it, and may install each package elsewhere. */
const LOCK = '.package-lock.json'

/** The folder that npm installed the packages in. */
function modulesFolder() {
  const folders = [path.join(root, 'node_modules'), path.dirname(root)]
  return folders.find((folder) => existsSync(path.join(folder, LOCK)) && existsSync(path.join(folder, '@grainline/core')))
}

const stampOf = (file) => {
  const { size, mtimeMs } = statSync(file)
  return `${file} ${size} ${mtimeMs}`
}

/** The bundled packages of which no installed version is the same by `lineOf`. */
function differencesFrom(lock, lineOf) {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8'))
  const lines = Object.entries(packages).map(([where, entry]) => lineOf(nameOf(where), versionOf(entry, packages) ?? ''))
  const installed = new Set(lines)
  const names = new Set(Object.keys(packages).map(nameOf))
  const bundled = JSON.parse(readFileSync(CONTENTS, 'utf8')).packages
  return bundled.filter((each) => {
    const name = each.slice(0, each.lastIndexOf('@'))
    return names.has(name) && !installed.has(lineOf(name, each.slice(each.lastIndexOf('@') + 1)))
  })
}

const exactly = (name, version) => `${name}@${version}`

/** Our packages must be the same. npm installs the newest compatible version of a library, and the bundle has the one that was tested. */
function compatibly(name, version) {
  const [major, minor] = version.split('.')
  return exactly(name, name.startsWith('@grainline/') ? version : major === '0' ? `0.${minor}` : major)
}

const nameOf = (where) => where.slice(where.lastIndexOf('node_modules/') + 'node_modules/'.length)
const versionOf = ({ version, link, resolved }, packages) => (link ? packages[resolved]?.version : version)

/** The text is a function. It is ASCII: read as latin1, each of its characters takes one byte of memory. */
function load(cachedData, modules) {
  const importModuleDynamically = vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  const script = new vm.Script(readFileSync(FILE, 'latin1'), { filename: FILE, cachedData, importModuleDynamically })
  const module = { exports: {} }
  const urlIn = urlsIn(modules)
  const importFrom = async (name, specifier) => (await import(urlIn(name, 'dist/import.js'))).default(specifier)
  script.runInThisContext()(module.exports, require, module, FILE, path.dirname(FILE), urlIn, importFrom)
  return { script, oneFile: module.exports }
}

/** The URL of a file of an installed package: threads and processes start from it. */
function urlsIn(modules) {
  const folders = new Map()
  return (name, file) => {
    if (!folders.has(name)) folders.set(name, name === 'grainline' ? root : realpathSync(path.join(modules, name)))
    return pathToFileURL(path.join(folders.get(name), file)).href
  }
}

/** Finds plugins by name, if the name resolves to the bundled package. */
function pluginsIn(plugins, modules) {
  return (name, base) => {
    if (!Object.hasOwn(plugins, name)) return undefined
    const folder = path.join(modules, name)
    if (!existsSync(folder)) return undefined
    const resolved = folderOf(name, base) ?? folder
    if (resolved !== folder && realpathSync(resolved) !== realpathSync(folder)) return undefined
    return { ...plugins[name], file: path.join(folder, plugins[name].file) }
  }
}

/** Whether a name is that of a bundled plugin that is installed nowhere. */
function absentIn(plugins, modules) {
  return (name, base) =>
    Object.hasOwn(plugins, name) && !existsSync(path.join(modules, name)) && folderOf(name, base) === undefined
}

function folderOf(name, base) {
  const folder = path.join(base, 'node_modules', name)
  if (existsSync(folder)) return folder
  return base === path.dirname(base) ? undefined : folderOf(name, path.dirname(base))
}

/** An unreadable config is left to the packages, which report the reason. */
async function holdsAll(oneFile, holds) {
  const file = configOf(process.argv.slice(3))
  if (file === undefined) return true
  try {
    const { uses, base } = await oneFile.pluginsOfConfig(file)
    return uses.every((name) => typeof name === 'string' && holds(name, base))
  } catch {
    return false
  }
}

function configOf(args) {
  const at = args.findIndex((each) => each === '--config' || each.startsWith('--config='))
  if (at === -1) return undefined
  return path.resolve(args[at].slice('--config='.length) || (args[at + 1] ?? ''))
}

/** A command caches the code when it has succeeded; a server does so some time after it listens, because its first queries compile more. */
function keepOnce(script, cache) {
  const keep = () => {
    process.off('exit', atExit)
    cache.write(script.createCachedData())
  }
  const atExit = (code) => code === 0 && keep()
  process.on('exit', atExit)
  return () => setTimeout(keep, AFTER_START_MS).unref()
}

const AFTER_START_MS = 1000
