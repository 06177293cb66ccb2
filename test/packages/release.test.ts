/** What a release changes, and that the existing plugins accept a minor version of the core. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { satisfies } from 'semver'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '../..')
const script = pathToFileURL(path.join(root, 'scripts/release.mjs')).href
const { changelogAt, checkVersion, manifestAt } = (await import(script)) as {
  changelogAt(text: string, version: string, day: string): string
  checkVersion(version: string, current: string): void
  manifestAt(manifest: object, version: string): object
}

t.test('every manifest gets the new version, also for its dependencies on our packages', async (t) => {
  const manifest = {
    name: '@grainline/x',
    version: '0.1.0',
    dependencies: { '@grainline/core': '^0.1.0', fastify: '^5.0.0' },
    peerDependencies: { '@grainline/core': '>=0.1.0 <1.0.0' },
  }
  t.same(manifestAt(manifest, '0.2.0'), {
    ...manifest,
    version: '0.2.0',
    dependencies: { '@grainline/core': '^0.2.0', fastify: '^5.0.0' },
  })
  const distribution = { name: 'grainline', version: '0.1.0', peerDependencies: { '@grainline/x': '^0.1.0', react: '^19.0.0' } }
  t.match(
    manifestAt(distribution, '0.2.0'),
    { peerDependencies: { '@grainline/x': '^0.2.0', react: '^19.0.0' } },
    'an optional part',
  )
  t.same(manifestAt({ name: 'y', version: '0.1.0' }, '0.2.0'), { name: 'y', version: '0.2.0' })
})

t.test('the changelog gets the date, once', async (t) => {
  const text = '# Changelog\n\n## 0.2.0 (unreleased)\n\n- A.\n\n## 0.1.0 (2026-01-01)\n'
  const released = changelogAt(text, '0.2.0', '2026-02-03')
  t.match(released, '## 0.2.0 (2026-02-03)\n\n- A.')
  t.throws(() => changelogAt(released, '0.3.0', '2026-02-04'), /no heading/)
  t.match(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), /^## \S+ \(unreleased\)$/m)
})

t.test('a version has three numbers and is not older than the current one', async (t) => {
  checkVersion('0.2.0', '0.1.0')
  t.throws(() => checkVersion('next', '0.1.0'), /not a version; the next ones are 0\.1\.1 and 0\.2\.0/)
  t.throws(() => checkVersion('0.0.9', '0.1.0'), /older than 0\.1\.0/)
})

t.test('a minor version of the core is accepted by every plugin, in its manifest and its host range', async (t) => {
  for (const name of readdirSync(path.join(root, 'plugins'))) {
    const read = (file: string) => readFileSync(path.join(root, 'plugins', name, file), 'utf8')
    const { peerDependencies = {} } = JSON.parse(read('package.json')) as { peerDependencies?: Record<string, string> }
    const peer = peerDependencies['@grainline/core']
    if (peer !== undefined) t.ok(satisfies('0.2.0', peer) && !satisfies('1.0.0', peer), `${name} wants ${peer}`)
    const host = /\bhost: '([^']+)'/.exec(read('src/index.ts'))?.[1]
    if (host !== undefined) t.ok(satisfies('0.2.0', host) && !satisfies('1.0.0', host), `${name} was written for ${host}`)
  }
})
