// Bundles the command line and every plugin of the distribution into dist/grainline.cjs, from the output of bundlePackages. config/one-file.cjs runs it.
// Database drivers and packages that read their own files remain outside and are imported from their packages, as without this file.
import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { manifestOf, packageFolders, REQUIRE } from './bundle-packages.mjs'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
/** Packages that are imported on first use but are inside anyway. */
const INSIDE = /^(\.|node:|@grainline\/|fastify$|apache-arrow|@grpc\/grpc-js$)/
const OUTSIDE = 'outside'

/** After the packages. */
export async function bundleOneFile() {
  const folders = await packageFolders()
  await rm(path.join(root, 'dist'), { recursive: true, force: true })
  const names = new Map(await Promise.all(folders.map(async (folder) => [folder, (await manifestOf(folder)).name])))
  const { metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: await entry(folders), resolveDir: path.join(root, 'config'), sourcefile: 'config/one-file.mjs' },
    outfile: 'dist/grainline.cjs',
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node20.19',
    charset: 'ascii',
    minifyWhitespace: true,
    metafile: true,
    external: ['tsx', 'tsx/*'],
    logLevel: 'warning',
    banner: { js: '(function (exports, require, module, __filename, __dirname, urlIn, importFrom) {' },
    footer: { js: '})' },
    plugins: [{ name: 'one-file', setup: (build) => setup(build, names) }],
  })
  const packages = await Promise.all([...packagesOf(metafile)].toSorted().map(identityOf))
  await writeFile(path.join(root, 'dist/grainline.json'), JSON.stringify({ packages: [...new Set(packages)] }, undefined, 1))
}

/** The command line, and each plugin under its name. */
async function entry(folders) {
  const all = await Promise.all(folders.filter(isPlugin).map(manifestOf))
  // A plugin that came with the last pull is linked by the next `npm install`.
  const manifests = all.filter(({ name }) => existsSync(path.join(root, 'node_modules', name)))
  const plugins = manifests.map(({ name, version, exports }) => {
    const about = JSON.stringify({ version, file: path.posix.normalize(exports['.'].default) })
    return `${JSON.stringify(name)}: { ...${about}, load: () => import(${JSON.stringify(name)}) }`
  })
  return `
    import { runProcess } from '@grainline/core/cli'
    import { commands } from './commands.mjs'
    export { pluginsOfConfig } from '@grainline/core/cli'
    export const plugins = { ${plugins.join(',')} }
    export const run = (defaultConfig, oneFile) => runProcess(defaultConfig, commands(defaultConfig, oneFile.isInstalled), oneFile)
  `
}

const isPlugin = (folder) => path.basename(path.dirname(folder)) === 'plugins'

function setup({ onLoad, onResolve }, names) {
  const ours = [...names.keys()]
  const packageOf = (file) => ours.find((folder) => file.startsWith(folder + path.sep))
  onLoad({ filter: /\.js$/ }, async ({ path: file }) => {
    const folder = packageOf(file)
    if (folder === undefined || file.includes('node_modules')) return undefined
    return { contents: placed(await readFile(file, 'utf8'), names.get(folder), path.posix.relative(folder, file)), loader: 'js' }
  })
  onResolve({ filter: /.*/ }, ({ path: specifier, kind, importer }) => {
    if (kind !== 'dynamic-import' || INSIDE.test(specifier)) return undefined
    return { path: specifier, namespace: OUTSIDE, pluginData: names.get(packageOf(importer)) }
  })
  onLoad({ filter: /.*/, namespace: OUTSIDE }, ({ path: specifier, pluginData: name }) => ({
    contents: imported(name, specifier),
  }))
}

/** One of our files, which finds threads, files and modules from its original path. Only sources need a loader. */
const placed = (text, name, file) =>
  text
    .replace(REQUIRE, '')
    .replaceAll('import.meta.url', `urlIn(${JSON.stringify(name)}, ${JSON.stringify(file)})`)
    .replaceAll('import.meta.resolve', 'require.resolve')
    .replaceAll(COMPUTED_IMPORT, `importFrom(${JSON.stringify(name)}, `)

/** In code that V8 read from its cache, Node 20 has no `import()`. esbuild replaces those with a name in the source; these have an expression. */
const COMPUTED_IMPORT = /(?<![.\w$])import\((?=[\w(])/g

/** A module that is a promise of the real one: `import()` waits for a module with `then`. */
const imported = (...from) =>
  `export function then(done, failed) { importFrom(${from.map((each) => JSON.stringify(each))}).then(done, failed) }`

/** Folders of the packages with content in the bundle, without the root. */
function packagesOf({ outputs }) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  return new Set(
    inputs.filter((file) => !/^config\/|:/.test(file)).map((file) => packageRoot(path.dirname(path.join(root, file)))),
  )
}

/** Some packages have manifests without a name in their folders. */
function packageRoot(folder) {
  const [, found] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)/.exec(folder) ?? []
  if (found !== undefined) return found
  return existsSync(path.join(folder, 'package.json')) ? folder : packageRoot(path.dirname(folder))
}

async function identityOf(folder) {
  const { name, version } = await manifestOf(folder)
  return `${name}@${version}`
}
