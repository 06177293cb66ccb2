/** `POST /v1/convert` without a format: the text itself shows it. */
import t from 'tap'
import { readProject } from '../../core/src/service/project.js'
import { oneIn } from '../support/amount.js'
import { textOf } from './foreign-texts.js'
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

t.test('a text that is read in another format than its own is an error, which names its own', async (t) => {
  const { service } = await hostOf(t, ...others.map(({ importer }) => importer))
  const { session_id: sessionId } = await service.createSession({ metadata: {}, client: 'a', by: undefined })
  // Of each format that is named, one in two texts of a format.
  for (const { importer, texts } of FORMATS)
    for (const model_yaml of oneIn(2, texts))
      for (const format of [...FORMATS.map((each) => each.importer.name), undefined]) {
        if (format === importer.name || (format === undefined && importer.name === 'obml')) continue
        const says = `${importer.name} as ${format ?? 'a model'}`
        const hint = importer.name === 'obml' ? /name no format/ : new RegExp(`looks like the format '${importer.name}'`)
        const request = { asker: undefined, model_yaml, ...(format && { format }) }
        t.match((await service.validate(request)).errors?.[0], { hint }, `${says}: validated`)
        const loaded = await service.loadModel(sessionId, request).catch(({ details }) => details.findings[0])
        t.match(loaded, { hint }, `${says}: loaded`)
        if (format === undefined) continue
        const converted = await service.convert(request).catch((error) => error)
        t.match(converted.errors?.[0] ?? converted.details?.findings?.[0], { hint }, `${says}: converted`)
      }
})

t.test('a folder without files of a format names the format that its files show', async (t) => {
  const importers = others.map(({ importer }) => importer)
  const named = (name: string) => {
    const found = importers.find((importer) => importer.name === name)
    if (!found) throw new Error(name)
    return found
  }
  const folder = t.testdir({
    views: { 'a.lkml': textOf('lookml/shop.lkml') },
    cubes: { 'a.yml': textOf('cube/shop.yml') },
    none: { 'a.txt': '' },
  })
  const refusal = (name: string, format: string) => readProject(`${folder}/${name}`, named(format), importers)
  t.match(await refusal('views', 'dbt'), {
    refused: /has no files of the format dbt; its files look like the format lookml: name it/,
  })
  t.match(await refusal('cubes', 'tmdl'), { refused: /its files look like the format cube: name it/ })
  t.same(await refusal('none', 'dbt'), { refused: 'has no files of the format dbt.' })
})
