// Bundles the tests that its arguments name, or else every test, and every file that tests load by path, once per run. A process then loads a few dozen files of JavaScript
// instead of about 500 modules of TypeScript, each through a loader: 1 s of processor time instead of 3 s, in hundreds of processes.
// With `--together` the tests that share a process are one bundle: it loads a third of the files, and needs no hooks to find them.
// test/bundled.mjs is the loader that finds the bundles. Files stay where they are for `import.meta`, so fixtures are found.
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { BUNDLE, IMPORTS, MANIFEST, stampOf } from '../test/bundle-manifest.mjs'
import { filesBelow, SHARED, sharedFile } from '../test/groups.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const STARTED = [
  /\.test\.ts$/,
  /^scripts\/[^/]+\.ts$/,
  /^examples\/[^/]+\/index\.ts$/,
  /^test\/(load|bench)\/[^/]+\.ts$/,
  /-(worker|thread|process)\.ts$/,
]
/**
 * After a teardown of the whole file, tap ends as soon as no test is running, and ignores the tests that follow. While a file is imported
 * that is possible: tap waits until all of them have ended. The limit of one file (`t.setTimeout`) is none of the process of many, which
 * scripts/run-tests.mjs ends if it no longer answers.
 */
const OPEN = `import t from 'tap'
Object.defineProperty(t, 'idle', { value: false, configurable: true })
t.setTimeout(0)
Object.defineProperty(t, 'setTimeout', { value: () => undefined })
`
const CLOSE = `delete t.idle\nt.emit('idle')\n`

/** `import(name)`, `import(url.href)` and `import(pathToFileURL(…).href)`. */
const COMPUTED_IMPORT =
  /\bimport\(((?:pathToFileURL\((?:[^()]|\([^()]*\))*\)\.href|new URL\((?:[^()])*\)\.href|[A-Za-z_]\w*(?:\.\w+)*))\)/g

const together = process.argv.includes('--together')
const named = new Set(process.argv.slice(2).filter((arg) => !arg.startsWith('--')))
/** With `--branches`, the sources of the compiler note which of their branches are taken. */
const branches = process.argv.includes('--branches') ? await import('./branches-of.mjs') : undefined
const isWanted = (file) => named.size === 0 || named.has(file) || !file.endsWith('.test.ts')

const began = performance.now()
await import('./catalogue-image.mjs')
const sources = await entries()
const groupOf = (file) => (together ? Object.keys(SHARED).find((name) => SHARED[name].test(file)) : undefined)
const entryPoints = together
  ? [...sources.filter((file) => groupOf(file) === undefined), ...Object.keys(SHARED).map(sharedFile)]
  : sources
await writeShared()
const fresh = `${BUNDLE}-${process.pid}`
const { metafile } = await build({
  absWorkingDir: root,
  entryPoints,
  outdir: fresh,
  outbase: root,
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  conditions: ['@grainline/source'],
  chunkNames: 'chunk-[hash]',
  logLevel: 'warning',
  banner: {
    js: `import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);${branches?.RUNTIME ?? ''}`,
  },
  plugins: [{ name: 'grainline-tests', setup }],
})
await writeManifest()
await writeImports()
await rm(BUNDLE, { recursive: true, force: true })
await mkdir(path.dirname(BUNDLE), { recursive: true })
await rename(fresh, BUNDLE)
console.log(`${entryPoints.length} tests, plugins and programs bundled in ${((performance.now() - began) / 1000).toFixed(1)} s`)

/** The tests, the sources named in package.json files, the files that run in threads, and files that are started or imported by path. */
async function entries() {
  const found = []
  for (const top of ['core', 'packages', 'plugins', 'examples', 'test', 'scripts']) {
    for (const file of filesBelow(top)) {
      if (STARTED.some((pattern) => pattern.test(file)) && isWanted(file)) found.push(file)
      if (path.basename(file) === 'package.json') found.push(...(await sourcesOf(file)))
    }
  }
  return [...new Set(found)].toSorted()
}

async function sourcesOf(manifest) {
  const { exports = {} } = JSON.parse(await readFile(path.join(root, manifest), 'utf8'))
  const sources = Object.values(exports).flatMap((entry) => entry?.['@grainline/source'] ?? [])
  return sources.map((source) => path.join(path.dirname(manifest), source))
}

