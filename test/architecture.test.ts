import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'

/**
 * The layers, top to bottom: a module imports from its own layer or from a lower one. `result` has the types of batches, which the resolver
 * already uses; every folder may import `settings` and `errors`.
 */
const LAYERS = [
  ['index', 'compiler', 'dialect', 'vendor', 'surface', 'format', 'testing', 'unstable', 'http', 'cli', 'conformance'],
  ['host', 'fastify'],
  ['service'],
  ['model-tests'],
  ['verify'],
  ['session', 'cache', 'auth'],
  ['language'],
  ['execute'],
  ['discovery', 'reference'],
  ['compile'],
  ['sql'],
  ['plan'],
  ['bind'],
  ['resolve'],
  ['relation'],
  ['query'],
  ['result'],
  ['model'],
  ['settings'],
  ['time-zones'],
  [
    'errors',
    'error-catalog',
    'fair-line',
    'fair-shares',
    'grouped',
    'hidden-name',
    'immutable',
    'install-command',
    'finished',
    'invariant',
    'lately-asked',
    'nearest',
    'logger',
    'lru',
    'once',
    'once-for-both',
    'point',
    'printable',
    'process-beside',
    'same',
    'sha256',
    'telemetry',
    'utf8-length',
    'weak-pairs',
    'words',
    'work',
    'workers',
    'without-hidden-error',
  ],
] as const

/** Only types, no code at run time: the contracts of the extension points, which are beside their registries. */
const CONTRACTS = 'core/src/host/points'

/** Where a product's name may occur in the core, and why. */
const NAMED: Readonly<Record<string, string>> = {
  'core/src/settings/core-variables.ts':
    "the interface specification gives DB_VENDOR the default 'duckdb' and names the surfaces' variables",
  'core/src/settings/rules.ts': 'a rule of the interface specification names the variables of the surface it is about',
  'core/src/cli/connect/protocol.ts': 'BI tools name the protocol by which they reach a model',
  'core/src/service/choose-dialect.ts': "the interface specification ends its order of dialects with 'postgres'",
}
const PRODUCTS =
  /\b(duckdb|postgres(ql)?|pgwire|mysql|mariadb|clickhouse|snowflake|bigquery|databricks|dremio|trino|sqlite|redshift|motherduck)\b/i

/** Packages that several plugins share and the core does not need. */
const PACKAGES: ReadonlySet<string> = new Set([
  '@grainline/flight-sql',
  '@grainline/client',
  '@grainline/language',
  '@grainline/compiler',
  '@grainline/eval',
])

const IMPORT = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^'\n]+)'|\bimport\('([^'\n]+)'\)/g

interface Import {
  readonly from: string
  readonly to: string
  readonly typeOnly: boolean
}

const root = path.resolve(import.meta.dirname, '..')
const core = sources('core/src')
const packages = sources('packages')
const plugins = sources('plugins')
const examples = sources('examples')

t.test('the scan finds the imports that it checks', async (t) => {
  t.ok(core.length > 50, `${core.length} modules in the core`)
  t.ok(core.flatMap(importsOf).length > core.length, 'with their imports')
})

t.test('every folder of the core is in the list of layers', async (t) => {
  for (const file of core) t.ok(layerOf(file) >= 0, file)
})

t.test('imports in the core point only down the line', async (t) => {
  const upward = core.flatMap(importsOf).filter(({ from, to, typeOnly }) => {
    if (!to.startsWith('core/src/') || (typeOnly && to === CONTRACTS)) return false
    return layerOf(to) < layerOf(from)
  })
  t.same(upward.map(spell), [])
})

t.test('plan cannot fail: it reads neither errors nor the join graph', async (t) => {
  const needs = core.flatMap(importsOf).filter(({ from, to }) => {
    return (
      from.startsWith('core/src/plan/') &&
      ['core/src/errors', 'core/src/resolve/join-graph', 'core/src/resolve/locate'].includes(to)
    )
  })
  t.same(needs.map(spell), [])
})

