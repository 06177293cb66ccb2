// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is the syntax under test
import path from 'node:path'
import { createHost, readConfig } from '@grainline/core'
import t, { type Test } from 'tap'
import { NOBODY, refusalOf } from './support.js'

const PLUGIN = `
export default Object.assign(function probe (host, options) { globalThis.probed = options }, {
  [Symbol.for('plugin-meta')]: { name: 'NAME', host: '*', options: { type: 'object', properties: {} } },
})
`
const pluginFile = (name: string) => PLUGIN.replace('NAME', name)
const manifest = (name: string, version: string) =>
  JSON.stringify({ name, version, type: 'module', exports: { default: './index.js' } })
const none = () => undefined

/** The config of a YAML text, in its own folder. */
async function configOf(t: Test, yaml: string, variables: Record<string, string> = {}) {
  const folder = t.testdir({ 'config.yaml': yaml })
  return readConfig(path.join(folder, 'config.yaml'), (name) => variables[name])
}
t.test('${VAR:-default} is the variable, or the default if the variable is not set', async (t) => {
  const yaml = `
plugins:
  - use: acme
    with: { url: "\${ACME_URL:-http://here}", plain: "a\${ACME_URL:-b}c", raw: "$\${ACME_URL}" }
settings:
  MAX_SESSIONS: \${ACME_MAX:-5}
  QUERY_EXECUTE: \${ACME_ON:-false}
  DEFAULT_LOCALE: \${ACME_NONE:-}
`
  const unset = await configOf(t, yaml)
  t.match(unset.settings, { MAX_SESSIONS: 5, QUERY_EXECUTE: false, DEFAULT_LOCALE: null })
  t.match(unset.plugins[0], { with: { url: 'http://here', plain: 'abc', raw: '${ACME_URL}' } })
  const set = await configOf(t, yaml, { ACME_URL: 'x', ACME_MAX: '9', ACME_ON: 'true' })
  t.match(set.settings, { MAX_SESSIONS: 9, QUERY_EXECUTE: true })
  t.match(set.plugins[0], { with: { url: 'x', plain: 'axc' } })
})

t.test('a variable cannot change the shape of the document', async (t) => {
  const evil = 'a: {b: c} # "\n- d'
  const config = await configOf(t, 'plugins: []\nsettings: { DEFAULT_LOCALE: "${ACME}", ROOT_PATH: $ACME }\n', { ACME: evil })
  t.same(config.settings, { DEFAULT_LOCALE: evil, ROOT_PATH: '$ACME' })
})

t.test('loopbackSettings apply only while the server listens on a loopback address', async (t) => {
  const yaml = 'settings: { MAX_SESSIONS: 5, MODEL_SQL: deny }\nloopbackSettings: { MODEL_SQL: allow }\n'
  const sqlOf = async (variables: Record<string, string>, text = yaml) => (await configOf(t, text, variables)).settings?.MODEL_SQL
  t.equal(await sqlOf({}), 'allow', 'localhost is the default')
  for (const host of ['127.0.0.1', '::1', 'localhost']) t.equal(await sqlOf({ API_SERVER_HOST: host }), 'allow', host)
  for (const host of ['0.0.0.0', '::', '10.0.0.7', 'example.com']) t.equal(await sqlOf({ API_SERVER_HOST: host }), 'deny', host)
  t.equal(await sqlOf({}, `${yaml.replace('MAX_SESSIONS: 5', 'API_SERVER_HOST: 0.0.0.0')}`), 'deny')
})

t.test('a variable without a value and without a default is refused by name', async (t) => {
  await t.rejects(configOf(t, 'settings:\n  MAX_SESSIONS: ${ACME_MAX}\n'), {
    code: 'INVALID_CONFIG',
    message: /config\.yaml: \$\{ACME_MAX\} is used but ACME_MAX is not set/,
  })
})

