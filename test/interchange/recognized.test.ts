/** `POST /v1/convert` without a format: the text itself shows it. */
import t from 'tap'
import { FORMATS } from './formats.js'
import { hostOf } from './host-of.js'

const others = FORMATS.filter(({ importer }) => importer.name !== 'obml')

t.test('a text of each format is read as if its format was named', async (t) => {
  const { service } = await hostOf(t, ...others.map(({ importer }) => importer))
  for (const { importer, texts } of others)
    for (const model_yaml of texts) {
      const request = { asker: undefined, model_yaml }
      t.same(await service.convert(request), await service.convert({ ...request, format: importer.name }), importer.name)
    }
})

t.test('a model of this server, and a text of no format, need the format of the result', async (t) => {
  const { service } = await hostOf(t, ...others.map(({ importer }) => importer))
  for (const model_yaml of ['dataObjects: {}', 'hello', ''])
    await t.rejects(service.convert({ asker: undefined, model_yaml }), { code: 'INVALID_REQUEST', path: 'to' }, model_yaml)
})
