/** Models written in another format, by an exporter of a plugin. */
import path from 'node:path'
import { createHost, definePlugin, type Exporter, type Importer } from '@grainline/core'
import { main } from '@grainline/core/cli'
import t, { type Test } from 'tap'
import { parse } from 'yaml'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const MODEL = `version: 1
dataObjects:
  Orders: { code: orders, columns: { Amount: { code: amount, abstractType: float } } }
dimensions:
  Size: { dataObject: Orders, column: Amount }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }] }
`

/** Writes the names of measures; a dimension is refused, and access rules are lost. */
const names: Exporter = {
  name: 'names',
  write: async ({ document }) => {
    const { measures = {}, dimensions = {}, access } = document
    if (Object.keys(measures).length === 0)
      return { faults: [{ message: 'The model has no measure.', hint: 'Add measures.', path: ['measures'] }] }
    return {
      content: { yaml: { names: Object.keys(measures) } },
      written: Object.keys(measures).map((name) => ['measures', name]),
      losses: [
        ...Object.keys(dimensions).map((name) => ({
          ...{ kind: 'refused' as const, path: ['dimensions', name] },
          message: `'${name}' is left out.`,
        })),
        ...(access ? [{ kind: 'refused' as const, path: ['access'], message: 'The rules are left out.', isSecurity: true }] : []),
      ],
    }
  },
}

const foreign: Importer = {
  name: 'foreign',
  detect: ({ text }) => text.startsWith('#foreign'),
  read: async () => ({
    document: parse(MODEL),
    places: [{ path: ['dimensions', 'Size'], place: { line: 7, column: 3 } }],
    losses: [{ kind: 'inert', message: 'A note is kept.', place: { line: 2, column: 1 } }],
  }),
}

async function serviceOf(t: Test, exporter = names) {
  const plugin = definePlugin({
    name: 'both',
    host: '*',
    setup(host) {
      host.exporters.register(exporter)
      host.importers.register(foreign)
    },
  })
  const host = await createHost({ plugins: [plugin] })
  t.teardown(() => host.close())
  return host.service
}

/** What to do about a line that says nothing of its own. */
const BY_HAND = 'Add it to the result by hand, or change the text.'

t.test('a model is written with its counts, and a loss has its path and its place in the text', async (t) => {
  const service = await serviceOf(t)
  const converted = await service.convert({ asker: undefined, model_yaml: MODEL, to: 'names' })
  t.same(converted, {
    text: 'names:\n  - Revenue\n',
    counts: { exact: 1, rewritten: 0, inert: 0, refused: 1 },
    losses: [{ kind: 'refused', message: "'Size' is left out.", hint: BY_HAND, line: 5, column: 3, path: 'dimensions.Size' }],
    warnings: [],
  })
})

t.test('a text of another format is written in a third one, with both lists', async (t) => {
  const service = await serviceOf(t)
  for (const format of ['foreign', undefined])
    t.match(await service.convert({ asker: undefined, model_yaml: '#foreign', format, to: 'names' }), {
      counts: { exact: 1, inert: 1, refused: 1 },
      losses: [
        { kind: 'inert', line: 2 },
        { kind: 'refused', path: 'dimensions.Size', line: 7 },
      ],
    })
})

t.test('a fault of an export has its place in the text, and its advice works', async (t) => {
  const service = await serviceOf(t)
  const convert = (model_yaml: string) => service.convert({ asker: undefined, model_yaml, to: 'names' })
  const empty = MODEL.slice(0, MODEL.indexOf('measures:'))
  await t.rejects(convert(`${empty}measures: {}\n`), {
    code: 'MODEL_INVALID',
    details: { findings: [{ code: 'EXPORT_FAILED', path: 'measures', line: 6, hint: 'Add measures.' }] },
  })
  t.match(await convert(MODEL), { text: 'names:\n  - Revenue\n' })
})

t.test('access rules are refused, unless they are dropped by name', async (t) => {
  const service = await serviceOf(t)
  const request = { asker: undefined, model_yaml: `${MODEL}access: { fields: [{ hide: [Size] }] }\n`, to: 'names' }
  await t.rejects(service.convert(request), {
    code: 'MODEL_INVALID',
    details: { findings: [{ code: 'EXPORT_FAILED', path: 'access', line: 8, hint: /drop_security/ }] },
  })
  t.match(await service.convert({ ...request, drop_security: true }), { text: /Revenue/, counts: { refused: 2 } })
})

t.test('an unknown name, no name, an invalid model and a failure have their errors', async (t) => {
  const service = await serviceOf(t)
  const convert = (request: object) => service.convert({ asker: undefined, model_yaml: MODEL, ...request })
  await t.rejects(convert({ to: 'name' }), { code: 'INVALID_REQUEST', details: { path: 'to', suggestions: ['names'] } })
  await t.rejects(convert({}), { code: 'INVALID_REQUEST', message: /format/ })
  await t.rejects(convert({ model_yaml: 'version: 1\nmeasures: 7\n', to: 'names' }), { code: 'MODEL_INVALID' })
  const failing = await serviceOf(t, { name: 'names', write: async () => Promise.reject(new Error('no paper')) })
  await t.rejects(failing.convert({ asker: undefined, model_yaml: MODEL, to: 'names' }), {
    code: 'PLUGIN_FAILED',
    message: /'names' failed: no paper/,
  })
  const wrong = definePlugin({ name: 'wrong', host: '*', setup: (host) => host.exporters.register({ name: 'x' } as Exporter) })
  await t.rejects(createHost({ plugins: [wrong] }), { message: /'write' must be a function/ })
})

t.test('grainline convert --to writes a file, with the models that it extends', async (t) => {
  const plugin = `export default Object.assign((host) => host.exporters.register({
    name: 'names', write: async ({ document }) => ({ content: { text: Object.keys(document.measures).join() }, written: [['measures', 'Revenue']],
      losses: [{ kind: 'refused', path: ['dimensions', 'Size'], message: 'A dimension is left out.' }] })
  }), { [Symbol.for('plugin-meta')]: { name: 'names', host: '*' } })`
  const more = 'measures:\n  More: { aggregation: count, columns: [{ dataObject: Orders, column: Amount }] }\n'
  const cwd = t.testdir({
    'own.mjs': plugin,
    'config.yaml': "plugins: ['./own.mjs']\n",
    'model.yaml': `${MODEL}extends: [more.yaml]\n`,
    'more.yaml': more,
  })
  const { stdout, stderr, written } = streamsThatKeep()
  const args = ['convert', 'model.yaml', '--to', 'names', '--config', path.join(cwd, 'config.yaml')]
  t.equal(await main(args, { stdout, stderr, cwd, env: {} }), 4)
  t.equal(written().out, 'Revenue,More')
  t.equal(
    written().err,
    `model.yaml:5:3: refused: A dimension is left out. ${BY_HAND}\n1 exact, 0 rewritten, 0 inert, 1 refused\n`,
  )
})
