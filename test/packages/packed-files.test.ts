/** The files of the tarballs: what a package needs, no test and no source map. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

t.setTimeout(300_000)

const root = path.resolve(import.meta.dirname, '../..')
const load = (script: string) => import(pathToFileURL(path.join(root, 'scripts', script)).href)
const { packedFiles, refuseStrayFiles, strayFiles } = (await load('packed-files.mjs')) as {
  packedFiles(folders: readonly string[]): { readonly name: string; readonly paths: readonly string[] }[]
  refuseStrayFiles(folders: readonly string[]): void
  strayFiles(paths: readonly string[]): string[]
}
const { bundlePackages, packageFolders } = (await load('bundle-packages.mjs')) as {
  bundlePackages(folders: readonly string[]): Promise<unknown>
  packageFolders(): Promise<string[]>
}

t.test('tests, sources and source maps are named, and nothing else', async (t) => {
  const stray = ['dist/index.js.map', 'dist/a.test.d.ts', 'src/index.ts', 'test/x.js', 'dist/test/x.js', 'dist/a.fuzz.d.ts']
  const needed = ['dist/index.js', 'dist/testing.d.ts', 'dist/cli/test.d.ts', 'package.json', 'web/dist/assets/latest.js']
  t.same(strayFiles([...stray, ...needed]), stray)
})

/** With their bundles, if there are any: scripts/try-packed.mjs and scripts/release.mjs check what was built. */
t.test('no package publishes a test, a source or a source map', async (t) => {
  const packed = packedFiles([root, ...(await packageFolders())])
  t.ok(packed.length > 30)
  for (const { name, paths } of packed) {
    t.same(strayFiles(paths), [], name)
    t.ok(paths.includes('package.json'))
  }
})

t.test('a package that is built has no source map, and no comment that names one', async (t) => {
  const folder = path.join(t.testdir({}), 'client')
  for (const part of ['src', 'package.json'])
    cpSync(path.join(root, 'packages/client', part), path.join(folder, part), { recursive: true })
  await bundlePackages([folder])
  const paths = packedFiles([folder]).flatMap((packed) => packed.paths)
  t.ok(paths.includes('dist/index.js'))
  t.same(strayFiles(paths), [])
  t.notMatch(readFileSync(path.join(folder, 'dist/index.js'), 'utf8'), /sourceMappingURL/)
  mkdirSync(path.join(folder, 'dist/test'))
  writeFileSync(path.join(folder, 'dist/test/x.js'), '')
  writeFileSync(path.join(folder, 'dist/index.js.map'), '{}')
  t.throws(() => refuseStrayFiles([folder]), /client: dist\/index\.js\.map\n.*client: dist\/test\/x\.js/)
})
