// node examples/in-the-browser/build.mjs FOLDER: files that a web server hands out as they are. The server of Grainline then runs in the tab.
import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtinModules, createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const here = path.dirname(fileURLToPath(import.meta.url))
const root = path.dirname(path.dirname(here))
const page = path.join(root, 'plugins/surface-ui/web/dist')
const flights = path.join(root, 'examples/flights')
const { resolve } = createRequire(import.meta.url)

/** Writes the files, and returns the number of bytes of each bundle by its name. */
export async function writeTab(folder) {
  await mkdir(path.join(folder, 'example'), { recursive: true })
  const sizes = await bundles(folder)
  const engine = path.dirname(resolve('@electric-sql/pglite'))
  for (const name of ['pglite.wasm', 'pglite.data', 'initdb.wasm']) await copyFile(path.join(engine, name), path.join(folder, name))
  const grammar = path.dirname(resolve('libpg-query'))
  await copyFile(path.join(grammar, 'libpg-query.wasm'), path.join(folder, 'libpg-query.wasm'))
  await cp(path.join(flights, 'data'), path.join(folder, 'example'), { recursive: true })
  const model = await readFile(path.join(flights, 'model.yaml'), 'utf8')
  await writeFile(path.join(folder, 'example/model.yaml'), model.replace('defaultDialect: duckdb', 'defaultDialect: postgres'))
  const isCompressed = (file) => /\.(?:gz|br)$/.test(file)
  await cp(path.join(page, 'assets'), path.join(folder, 'assets'), { recursive: true, filter: (file) => !isCompressed(file) })
  await writeFile(path.join(folder, 'index.html'), await startPage())
  return sizes
}

/** The page of the server, which waits until its server has started. */
async function startPage() {
  const html = await readFile(path.join(page, 'index.html'), 'utf8')
  const [script, name] = /<script type="module" src="assets\/([^"]+)"><\/script>/.exec(html)
  const start = (await readFile(path.join(here, 'index.html'), 'utf8')).replace('%SCRIPT%', name)
  return html
    .replace(script, '<script type="module" src="tab.js"></script>')
    .replace('<div id="root">', `${start}<div id="root">`)
    .replace('%BASE%', './')
    .replace('%NONCE%', '')
}

async function bundles(folder) {
  const options = { absWorkingDir: here, outdir: folder, bundle: true, format: 'esm', target: 'es2022', minify: true, metafile: true }
  const tab = await build({ ...options, entryPoints: { tab: 'src/tab.ts' } })
  const worker = await build({
    ...options,
    entryPoints: { worker: 'src/worker.ts' },
    platform: 'browser',
    conditions: ['@grainline/source'],
    inject: ['node/globals.ts'],
    define: { global: 'globalThis' },
    // The driver of a PostgreSQL elsewhere is never loaded in a tab.
    external: ['pg', 'pg-cursor', 'pg-connection-string'],
    plugins: [nodeModules],
    legalComments: 'none',
    logLevel: 'warning',
    logOverride: { 'direct-eval': 'silent' },
  })
  const outputs = { ...tab.metafile.outputs, ...worker.metafile.outputs }
  return Object.fromEntries(Object.entries(outputs).map(([file, { bytes }]) => [path.basename(file), bytes]))
}

/** A module of Node is a file of ours, or one of a library. `require` gets its default export, which is what Node returns. */
const nodeModules = {
  name: 'modules of node',
  setup(own) {
    own.onResolve({ filter: /./ }, async ({ path: asked, kind, pluginData }) => {
      const name = asked.replace(/^node:|\/$/g, '')
      if (!builtinModules.includes(name) || pluginData === AGAIN) return
      const file = await fileOf(own, name)
      return kind === 'require-call' ? { path: file, namespace: 'required' } : { path: file }
    })
    own.onLoad({ filter: /./, namespace: 'required' }, ({ path: file }) => ({
      contents: `const all = require(${JSON.stringify(file)}); module.exports = all.default ?? all`,
      resolveDir: here,
    }))
  },
}

const AGAIN = Symbol('resolved by esbuild')

async function fileOf(own, name) {
  const ours = path.join(here, 'node', `${name === 'fs/promises' ? 'fs' : name.replace('/', '-')}.ts`)
  if (existsSync(ours)) return ours
  const found = await own.resolve(`@jspm/core/nodelibs/${name}`, { resolveDir: here, kind: 'import-statement', pluginData: AGAIN })
  return found.path
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sizes = await writeTab(path.resolve(process.argv[2] ?? 'tab'))
  for (const [name, bytes] of Object.entries(sizes)) console.log(`${name} ${bytes}`)
}
