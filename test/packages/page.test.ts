/** The web page is built before it is published, so an installation of the server contains none of its libraries. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

const root = path.resolve(import.meta.dirname, '../..')
const PARTS = /^(react|react-dom|@mantine\/|@codemirror\/|@observablehq\/|@tabler\/|@xyflow\/)/

interface Locked {
  readonly resolved?: string
  readonly link?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}
const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>
}

/** Where a package finds another one: beside it, or in a folder above. */
function found(name: string, from: string): string | undefined {
  for (let at = from; ; at = at.includes('/') ? at.slice(0, at.lastIndexOf('/')) : '') {
    const place = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (packages[place]) return place
    if (at === '') return undefined
  }
}

/** The names of all packages that are installed with a package. */
function installedWith(names: readonly string[], from: string, known = new Set<string>()): ReadonlySet<string> {
  for (const name of names) {
    const place = found(name, from)
    if (place === undefined || known.has(name)) continue
    known.add(name)
    const { link, resolved = '', dependencies = {} } = packages[place]!
    const folder = link ? resolved : place
    installedWith(Object.keys(link ? (packages[folder]?.dependencies ?? {}) : dependencies), folder, known)
  }
  return known
}

t.test('no library of the web page is installed with the server', async (t) => {
  const installed = installedWith(Object.keys(packages['']?.dependencies ?? {}), '')
  t.ok(installed.has('@grainline/surface-ui') && installed.has('fastify'), 'the walk finds the page and what a server needs')
  t.same(
    [...installed].filter((name) => PARTS.test(name)),
    [],
  )
})

t.test('the libraries of the web page are found when it is built', async (t) => {
  const built = installedWith(Object.keys(packages['plugins/surface-ui']?.devDependencies ?? {}), 'plugins/surface-ui')
  t.ok([...built].filter((name) => PARTS.test(name)).length > 5)
})
