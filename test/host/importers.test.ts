/** Models of another format, read by an importer of a plugin. */
import { createHost, definePlugin, type Importer } from '@grainline/core'
import t from 'tap'
import { lines } from '../../examples/plugin-kinds/importer.js'
import { hostOf } from '../interchange/host-of.js'

const own = {
  asker: undefined,
  model_yaml: 'version: 1\ndataObjects:\n  Orders:\n    code: orders\n    columns:\n      Id: { code: id, abstractType: int }\n',
}

t.test('a fault and a loss have their place in the text of the other format, and their advice works', async (t) => {
  const { service } = await hostOf(t, lines)
  const findings = (text: string) => service.validate({ asker: undefined, model_yaml: text, format: 'lines' })
  t.match(await findings('#lines\n\norders\n'), {
    valid: false,
    errors: [
      { code: 'IMPORT_FAILED', line: 3, column: 1, hint: 'Write orders: region, sum amount', context: { format: 'lines' } },
    ],
  })
  t.match(await findings('#lines\n# of 2026\norders: region, sum amount\n'), {
    valid: true,
    warnings: [{ code: 'IMPORT_LOSS', line: 2, column: 1, context: { format: 'lines', kind: 'refused' } }],
  })
  t.same(await findings('#lines\n\norders: region, sum amount\n'), { valid: true, errors: [], warnings: [] })
})

t.test('an error of the model is at the place of the nearest value that has one', async (t) => {
  const document = {
    version: 1,
    dataObjects: { Orders: { code: 'orders', columns: { Id: { code: 'id', abstractType: 'whole' } } } },
  }
  const place = { line: 7, column: 3 }
  const typed: Importer = {
    name: 'typed',
    detect: () => false,
    read: async () => ({ document, places: [{ path: ['dataObjects', 'Orders'], place }], losses: [] }),
  }
  const { service } = await hostOf(t, typed)
  const { errors } = await service.validate({ asker: undefined, model_yaml: 'anything', format: 'typed' })
  t.match(errors, [{ path: 'dataObjects.Orders.columns.Id.abstractType', line: 7, column: 3 }])
})

t.test('a file of another format is recognized, and others are read as before', async (t) => {
  const { service } = await hostOf(t, lines)
  const source = 'orders: region, sum amount\n'
  t.match(await service.validateFile({ source, file: '/models/orders.lines' }), { valid: true })
  t.match(await service.validateFile({ source, file: '/models/orders.yaml' }), { valid: false })
  t.match(await service.validateFile({ source: own.model_yaml, file: '/models/orders.yaml' }), { valid: true })
})

t.test('a text is another model in another format', async (t) => {
  const named = (name: string): Importer => ({
    ...lines,
    name,
    read: async () => ({
      document: { version: 1, dataObjects: { [name]: { code: name, columns: { Id: { code: 'id', abstractType: 'int' } } } } },
      places: [],
      losses: [],
    }),
  })
  const { service } = await hostOf(t, named('one'), named('two'))
  const { session_id: session } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
  for (const format of ['one', 'two']) {
    const { model } = await service.loadModel(session, { asker: undefined, model_yaml: 'x', format })
    t.same([...model.dataObjects.keys()], [format])
  }
})

t.test('the name of an unknown format is refused with the known ones', async (t) => {
  const { service } = await hostOf(t, lines)
  await t.rejects(service.validate({ ...own, format: 'line' }), {
    code: 'INVALID_REQUEST',
    path: 'format',
    message: /'line'.*lines/,
    details: { suggestions: ['lines'] },
  })
  const alone = await hostOf(t)
  await t.rejects(alone.service.validate({ ...own, format: 'lines' }), { message: /there: obml\)/ })
})

t.test('an importer that throws is named', async (t) => {
  const broken: Importer = { name: 'broken', detect: () => false, read: () => Promise.reject(new Error('no stack')) }
  const { service } = await hostOf(t, broken)
  await t.rejects(service.validate({ ...own, format: 'broken' }), { code: 'PLUGIN_FAILED', message: /'broken'.*no stack/ })
})

t.test('a plugin that still registers at host.formats is told the new name', async (t) => {
  const old = definePlugin({
    name: 'old',
    host: '*',
    setup: (host) => (host as unknown as { formats: { register(format: object): void } }).formats.register({ name: 'x' }),
  })
  await t.rejects(createHost({ plugins: [old] }), /host\.formats is now host\.encodings/)
})
