// Bundles packages into their dist: the published files without declarations, which scripts/build.mjs writes.
// Libraries of many small files are inlined if a start needs them, because each file is found, read and compiled separately. The API of OpenTelemetry
// finds its SDK through a global symbol, so a copy of it creates the same spans.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

export const SOURCE = '@grainline/source'
const INLINED = new Map([
  ['@grainline/core', ['typebox', '@opentelemetry/api', 'pino-pretty']],
  ['@grainline/surface-rest', ['@opentelemetry/api', '@fastify/swagger', 'negotiator']],
])
/** Inlined CommonJS libraries require modules of Node. */
export const REQUIRE =
  "import { createRequire as requireOfBundle } from 'node:module'; const require = requireOfBundle(import.meta.url);"
/** Files of the core that are copied into a package which works without the core. */
const COPIED = new Map([['@grainline/mcp', { '@grainline/core/http': 'core/src/http.ts' }]])
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))

/** Absolute folders of all published packages, the core first. */
export async function packageFolders() {
  const parents = await Promise.all(
    ['packages', 'plugins'].map(async (parent) =>
      (await readdir(path.join(root, parent))).toSorted().map((name) => `${parent}/${name}`),
    ),
  )
  return ['core', ...parents.flat()].map((folder) => path.join(root, folder))
}

export const bundlePackages = (folders) => Promise.all(folders.map(bundle))

/** Those whose manifest names sources. */
export async function sourcesOf(folder) {
  const { exports = {} } = await manifestOf(folder)
  return Object.values(exports).flatMap((entry) => entry[SOURCE] ?? [])
}

export async function manifestOf(folder) {
  return JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
}

async function bundle(folder) {
  const manifest = await manifestOf(folder)
  const entryPoints = await sourcesOf(folder)
  if (entryPoints.length === 0) return
  await rm(path.join(folder, 'dist'), { recursive: true, force: true })
  const copied = Object.entries(COPIED.get(manifest.name) ?? {}).map(([name, file]) => [name, path.join(root, file)])
  const inlined = INLINED.get(manifest.name) ?? []
  await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    banner: { js: REQUIRE },
    alias: Object.fromEntries(copied),
    chunkNames: 'chunk-[hash]',
    logLevel: 'warning',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })
      .filter((name) => !inlined.includes(name))
      .flatMap((name) => [name, `${name}/*`]),
  })
  await writeFile(path.join(folder, 'dist/import.js'), IMPORT)
}

/** Imports that resolve as in the package, for the one file that contains its code elsewhere. */
const IMPORT = 'export default (specifier) => import(specifier)\n'
