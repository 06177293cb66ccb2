/**
 * Applies the advice of errors at the start: each names its cause, its place and what to do, and the start succeeds after that. The cases
 * are data: a valid config, one change that breaks it, and the change that the error suggests.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createHost, GrainlineError, readConfig, silentLogger } from '@grainline/core'
import t, { type Test } from 'tap'

// Like the result of definePlugin(); a module outside of the bundle of this test would import a second core.
const plugin = (meta: string, setup: string) => `const setup = (host) => ${setup}
export default Object.assign(setup, { [Symbol.for('skip-override')]: true, [Symbol.for('plugin-meta')]: ${meta} })
`
const half = "name: 'half', arity: [1, 1], result: ([type]) => type, meaning: 'half of a number', spellings: {}"
const SOUND = {
  'config.yaml': `plugins:
  - '@grainline/dialect-duckdb'
  - { use: '@grainline/vendor-duckdb', with: { tables: {} } }
  - ./half.mjs
settings:
  MAX_SESSIONS: 7
  DB_VENDOR: duckdb
preload: [{ session: shop, model: shop.yaml }]
`,
  'half.mjs': plugin(`{ name: 'half', host: '*' }`, `host.functions.register({ ${half} })`),
  // Not listed.
  'other.mjs': plugin(`{ name: 'other', host: '*' }`, `host.functions.register({ ${half} })`),
  'shop.yaml': 'dataObjects: { Sales: { code: sales, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }\n',
}
const unset = () => undefined
let folders = 0
type File = keyof typeof SOUND
type Edit = readonly [file: File, was: string, is: string]

interface HostFault {
  readonly spoil: Edit
  readonly code: string
  /** Patterns for the cause and its place. */
  readonly says: readonly RegExp[]
  /** A pattern for the advice, in the message or its hint. */
  readonly advice: RegExp
  /** The replacement of the broken part; by default the valid text. */
  readonly fix?: string
}

