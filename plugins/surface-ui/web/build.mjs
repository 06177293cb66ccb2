// Builds the page into web/dist: one entry and lazy chunks, each beside its gzip and Brotli form. Runs on `npm ci` in a checkout and
// before packing; what is built already from the same sources is left as it is.
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const folder = path.dirname(fileURLToPath(import.meta.url))
const dist = path.join(folder, 'dist')
/** The language service is bundled from its sources. */
const language = path.join(folder, '../../../packages/language/src')
const require = createRequire(import.meta.url)

const esbuild = await import('esbuild').catch(() => undefined)
if (esbuild === undefined) console.log('The page is not built: development packages are not installed.')
else await buildUnlessFresh()

async function buildUnlessFresh() {
  const stamp = await stampOfSources()
  const built = await readFile(path.join(dist, 'stamp'), 'utf8').catch(() => '')
  if (built === stamp) return
  const began = performance.now()
  // Beside the old one until it is whole, so that a server that starts meanwhile finds a page.
  const fresh = `${dist}-${process.pid}`
  await rm(fresh, { recursive: true, force: true })
  await buildInto(path.join(fresh, 'assets'))
  await writeFile(path.join(fresh, 'stamp'), stamp)
  await rm(dist, { recursive: true, force: true })
  await rename(fresh, dist)
  console.log(`The page is built (${((performance.now() - began) / 1000).toFixed(1)} s).`)
}

/** Sources, this script, and the versions of what is bundled. */
async function stampOfSources() {
  const hash = createHash('sha256')
  const files = (
    await Promise.all(
      [path.join(folder, 'src'), language].map((place) => readdir(place, { recursive: true, withFileTypes: true })),
    )
  )
    .flat()
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
  for (const file of [...files, path.join(folder, 'index.html'), fileURLToPath(import.meta.url)].toSorted()) {
    hash.update(`${path.relative(folder, file)}\0`).update(await readFile(file))
  }
  const { devDependencies } = JSON.parse(await readFile(path.join(folder, '../package.json'), 'utf8'))
  for (const name of Object.keys(devDependencies).toSorted()) hash.update(`${name}@${await versionOf(name)}\0`)
  return hash.digest('hex')
}

async function versionOf(name) {
  for (const base of require.resolve.paths(name) ?? []) {
    const text = await readFile(path.join(base, name, 'package.json'), 'utf8').catch(() => undefined)
    if (text !== undefined) return JSON.parse(text).version
  }
  return 'absent'
}

async function buildInto(assets) {
  // One React for all: a library that lies elsewhere would find another version of it.
  const alias = Object.fromEntries(
    ['react', 'react-dom'].map((name) => [name, path.dirname(require.resolve(`${name}/package.json`))]),
  )
  const { metafile } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: { page: 'src/main.tsx' },
    outdir: assets,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['@grainline/source'],
    jsx: 'automatic',
    minify: true,
    legalComments: 'none',
    metafile: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias,
    logLevel: 'warning',
  })
  const outputs = Object.entries(metafile.outputs).map(([file, output]) => ({ ...output, name: path.basename(file) }))
  const entry = outputs.find(({ entryPoint }) => entryPoint === 'src/main.tsx')
  const template = await readFile(path.join(folder, 'index.html'), 'utf8')
  const preloads = entry.imports.filter(({ kind }) => kind === 'import-statement').map(({ path: file }) => path.basename(file))
  const html = template
    .replace('%STYLE%', path.basename(entry.cssBundle))
    .replace('%SCRIPT%', entry.name)
    .replace('%PRELOADS%', preloads.map((name) => `<link rel="modulepreload" href="assets/${name}">`).join(''))
  await mkdir(assets, { recursive: true })
  await writeFile(path.join(path.dirname(assets), 'index.html'), html)
  await Promise.all(outputs.map(({ name }) => compress(path.join(assets, name))))
}

async function compress(file) {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [small, smaller] = await Promise.all([promisify(gzip)(bytes, { level: 9 }), promisify(brotliCompress)(bytes, { params })])
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)])
}
