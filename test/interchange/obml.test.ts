/** Models in OBML: documents of this server, with a list of the keys that are not known here. */

import t from 'tap'
import { parse, stringify } from 'yaml'
import type { ConvertRequest } from '../../core/src/service/conversion.js'
import { PART } from '../support/amount.js'
import { anyModel, modelsAsked } from './any-model.js'
import { readsBroken } from './broken.js'
import { FORMATS } from './formats.js'
import { hostOf } from './host-of.js'

t.setTimeout(600_000)

const TEXT = `version: 1.0
name: shop
customExtensions: [{ vendor: ACME, data: dark }]
dataObjects:
  Orders:
    code: orders
    lineage: warehouse
    columns:
      Id: { code: id, abstractType: int, primaryKey: true, fancy: 1 }
      Amount: { code: amount, abstractType: float }
dimensions:
  Order: { dataObject: Orders, column: Id, customExtensions: [{ vendor: ACME, data: bold }] }
measures:
  Revenue: { aggregation: sum, columns: [{ dataObject: Orders, column: Amount }], typo: { deep: 1 } }
`

t.test('a document is the same model; keys that are not known are left out with a line each', async (t) => {
  const { service } = await hostOf(t)
  const { model_yaml: text = '', losses, counts, warnings } = await service.convert(asked(TEXT))
  const { lineage: _lineage, ...orders } = parse(TEXT).dataObjects.Orders
  const { fancy: _fancy, ...id } = orders.columns.Id
  const { typo: _typo, ...revenue } = parse(TEXT).measures.Revenue
  t.same(parse(text), {
    ...parse(TEXT),
    dataObjects: { Orders: { ...orders, columns: { ...orders.columns, Id: id } } },
    measures: { Revenue: revenue },
  })
  t.match(losses, [
    { kind: 'refused', message: /'dataObjects.Orders.lineage'/, line: 7, column: 5 },
    { kind: 'refused', message: /'dataObjects.Orders.columns.Id.fancy'/, line: 9 },
    { kind: 'refused', message: /'measures.Revenue.typo'/, line: 14 },
    { kind: 'inert', message: /'customExtensions'/, line: 3 },
    { kind: 'inert', message: /'dimensions.Order.customExtensions'/, line: 12 },
  ])
  t.match(counts, { exact: 3, rewritten: 0, inert: 2, refused: 3 })
  t.same(
    warnings.filter(({ code }) => code === 'UNKNOWN_PROPERTY'),
    [],
  )
})

t.test('a rule about who sees what refuses the text, and every error has its place', async (t) => {
  const { service } = await hostOf(t)
  const ruled = TEXT.replace('lineage: warehouse', 'rowFilters: [region]')
  await t.rejects(service.convert(asked(ruled)), {
    code: 'MODEL_INVALID',
    details: { findings: [{ code: 'IMPORT_FAILED', line: 7, hint: /drop_security/ }] },
  })
  t.match(await service.convert({ ...asked(ruled), drop_security: true }), { counts: { refused: 3 } })
  t.match((await service.validate(asked(ruled))).errors, [{ line: 7 }])
  const faulty = TEXT.replace('column: Id,', 'column: Idd,').replace('column: Amount', 'column: Amont')
  t.match((await service.validate(asked(faulty))).errors, [{ line: 12 }, { line: 14 }])
  t.match((await service.validate(asked('a: ['))).errors, [{ line: 1 }])
  t.match((await service.validate(asked('[1]'))).errors, [{ line: 1 }])
})

t.test('a document of this server is the same after it', async (t) => {
  const { service } = await hostOf(t)
  const own = TEXT.replace('    lineage: warehouse\n', '').replace(', fancy: 1', '').replace(', typo: { deep: 1 }', '')
  const { model_yaml: text = '', counts } = await service.convert(asked(own))
  t.same(parse(text), parse(own))
  t.match(counts, { refused: 0, rewritten: 0 })
})

t.test('generated documents are the same after it', async (t) => {
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  const models = modelsAsked(6)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  const importer = FORMATS.find((format) => format.importer.name === 'obml')?.importer
  for (let at = 0; at < models; at++) {
    const { document } = anyModel(seed * 1000 + at)
    const read = await importer?.read({ text: stringify(document, { aliasDuplicateObjects: false }) })
    if (!read || 'faults' in read) t.fail(`model ${at} of ${seed}: ${JSON.stringify(read)}`)
    else {
      t.same(
        read.losses.filter(({ kind }) => kind !== 'inert'),
        [],
        `model ${at} of ${seed}`,
      )
      if (JSON.stringify(read.document) !== JSON.stringify(document)) t.same(read.document, document, `model ${at} of ${seed}`)
    }
  }
})

const asked = (text: string): ConvertRequest => ({ asker: undefined, model_yaml: text, format: 'obml' })

for (const format of FORMATS)
  if (format.importer.name === 'obml')
    readsBroken({ what: 'models of OBML', ...format, service: async (t) => (await hostOf(t)).service })
