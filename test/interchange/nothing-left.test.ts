/** A text of which no table can be read is no model, and the errors say why of each table. */
import t from 'tap'
import { FORMATS } from './formats.js'
import { hostOf } from './host-of.js'

/** Texts of which each table is refused. */
const TEXTS: Readonly<Record<string, string>> = {
  cube: 'cubes:\n  - { name: a, sql: SELECT 1, dimensions: [{ name: x, sql: x, type: string }] }\n  - { name: b, dimensions: [{ name: x, sql: x, type: string }] }\n',
  lookml: 'view: a {\n  derived_table: { sql: SELECT a.x FROM a JOIN b ON a.x = b.x ;; }\n  dimension: x {}\n}\n',
  tmdl: 'table A\n\tcolumn x\n\t\tdataType: string\n\ntable B\n\tcolumn y\n\t\tdataType: string\n\tpartition B = calculated\n\t\tsource = ROW("y", 1)\n',
}

for (const { importer } of FORMATS) {
  const text = TEXTS[importer.name]
  if (text === undefined) continue
  t.test(`${importer.name}: each table that is left out has its reason`, async (t) => {
    const { service } = await hostOf(t, importer)
    const source = { asker: undefined, model_yaml: text, format: importer.name }
    const { valid, errors } = await service.validate(source)
    t.equal(valid, false)
    const [first, ...others] = errors
    t.match(first, { code: 'IMPORT_FAILED', message: 'No table of the file could be imported.', line: Number })
    t.ok(others.length > 0)
    for (const { message, line } of others) t.match([message, line], [/ is left out: /, Number])
    await t.rejects(service.convert(source), { code: 'MODEL_INVALID', details: { findings: errors } })
  })
}

t.test('without a table in it and without a reason, a document is refused at its beginning', async (t) => {
  const importer = {
    name: 'empty',
    detect: () => false,
    read: async () => ({ document: { version: 1 }, places: [], losses: [] }),
  }
  const { service } = await hostOf(t, importer)
  const { errors } = await service.validate({ asker: undefined, model_yaml: 'x', format: 'empty' })
  t.match(errors, [{ code: 'IMPORT_FAILED', line: 1, column: 1 }])
})
