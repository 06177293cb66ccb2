// Builds the page into web/dist: one file for the first load and lazy chunks, each with its gzip and Brotli form. Runs on `npm ci` in a checkout and
// before packing. A build of the same sources is kept.
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
  // The old build stays until the new one is complete, so that a server that starts meanwhile finds a page.
  const fresh = `${dist}-${process.pid}`
  await rm(fresh, { recursive: true, force: true })
  await buildInto(path.join(fresh, 'assets'), stamp)
  await writeFile(path.join(fresh, 'stamp'), stamp)
  await rm(dist, { recursive: true, force: true })
  await rename(fresh, dist)
  console.log(`The page is built (${((performance.now() - began) / 1000).toFixed(1)} s).`)
}

/** Sources, this script, and the versions of the bundled packages. */
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

async function buildInto(assets, stamp) {
  // All libraries must use one React; a library in another folder would find another version.
  const alias = Object.fromEntries(
    ['react', 'react-dom'].map((name) => [name, path.dirname(require.resolve(`${name}/package.json`))]),
  )
  const options = {
    absWorkingDir: folder,
    outdir: assets,
    bundle: true,
    target: 'es2022',
    conditions: ['@grainline/source'],
    minify: true,
    legalComments: 'none',
    metafile: true,
    // Lazy chunks import from the file of the first load, so a change of any source changes the names of all files.
    entryNames: `[name]-[hash]-${stamp.slice(0, 8)}`,
    chunkNames: `[name]-[hash]-${stamp.slice(0, 8)}`,
    logLevel: 'warning',
  }
  // The worker is one file without imports, which every browser can start.
  const [worker] = outputsOf(
    await esbuild.build({ ...options, entryPoints: { language: 'src/edit/language-worker.ts' }, format: 'iife' }),
  )
  const page = await esbuild.build({
    ...options,
    entryPoints: { page: 'src/main.tsx' },
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', LANGUAGE_WORKER: JSON.stringify(`assets/${worker.name}`) },
    alias,
    plugins: [componentsByFile(await componentFiles()), withoutUnusedColours()],
  })
  const outputs = await inOneFile(outputsOf(page), assets, options)
  const entry = outputs.find(({ entryPoint }) => entryPoint === 'src/main.tsx')
  const template = await readFile(path.join(folder, 'index.html'), 'utf8')
  const html = template.replace('%STYLE%', path.basename(entry.cssBundle)).replace('%SCRIPT%', entry.name)
  await mkdir(assets, { recursive: true })
  await writeFile(path.join(path.dirname(assets), 'index.html'), html)
  await Promise.all([worker, ...outputs].map(({ name }) => compress(path.join(assets, name))))
}

/**
 * esbuild makes a chunk of its own for each set of lazy chunks that share a part, about fifty for the first load. One file compresses better, and is
 * one request. Lazy chunks then import from it, by the number of the former chunk and the name that it exports.
 */
async function inOneFile(outputs, assets, options) {
  const entry = outputs.find(({ entryPoint }) => entryPoint === 'src/main.tsx')
  const parts = [
    entry.name,
    ...entry.imports.filter(({ kind }) => kind === 'import-statement').map(({ path: file }) => path.basename(file)),
  ]
  const exported = parts.flatMap((name, number) => {
    const names = outputs.find((output) => output.name === name).exports.map((one) => `${one} as ${one}_${number}`)
    return names.length === 0 ? [] : [`export { ${names.join(', ')} } from './${name}'`]
  })
  const { outputFiles } = await esbuild.build({
    ...options,
    stdin: { contents: [`import './${entry.name}'`, ...exported].join('\n'), resolveDir: assets },
    format: 'esm',
    write: false,
    plugins: [lazyRemains()],
  })
  const statement = /import\s?(?:\{([^{}]*)\}\s?from\s?)?"\.\/([\w-]+\.js)";/g
  const rewrite = (all, names, file) => {
    const number = parts.indexOf(file)
    if (number < 0) return all
    // The whole file has run before any lazy chunk.
    if (names === undefined) return ''
    const renamed = names.replace(/([^\s,]+)( as [^\s,]+)?/g, (_one, name, local = ` as ${name}`) => `${name}_${number}${local}`)
    return `import{${renamed}}from"./${entry.name}";`
  }
  await writeFile(path.join(assets, entry.name), outputFiles[0].contents)
  await Promise.all(parts.slice(1).map((name) => rm(path.join(assets, name))))
  const rest = outputs.filter(({ name }) => name === entry.name || !parts.includes(name))
  for (const { name } of rest.filter((one) => one.name !== entry.name && one.name.endsWith('.js'))) {
    const file = path.join(assets, name)
    await writeFile(file, (await readFile(file, 'utf8')).replace(statement, rewrite))
  }
  return rest
}

function lazyRemains() {
  const external = ({ kind, path: file }) => (kind === 'dynamic-import' ? { path: file, external: true } : undefined)
  return { name: 'lazy-remains', setup: ({ onResolve }) => onResolve({ filter: /./ }, external) }
}

/** Eight of the fourteen colours of the library, in all their shades. The styles of the page name the others. */
function withoutUnusedColours() {
  const unused = /--mantine-color-(?:pink|grape|violet|cyan|green|lime|yellow|orange)-[\w-]+:[^;}]*;?/g
  const load = async (file) => ({ contents: (await readFile(file.path, 'utf8')).replace(unused, ''), loader: 'css' })
  return { name: 'without-unused-colours', setup: ({ onLoad }) => onLoad({ filter: /default-css-variables\.css$/ }, load) }
}

/**
 * Each component is imported from its own file. Through the index file, components of lazy chunks would be part of the
 * first load.
 */
function componentsByFile(files) {
  const named = /import \{([^}]+)\} from '@mantine\/core'/g
  const fileOf = (name) => files.get(name) ?? '@mantine/core'
  const apart = (_all, names) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => `import { ${name} } from ${JSON.stringify(fileOf(name))}`)
      .join(';')
  return {
    name: 'components-by-file',
    setup: ({ onLoad }) =>
      onLoad({ filter: /web[\\/]src[\\/].*\.tsx$/ }, async (file) => ({
        contents: (await readFile(file.path, 'utf8')).replace(named, apart),
        loader: 'tsx',
      })),
  }
}

/** The file of each Mantine component. */
async function componentFiles() {
  const esm = path.join(path.dirname(path.dirname(require.resolve('@mantine/core'))), 'esm')
  const index = await readFile(path.join(esm, 'index.mjs'), 'utf8')
  const lines = [...index.matchAll(/^import \{([^}]+)\} from "([^"]+)"/gm)]
  return new Map(lines.flatMap(([, names, file]) => names.split(',').map((name) => [name.trim(), path.join(esm, file)])))
}

function outputsOf({ metafile }) {
  return Object.entries(metafile.outputs).map(([file, output]) => ({ ...output, name: path.basename(file) }))
}

async function compress(file) {
  const bytes = await readFile(file)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  const [small, smaller] = await Promise.all([promisify(gzip)(bytes, { level: 9 }), promisify(brotliCompress)(bytes, { params })])
  await Promise.all([writeFile(`${file}.gz`, small), writeFile(`${file}.br`, smaller)])
}
