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
const DIALECTS = [
  'bigquery',
  'clickhouse',
  'databricks',
  'dremio',
  'duckdb',
  'mariadb',
  'mysql',
  'postgres',
  'redshift',
  'snowflake',
  'sqlite',
  'trino',
]
/** Files of other packages that are copied into a package which works without the core. */
const COPIED = new Map([
  ['@grainline/mcp', { '@grainline/core/http': 'core/src/http.ts' }],
  [
    '@grainline/compiler',
    {
      '@grainline/core/compiler': 'core/src/compiler.ts',
      '@grainline/core/dialect': 'core/src/dialect.ts',
      // What dialects use of it.
      '@grainline/core': 'core/src/compiler.ts',
      // Without the plugin around the dialect, which is for a host.
      ...Object.fromEntries(DIALECTS.map((name) => [`@grainline/dialect-${name}`, `plugins/dialect-${name}/src/${name}.ts`])),
    },
  ],
])
/** Packages that run without Node, and the files that take the place of those that need it. */
export const ANYWHERE = new Map([['@grainline/compiler', { 'core/src/sha256.ts': 'packages/compiler/src/sha256.ts' }]])
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
  const replaced = ANYWHERE.get(manifest.name)
  await build({
    absWorkingDir: folder,
    entryPoints,
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    format: 'esm',
    ...(replaced
      ? { platform: 'neutral', target: 'es2023', mainFields: ['module', 'main'] }
      : { platform: 'node', target: 'node20.19', banner: { js: REQUIRE } }),
    plugins: [{ name: 'replaced', setup: (build) => replaceFiles(build, replaced ?? {}) }],
    alias: Object.fromEntries(copied),
    chunkNames: 'chunk-[hash]',
    logLevel: 'warning',
    external: Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.optionalDependencies })
      .filter((name) => !inlined.includes(name))
      .flatMap((name) => [name, `${name}/*`]),
  })
  if (replaced === undefined) await writeFile(path.join(folder, 'dist/import.js'), IMPORT)
}

function replaceFiles({ onLoad }, files) {
  for (const [file, other] of Object.entries(files)) {
    const filter = new RegExp(`/${file.replaceAll('.', '\\.')}$`)
    onLoad({ filter }, async () => ({
      contents: await readFile(path.join(root, other), 'utf8'),
      loader: 'ts',
      resolveDir: path.dirname(path.join(root, other)),
    }))
  }
}

/** Imports that resolve as in the package, for the one file that contains its code elsewhere. */
const IMPORT = 'export default (specifier) => import(specifier)\n'