/** Where models are loaded, kept, sent between workers and removed; the last one hands out views of them. */
const KEEP_MODELS = [
  'across-workers',
  'create-service',
  'model-reader',
  'models',
  'preload-models',
  'reload-models',
  'visits',
  'resolve-model',
]

t.test('only rules read what a dialect says of speed', async (t) => {
  const isRule = (file: string): boolean => /^core\/src\/(plan|sql|bind)\/rules\//.test(file)
  // The records of a dialect, and the line that hands them to the drivers.
  const holders = [
    'core/src/compile.ts',
    'core/src/dialect.ts',
    'core/src/sql/dialect.ts',
    'core/src/sql/ansi.ts',
    'core/src/plan/planner-hints.ts',
  ]
  const readers = core.filter((file) => /planner-hints\.js|\.planner\b|\bhints\.\w/.test(read(file)))
  t.same(
    readers.filter((file) => !isRule(file) && !holders.includes(file)),
    [],
  )
  t.ok(readers.some(isRule))
})

t.test('each rule says its law above its code', async (t) => {
  for (const list of [
    'core/src/plan/rules/plan-rules.ts',
    'core/src/sql/rules/statement-rules.ts',
    'core/src/bind/request-rules.ts',
  ]) {
    const imported = [...read(list).matchAll(/^import \{ (\w+) \} from '(\..*)\.js'$/gm)].filter(([, name]) => name !== 'fail')
    const rules = imported.map(
      ([, name = '', from = '']) => [name, read(path.posix.join(path.posix.dirname(list), `${from}.ts`))] as const,
    )
    for (const [name, text] of rules.filter(([one]) => /Fault$|^isSame$/.test(one) === false))
      t.match(text, new RegExp(`\\*/\\nexport (const|function) ${name}\\b`), `${list}: ${name}`)
  }
})

t.test('models leave the service as views, and through one module', async (t) => {
  const all = [...core, ...plugins].flatMap(importsOf)
  const views = all.filter(({ to, typeOnly }) => to === 'core/src/service/view-of' && !typeOnly)
  t.same(
    views.map(({ from }) => from),
    ['core/src/service/resolve-model.ts'],
  )
  const keeping = all.filter(({ to }) => to === 'core/src/service/model-library').map(({ from }) => path.basename(from, '.ts'))
  t.same([...new Set(keeping)].sort(), KEEP_MODELS.toSorted())
  const parsing = plugins.filter((file) => file.startsWith('plugins/surface-') && /\bparseModel/.test(read(file)))
  t.same(parsing, [], 'a surface parses no model')
})

t.test('no module depends on itself, not even for a type', async (t) => {
  const modules = new Map(
    [...core, ...packages, ...plugins, ...examples].map((file) => [file.replace(/\.ts$/, ''), importsOf(file).map((i) => i.to)]),
  )
  const finished = new Set<string>()
  const circles: string[] = []
  const visit = (module: string, trail: readonly string[]): void => {
    if (finished.has(module)) return
    if (trail.includes(module)) return void circles.push([...trail.slice(trail.indexOf(module)), module].join(' → '))
    for (const next of modules.get(module) ?? []) visit(next, [...trail, module])
    finished.add(module)
  }
  for (const module of modules.keys()) visit(module, [])
  t.same(circles, [])
})

t.test('the core reaches no plugin, example or test', async (t) => {
  const strays = core.flatMap(importsOf).filter(({ from, to }) => {
    // The command line is a client of servers.
    if (to === '@grainline/client') return !from.startsWith('core/src/cli/')
    return /^(packages|plugins|examples|test|config)\/|^@grainline\//.test(to)
  })
  t.same(strays.map(spell), [])
})

t.test(
  'plugins do not import each other and use only the public entries of the core and the packages; a dialect may extend a related one, importers share a reader, and the compiler contains dialects',
  async (t) => {
    const strays = [...packages, ...plugins].flatMap(importsOf).filter(({ from, to }) => {
      if ((isDialect(from) || from.startsWith('packages/compiler/')) && /^@grainline\/dialect-[a-z]+$/.test(to)) return false
      if (from.startsWith('plugins/importer-') && to === '@grainline/importer-dbt/foreign') return false
      if (to.startsWith('@grainline/')) return !isDoor(to) && !PACKAGES.has(to)
      return /^(core|packages|plugins|examples|test|config)\//.test(to) && packageOf(to) !== packageOf(from)
    })
    t.same(strays.map(spell), [])
  },
)

