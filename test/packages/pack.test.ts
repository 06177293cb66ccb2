/** What a published manifest contains, and that the checks of tarballs find what is wrong. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '../..')
const load = (script: string) => import(pathToFileURL(path.join(root, 'scripts', script)).href)
const { publishedManifest } = (await load('pack.mjs')) as { publishedManifest(manifest: object): Record<string, unknown> }
const { lintPacked } = (await load('lint-packed.mjs')) as { lintPacked(tarballs: readonly string[]): Promise<void> }
const { packageFolders } = (await load('bundle-packages.mjs')) as { packageFolders(): Promise<string[]> }

const manifestOf = (folder: string) => JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
const { repository } = manifestOf(root)

t.test('every package has a page, an address, and the folder of its sources', async (t) => {
  for (const folder of await packageFolders()) {
    const directory = path.relative(root, folder)
    const manifest = manifestOf(folder)
    t.same(manifest.repository, { ...repository, directory }, directory)
    t.equal(manifest.homepage, `${repository.url.replace(/^git\+|\.git$/g, '')}/tree/main/${directory}#readme`)
    const readme = readFileSync(path.join(folder, 'README.md'), 'utf8')
    t.ok(readme.split('\n').length > 5, `${directory}/README.md`)
    for (const [, link] of readme.matchAll(/\]\((?!https?:)([^)#]+)/g))
      t.ok(existsSync(path.join(folder, link!)), `${directory}/README.md names ${link}`)
  }
})

t.test('a published manifest has no script, no workspace and no source', async (t) => {
  const manifest = {
    name: 'x',
    exports: {
      '.': { '@grainline/source': './src/index.ts', types: './a.d.ts', default: './a.js' },
      './package.json': './package.json',
    },
    scripts: { prepare: 'build' },
    workspaces: ['a'],
    devDependencies: { tap: '1' },
  }
  t.same(publishedManifest(manifest), {
    name: 'x',
    exports: { '.': { types: './a.d.ts', default: './a.js' }, './package.json': './package.json' },
  })
})

t.test('a tarball without what programs and the registry need is refused with each fault', async (t) => {
  const good = {
    name: 'x',
    version: '1.0.0',
    description: 'X.',
    license: 'Apache-2.0',
    homepage: 'https://example.com',
    repository: { type: 'git', url: 'git+https://example.com/x.git' },
    type: 'module',
    engines: { node: '>=20' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  }
  const files = {
    'index.js': 'export const one = 1\n',
    'index.d.ts': 'export declare const one: number\n',
    LICENSE: 'A license',
    'README.md': '# x\n',
  }
  const pack = (name: string, manifest: object, others: Record<string, string>) => {
    const folder = t.testdir({ package: { ...others, 'package.json': JSON.stringify(manifest) } })
    const tarball = path.join(folder, `${name}.tgz`)
    execFileSync('tar', ['-czf', tarball, '-C', folder, 'package'])
    return tarball
  }
  await lintPacked([pack('good', good, files)])
  const { LICENSE: _license, ...without } = files
  const { repository: _repository, ...nowhere } = good
  const bad = {
    ...nowhere,
    scripts: { prepare: 'build' },
    exports: { '.': { types: './none.d.ts', default: './index.js' }, './more': './more.js' },
  }
  const message = await lintPacked([pack('bad', bad, without)]).then(String, String)
  for (const fault of [/no repository/, /it has scripts/, /LICENSE is missing/, /none\.d\.ts/, /more\.js/])
    t.match(message, fault)
})
