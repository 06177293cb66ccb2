/** The files in deploy/ name settings, routes and files that exist. The linters of their tools are run by hand: docs/deployment.md says which. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseModelSync } from '@grainline/core/unstable'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const settings = new Set([...read('.env.example').matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!))
/** Variables of Node, of the systems themselves and of the database's image. */
const OTHERS = new Set(['NODE_ENV', 'XDG_CACHE_HOME', 'POSTGRES_PASSWORD', 'POSTGRES_DB'])
const known = (name: string) => settings.has(name) || OTHERS.has(name)

interface Container {
  readonly env: readonly { readonly name: string }[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
}
interface Probe {
  readonly httpGet: { readonly path: string }
}

t.test('every variable is a setting', async (t) => {
  const compose = parse(read('deploy/compose.yaml')) as { services: Record<string, { environment: Record<string, string> }> }
  const names = [
    ...Object.values(compose.services).flatMap(({ environment }) => Object.keys(environment)),
    ...container().env.map(({ name }) => name),
    ...[...read('deploy/Dockerfile').matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) =>
      line!.split(' ').map((each) => each.split('=')[0]!),
    ),
    ...[...read('deploy/systemd/grainline.service').matchAll(/^Environment=(.*)$/gm)].flatMap(([, line]) =>
      line!.split(' ').map((each) => each.split('=')[0]!),
    ),
  ]
  t.ok(names.length > 12)
  for (const name of names) t.ok(known(name), name)
})

t.test('a restart depends on /health, traffic on /ready', async (t) => {
  const { startupProbe, livenessProbe, readinessProbe } = container()
  t.equal(livenessProbe.httpGet.path, '/health')
  t.equal(startupProbe.httpGet.path, '/health')
  t.equal(readinessProbe.httpGet.path, '/ready')
})

t.test('the command is a file of the package, and the mounted files exist', async (t) => {
  const { files } = JSON.parse(read('package.json')) as { readonly files: readonly string[] }
  for (const file of ['deploy/Dockerfile', 'deploy/systemd/grainline.service']) {
    const [, entry] = /node_modules\/grainline\/(config\/[\w.]+)/.exec(read(file)) ?? []
    t.ok(entry !== undefined && existsSync(path.join(root, entry)) && files.includes('config'), file)
  }
  for (const file of ['shop.sql', 'shop.yaml']) t.ok(readdirSync(path.join(root, 'deploy/sample')).includes(file))
  t.same(parseModelSync({ text: read('deploy/sample/shop.yaml') }).errors, [])
})

t.test('the version of the image is that of the packages', async (t) => {
  const { version } = JSON.parse(read('package.json')) as { readonly version: string }
  t.match(read('deploy/Dockerfile'), `ARG VERSION=${version}\n`)
  t.match(read('deploy/kubernetes/grainline.yaml'), `image: grainline:${version}\n`)
})

/** It also looks for the program that the unit starts. */
const hasSystemd = ['/usr/bin/systemd-analyze', '/usr/bin/node'].every((file) => existsSync(file))

t.test('systemd accepts the unit', { skip: !hasSystemd && 'systemd, or a Node in /usr/bin, is not installed' }, async (t) => {
  t.doesNotThrow(() => execFileSync('systemd-analyze', ['verify', path.join(root, 'deploy/systemd/grainline.service')]))
})

function container(): Container {
  const [deployment] = parseAllDocuments(read('deploy/kubernetes/grainline.yaml')).map((each) => each.toJS() as Deployment)
  return deployment!.spec.template.spec.containers[0]!
}

interface Deployment {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } }
}