t.test(
  'what a third party can write is written on stable names: no plugin, package or example imports `unstable`, not even in a test',
  async (t) => {
    const written = ['packages', 'plugins', 'examples'].flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/\.d\.ts$|(^|\/)(node_modules|dist)\//.test(file))
        .map((file) => path.posix.join(folder, file)),
    )
    t.same(
      written.filter((file) => read(file).includes('@grainline/core/unstable')),
      [],
    )
  },
)

t.test('a name at `/surface` belongs to the contract of surfaces, or a surface, an example or a page uses it', async (t) => {
  const sections = read('docs/reference/api/surface.md').matchAll(/^## (\S+)\n[\s\S]*?```ts\n([\s\S]*?)\n```/gm)
  const declarations = new Map([...sections].map(([, name = '', declaration = '']) => [name, declaration]))
  const texts = [...packages, ...plugins, ...examples, 'docs/plugins/surface.md', 'docs/plugins/authenticator.md'].map(read)
  const imported = texts.flatMap((text) =>
    [...text.matchAll(/\{([^{}]*)\} from '@grainline\/core\/surface'/g)].map((found) => found[1]),
  )
  const needed = new Set<string>()
  // What a declaration names is needed with it.
  const need = (text: string): void => {
    for (const [word] of text.matchAll(/\w+/g)) {
      const declaration = declarations.get(word)
      if (declaration === undefined || needed.has(word)) continue
      needed.add(word)
      need(declaration)
    }
  }
  need(['Surface Authenticator SurfaceContext', ...imported].join(' '))
  // A route declares the first in its `config`; the second is what a compiled query of `@grainline/core` explains.
  need('Deprecation Explain')
  t.same(
    [...declarations.keys()].filter((name) => !needed.has(name)),
    [],
  )
})

t.test('examples that are packages use the public entries, too', async (t) => {
  const strays = examples.flatMap(importsOf).filter(({ to }) => /^(core|plugins)\/|^@grainline\/core\/src/.test(to))
  t.same(strays.map(spell), [])
})

t.test('the core names no dialect, vendor or surface', async (t) => {
  const named = core.filter((file) => !(file in NAMED)).filter((file) => PRODUCTS.test(read(file)))
  t.same(named, [])
})

t.test('every file on the list of exceptions still names a product', async (t) => {
  for (const [file, reason] of Object.entries(NAMED)) t.ok(core.includes(file) && PRODUCTS.test(read(file)), `${file}: ${reason}`)
})

function sources(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/\.(test|d)\.ts$|(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => path.posix.join(folder, file))
    .toSorted()
}

function read(file: string): string {
  return readFileSync(path.join(root, file), 'utf8')
}

/** Relative imports are returned as paths from the root without extension, packages by their name. */
function importsOf(file: string): Import[] {
  return [...read(file).matchAll(IMPORT)].map(([, type, static_, lazy]) => {
    const target = static_ ?? lazy ?? ''
    const to = target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target).replace(/\.(js|ts)$/, '') : target
    return { from: file, to, typeOnly: type !== undefined }
  })
}

function layerOf(file: string): number {
  const name = file.replace('core/src/', '').split(/[/.]/)[0] ?? ''
  return LAYERS.findIndex((layer) => (layer as readonly string[]).includes(name))
}

const isDialect = (file: string): boolean => file.startsWith('plugins/dialect-')
const isDoor = (name: string): boolean =>
  /^@grainline\/core(\/(dialect|vendor|surface|language|format|testing|http|compiler|fastify|cli))?$/.test(name)
const packageOf = (file: string): string => file.split('/').slice(0, 2).join('/')
const spell = ({ from, to }: Import): string => `${from} → ${to}`