function setup(bundler) {
  // Packages are loaded from their folders, except ours and typebox, which has about 700 files.
  bundler.onResolve({ filter: /^[^./]/ }, ({ path: name, importer, kind }) => {
    if (kind === 'entry-point' || /^(@grainline\/|typebox(\/|$))/.test(name)) return undefined
    if (name.startsWith('node:')) return { path: name, external: true }
    const folder = ownFolder(importer, name)
    return { path: folder === undefined ? name : fileIn(folder, name), external: true }
  })
  // A file that starts a thread or a process starts its own bundle; every other file gets the path of its source.
  bundler.onLoad({ filter: /\.(ts|mjs)$/ }, async ({ path: file }) => {
    if (file.includes('/node_modules/')) return undefined
    const source = await readFile(file, 'utf8')
    const text = announced(path.relative(root, file)) + withBundledImports(branches?.noting(path.relative(root, file)) ?? source)
    const loader = path.extname(file) === '.ts' ? 'ts' : 'js'
    if (!text.includes('import.meta') || startsItself(text)) return { contents: text, loader }
    const url = pathToFileURL(file).href
    const contents = text
      .replaceAll('import.meta.url', JSON.stringify(url))
      .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
      .replaceAll('import.meta.filename', JSON.stringify(file))
    return { contents, loader }
  })
}

/** An import of a path that is computed loads the bundle of that source: test/bundled.mjs defines the function. Hooks would find it too, but cost half a second of each process on Node 20. */
function withBundledImports(text) {
  return text.replace(COMPUTED_IMPORT, 'import(globalThis.bundleOf?.($1) ?? $1)')
}

/** In a thread, or in a process. */
function startsItself(text) {
  return /new Worker\(new URL\(self\)|\bstartBeside\(import\.meta\.url|\bapart\(\w+, import\.meta\.url|^ {2}import\.meta\.url,$|\bownThread\(import\.meta\.url/m.test(
    text,
  )
}

/** The folder below the root, nearest to the importer, that has its own installation of the package. */
function ownFolder(importer, name) {
  const [top] = /^(@[^/]+\/)?[^/]+/.exec(name)
  for (let folder = path.dirname(importer); folder.startsWith(root) && folder !== root; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, 'node_modules', top))) return folder
  }
  return undefined
}

function fileIn(folder, name) {
  return createRequire(path.join(folder, 'from-here.js')).resolve(name)
}

/** The output of each source, and the state of every input when it was read. */
async function writeManifest() {
  const outputs = {}
  for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
    if (entryPoint !== undefined) outputs[entryPoint] = path.relative(fresh, path.resolve(root, file))
  }
  const inputs = Object.keys(metafile.inputs).filter((file) => !file.startsWith('node_modules/'))
  const stamps = Object.fromEntries(inputs.map((file) => [file, stampOf(path.join(root, file))]))
  await writeFile(path.join(fresh, MANIFEST), JSON.stringify({ outputs, stamps }))
}

/** The files of the repository that each of them imports, for scripts/changed-tests.mjs. */
async function writeImports() {
  const isOwn = (file) => !/node_modules\/|^node:/.test(file)
  const own = Object.entries(metafile.inputs).filter(([file]) => isOwn(file))
  const imports = own.map(([file, input]) => [
    file,
    input.imports
      .filter((each) => !each.external)
      .map((each) => each.path)
      .filter(isOwn),
  ])
  await writeFile(path.join(fresh, IMPORTS), JSON.stringify(Object.fromEntries(imports)))
}

/** One test file for each group, which runs instead of the files themselves. */
async function writeShared() {
  const folder = path.join(root, path.dirname(sharedFile('')))
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'open.mjs'), OPEN)
  await writeFile(path.join(folder, 'close.mjs'), `import t from 'tap'\n${CLOSE}`)
  for (const [name, pattern] of Object.entries(SHARED)) {
    const members = sources.filter((file) => pattern.test(file))
    await writeFile(path.join(root, sharedFile(name)), together ? importing(members) : loading(members))
  }
}

/** For a bundle: imports run in their order, each after what the one before waits for. */
function importing(members) {
  const at = (file) => `import ${JSON.stringify(path.posix.relative(path.dirname(sharedFile('')), file))}\n`
  return `import './open.mjs'\n${members.map(at).join('')}import './close.mjs'\n`
}

/** Each member is a bundle of its own, that can also run alone. */
function loading(members) {
  const run = (url) => `t.comment(${JSON.stringify(url)})\nawait import(bundleOf(${JSON.stringify(url)}))\n`
  return `${OPEN}${members.map((file) => run(pathToFileURL(path.join(root, file)).href)).join('')}${CLOSE}`
}

/** Before the first line of a test that shares its bundle: the output says where its assertions begin. */
function announced(file) {
  return groupOf(file) === undefined ? '' : `import tapOfAll from 'tap';tapOfAll.comment(${JSON.stringify(file)});`
}