t.test('a config file that is missing, malformed or of the wrong shape is refused with its name', async (t) => {
  await t.rejects(readConfig('/nowhere/config.yaml', none), {
    code: 'INVALID_CONFIG',
    message: /\/nowhere\/config\.yaml cannot be read/,
  })
  await t.rejects(configOf(t, 'plugins: [a\n'), { code: 'INVALID_CONFIG', message: /config\.yaml: .*line 2/s })
  await t.rejects(configOf(t, 'plugin: []\n'), {
    code: 'INVALID_CONFIG',
    message: /\/plugin: unknown option; did you mean 'plugins'/,
  })
  await t.rejects(configOf(t, 'preload: [{ session: a }]\n'), {
    code: 'INVALID_CONFIG',
    message: /\/preload\/0: must have required properties model/,
  })
})

t.test('packages resolve from the folder of the config first, paths from there too', async (t) => {
  const folder = t.testdir({
    node_modules: { 'acme-plugin': { 'package.json': manifest('acme-plugin', '1.2.3'), 'index.js': pluginFile('acme-plugin') } },
    local: { 'package.json': manifest('local', '0.0.1'), 'index.js': pluginFile('local-plugin') },
    'single.mjs': pluginFile('single-plugin'),
    'config.yaml': 'plugins: [acme-plugin, ./local, ./single.mjs]\n',
  })
  const host = await createHost(await readConfig(path.join(folder, 'config.yaml'), none), { environment: NOBODY })
  t.teardown(() => host.close())
  t.match(host.inspect().plugins.slice(1), [
    {
      name: 'acme-plugin',
      package: 'acme-plugin',
      version: '1.2.3',
      from: path.join(folder, 'node_modules/acme-plugin/index.js'),
    },
    { name: 'local-plugin', package: './local', version: '0.0.1', from: path.join(folder, 'local/index.js') },
    { name: 'single-plugin', package: './single.mjs', from: path.join(folder, 'single.mjs') },
  ])
})

t.test('the error for a package that cannot be loaded, or is not a plugin, names the package and the reason', async (t) => {
  const base = t.testdir({
    'broken.mjs': 'throw new Error("bad day")',
    'other.mjs': 'export default 3',
    node_modules: { esm: { 'package.json': '{"name":"esm","exports":{"import":"./index.js"}}', 'index.js': '' } },
  })
  t.match(await refusalOf({ plugins: ['./broken.mjs'], base }), { code: 'PLUGIN_LOAD_FAILED', message: /broken\.mjs: bad day/ })
  t.match(await refusalOf({ plugins: ['./other.mjs'], base }), {
    code: 'NOT_A_PLUGIN',
    message: /other\.mjs has no default export/,
  })
  t.match(await refusalOf({ plugins: ['./absent.mjs'], base }), {
    code: 'PLUGIN_NOT_FOUND',
    message: /no plugin at .*absent\.mjs/,
  })
  t.match(await refusalOf({ plugins: ['esm'], base }), { code: 'PLUGIN_LOAD_FAILED', message: /exports no "default" entry/ })
})

t.test('a package may export a preset: a list of plugins', async (t) => {
  const base = t.testdir({
    'one.mjs': pluginFile('one'),
    'two.mjs': pluginFile('two'),
    'preset.mjs': 'import one from "./one.mjs"; import two from "./two.mjs"; export default [one, [two], false]',
  })
  const host = await createHost({ plugins: ['./preset.mjs'], base }, { environment: NOBODY })
  t.teardown(() => host.close())
  t.same(
    host
      .inspect()
      .plugins.slice(1)
      .map(({ name }) => name),
    ['one', 'two'],
  )
})

t.test('the error for a missing preloaded model names its session', async (t) => {
  const host = await createHost(
    { plugins: [], preload: [{ session: 'flights', model: 'absent.yaml' }], base: '/nowhere' },
    { environment: NOBODY },
  )
  t.teardown(() => host.close())
  await t.rejects(host.start(), { code: 'INVALID_CONFIG', message: /session flights cannot be read.*\/nowhere\/absent\.yaml/ })
})