const FAULTS: readonly HostFault[] = [
  {
    spoil: ['config.yaml', './half.mjs', './hlaf.mjs'],
    code: 'PLUGIN_NOT_FOUND',
    says: [/hlaf\.mjs/],
    advice: /did you mean 'half\.mjs'/,
  },
  {
    spoil: ['config.yaml', './half.mjs', "'@grainline/dialect-postgrs'"],
    code: 'PLUGIN_NOT_FOUND',
    says: [/@grainline\/dialect-postgrs is not installed/],
    advice: /did you mean '@grainline\/dialect-postgres'/,
    fix: "'@grainline/dialect-postgres'",
  },
  {
    spoil: ['config.yaml', './half.mjs', 'half'],
    code: 'PLUGIN_NOT_FOUND',
    says: [/half is not installed/],
    advice: /\.\/half\.mjs/,
  },
  {
    spoil: ['half.mjs', 'export default', 'export const half ='],
    code: 'NOT_A_PLUGIN',
    says: [/half\.mjs/],
    advice: /no default export made with definePlugin\(\)/,
  },
  {
    spoil: ['half.mjs', "host: '*'", "host: '^9.0.0'"],
    code: 'HOST_VERSION',
    says: [/half/, /\^9\.0\.0/],
    advice: /0\.1\.0/,
    fix: "host: '^0.1.0'",
  },
  {
    spoil: ['half.mjs', 'arity: [1, 1], ', ''],
    code: 'PLUGIN_FAILED',
    says: [/half/],
    advice: /arity.*a pair of numbers, \[least, most\]/,
  },
  {
    spoil: ['half.mjs', "host: '*'", "host: '*', dependencies: ['@grainline/dialect-postgres']"],
    code: 'MISSING_DEPENDENCY',
    says: [/half/],
    advice: /@grainline\/dialect-postgres/,
    fix: "host: '*', dependencies: ['@grainline/dialect-duckdb']",
  },
  {
    spoil: ['config.yaml', '  - ./half.mjs', '  - ./half.mjs\n  - ./half.mjs'],
    code: 'DUPLICATE_PLUGIN',
    says: [/half/],
    advice: /twice|once/,
  },
  {
    spoil: ['half.mjs', 'const setup', "import 'acme-halves'\nconst setup"],
    code: 'PLUGIN_LOAD_FAILED',
    says: [/half\.mjs could not be loaded/, /acme-halves/],
    advice: /Correct the module, or leave the plugin out of the config/,
  },
  {
    spoil: ['half.mjs', "host: '*'", "host: '*', dependencies: ['half']"],
    code: 'PLUGIN_CYCLE',
    says: [/half -> half/],
    advice: /Remove one of these dependencies/,
  },
  {
    spoil: ['config.yaml', '  - ./half.mjs', '  - ./half.mjs\n  - ./other.mjs'],
    code: 'DUPLICATE_EXTENSION',
    says: [/'half' is registered twice: by half and by other/],
    advice: /Leave one of the two plugins out of the config/,
  },
  {
    spoil: ['config.yaml', 'settings:', 'setings:'],
    code: 'INVALID_CONFIG',
    says: [/config\.yaml/, /\/setings/],
    advice: /did you mean 'settings'/,
  },
  {
    spoil: ['config.yaml', 'with: { tables: {} }', 'with: { tabels: {} }'],
    code: 'INVALID_OPTIONS',
    says: [/vendor-duckdb/, /\/tabels/],
    advice: /did you mean 'tables'/,
  },
  {
    spoil: ['config.yaml', 'MAX_SESSIONS: 7', 'MAX_SESIONS: 7'],
    code: 'INVALID_CONFIG',
    says: [/MAX_SESIONS/],
    advice: /did you mean 'MAX_SESSIONS'/,
  },
  {
    spoil: ['config.yaml', 'MAX_SESSIONS: 7', 'MAX_SESSIONS: many'],
    code: 'INVALID_VARIABLE',
    says: [/MAX_SESSIONS/, /'many'/, /config/],
    advice: /a whole number of at least 1/,
    fix: 'MAX_SESSIONS: 1',
  },
  {
    spoil: ['config.yaml', 'DB_VENDOR: duckdb', 'DB_VENDOR: dukdb'],
    code: 'INVALID_VARIABLE',
    says: [/DB_VENDOR/, /'dukdb'/],
    advice: /duckdb(?!.*dukdb)/,
  },
  {
    spoil: ['config.yaml', 'MAX_SESSIONS: 7', `MAX_SESSIONS: ${'$'}{ACME_MAX}`],
    code: 'INVALID_CONFIG',
    says: [/config\.yaml/, /ACME_MAX is not set/],
    advice: /\$\{ACME_MAX:-/,
    fix: `MAX_SESSIONS: ${'$'}{ACME_MAX:-7}`,
  },
  {
    spoil: ['config.yaml', 'model: shop.yaml', 'model: shpo.yaml'],
    code: 'INVALID_CONFIG',
    says: [/session shop/, /shpo\.yaml/],
    advice: /did you mean 'shop\.yaml'/,
  },
  {
    spoil: ['config.yaml', 'settings:', '  settings:'],
    code: 'INVALID_CONFIG',
    says: [/config\.yaml/, /line \d/],
    advice: /indent|column|map/i,
  },
  {
    spoil: ['shop.yaml', 'abstractType: int', 'abstractType: itn'],
    code: 'MODEL_INVALID',
    says: [/shop\.yaml/, /abstractType/],
    advice: /did you mean 'int'/,
  },
]

t.test('the valid config of the tests below starts', async (t) => {
  await starts(t, SOUND)
})

for (const { spoil, code, says, advice, fix } of FAULTS)
  t.test(`${spoil[1]} → ${spoil[2] || 'nothing'}: ${code}`, async (t) => {
    const [file, was, is] = spoil
    const spoiled = { ...SOUND, [file]: replaced(SOUND[file], was, is) }
    const said = await refusalOf(t, spoiled)
    t.equal(said.code, code, said.text)
    for (const sentence of says) t.match(said.text, sentence)
    t.match(said.text, advice)
    await starts(t, { ...SOUND, [file]: replaced(SOUND[file], was, fix ?? was) })
  })

t.test('PLUGIN_LOAD_FAILED: without the plugin in the config the rest starts', async (t) => {
  const broken = { ...SOUND, 'half.mjs': SOUND['half.mjs'].replace('const setup', "import 'acme-halves'\nconst setup") }
  t.match(await refusalOf(t, broken), { code: 'PLUGIN_LOAD_FAILED', text: /or leave the plugin out of the config/ })
  await starts(t, { ...broken, 'config.yaml': SOUND['config.yaml'].replace('  - ./half.mjs\n', '') })
})

t.test('a missing config is reported with a similar file', async (t) => {
  const folder = t.testdir(SOUND)
  await t.rejects(readConfig(path.join(folder, 'confg.yaml'), unset), {
    code: 'INVALID_CONFIG',
    message: /there is no file .*confg\.yaml; did you mean 'config\.yaml'/,
  })
  await t.rejects(readConfig(folder, unset), { code: 'INVALID_CONFIG', message: /is a folder/ })
})

t.test('UNKNOWN_EXTENSION and REGISTRY_CLOSED: the advice to the plugin works', async (t) => {
  const files = (setup: string) => ({ ...SOUND, 'half.mjs': plugin(`{ name: 'half', host: '*' }`, `{ ${setup} }`) })
  const registers = `host.functions.register({ ${half} })`
  const unknown = await refusalOf(t, files(`${registers}; host.onReady(() => host.dialects.get('dukdb'))`))
  t.match(unknown, { code: 'UNKNOWN_EXTENSION', text: /No 'dukdb' is registered at dialects.*did you mean 'duckdb'/ })
  await starts(t, files(`${registers}; host.onReady(() => host.dialects.get('duckdb'))`))
  const late = await refusalOf(t, files(`host.onReady(() => ${registers})`))
  t.match(late, {
    code: 'REGISTRY_CLOSED',
    text: /half registers 'half' at functions after the host is ready; register in setup/,
  })
  await starts(t, files(registers))
})

type Files = Readonly<Record<string, string>>

/** Each in a separate folder, because modules are imported once. */
async function open(t: Test, files: Files) {
  const folder = path.join(t.testdir(), `${folders++}`)
  mkdirSync(folder)
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const config = await readConfig(path.join(folder, 'config.yaml'), unset)
  const host = await createHost(config, { environment: { process: {}, dotenv: {} }, logger: silentLogger })
  t.teardown(() => host.close())
  await host.start()
}

async function starts(t: Test, files: Files): Promise<void> {
  await t.resolves(open(t, files))
}

async function refusalOf(t: Test, files: Files): Promise<{ readonly code: string; readonly text: string }> {
  try {
    await open(t, files)
  } catch (error) {
    if (!(error instanceof GrainlineError)) throw error
    const { hint = '', findings = [] } = error.details
    return { code: error.code, text: [error.message, hint, ...findings.map((f) => `${f.message} ${f.path}`)].join('\n') }
  }
  throw new Error('it starts')
}

function replaced(text: string, was: string, is: string): string {
  if (!text.includes(was)) throw new Error(`nothing to replace: ${was}`)
  return text.replace(was, () => is)
}
