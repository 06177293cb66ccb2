/** Every item of a model that is exported is written or has a line, in every format: nothing is lost without a word. */
import type { SemanticModel } from '@grainline/core'
import t from 'tap'
import { modelSchema } from '../../core/src/model/document.js'
import * as databricks from '../../plugins/importer-databricks/src/export/exporter.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/export/exporter.js'
import * as snowflake from '../../plugins/importer-snowflake/src/export/exporter.js'
import { amount, PART } from '../support/amount.js'
import { linesOf, modelOf } from './exported-models.js'
import { generatedModel } from './generated-model.js'

const EXPORTERS = [
  ...[databricks.yamlExporter, databricks.statementExporter],
  ...[ossie],
  ...[snowflake.yamlExporter, snowflake.statementExporter],
]

const itemsOf = ({ dataObjects, dimensions, measures, metrics, segments }: SemanticModel): readonly string[] =>
  [
    ...[...dataObjects].flatMap(([name, { joins }]) => [
      ['dataObjects', name],
      ...joins.map((_, at) => ['dataObjects', name, 'joins', at]),
    ]),
    ...[...dimensions.keys()].map((name) => ['dimensions', name]),
    ...[...measures].flatMap(([name, { rowCountOf }]) => (rowCountOf === undefined ? [['measures', name]] : [])),
    ...[...metrics.keys()].map((name) => ['metrics', name]),
    ...[...segments.keys()].map((name) => ['segments', name]),
  ].map((path) => JSON.stringify(path))

t.test('an item is written, or has a line', async (t) => {
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  for (const exporter of EXPORTERS) {
    const counts = { items: 0, exact: 0, rewritten: 0, inert: 0, refused: 0 }
    for (let at = 0; at < amount(15, 300); at++) {
      const model = generatedModel(seed * 1000 + at)
      const exported = await exporter.write(model)
      if ('faults' in exported) {
        t.fail(`${exporter.name}: ${JSON.stringify(exported.faults)}`)
        continue
      }
      const written = new Set(exported.written.map((path) => JSON.stringify(path)))
      const lines = new Map(exported.losses.map(({ path, kind }) => [JSON.stringify(path), kind]))
      for (const item of itemsOf(model)) {
        counts.items++
        const kind = lines.get(item)
        if (kind) counts[kind]++
        else if (written.has(item)) counts.exact++
        else t.fail(`${exporter.name}, model ${at} of ${seed}: nothing says what became of ${item}`)
      }
    }
    t.equal(counts.exact + counts.rewritten + counts.inert + counts.refused, counts.items, exporter.name)
    t.comment(`${exporter.name}: ${JSON.stringify(counts)}`)
  }
})

const WHOLE = `
version: 1
name: whole
description: All
owner: Ada
synonyms: [store]
connection: main
customExtensions: [{ vendor: A, data: 1 }]
exposeCounts: true
countLabelPattern: 'Rows of {object}'
settings: { strictFilters: true, weekStart: sunday, defaultLocale: de }
dataObjects:
  Orders: { code: orders, columns: { Id: { code: id, abstractType: int, primaryKey: true }, Day: { code: day, abstractType: date } } }
dimensions: { Day: { dataObject: Orders, column: Day } }
measures: { Orders: { aggregation: count_distinct, columns: [{ dataObject: Orders, column: Id }] } }
metrics: { Twice: { expression: '{[Orders]} * 2' } }
segments: { Late: { filters: [{ field: Day, op: '>', value: '2026-01-01' }] } }
examples: [{ name: How many, query: { select: { measures: [Orders] } } }]
tests: [{ name: Some, query: { select: { measures: [Orders] } }, expect: { columns: [Orders], rows: [[1]] } }]
decisions: [{ question: Which? }]
rollups: { By Day: { dataObject: Orders, dimensions: [Day], measures: [Orders] } }
views: { All: { fields: [{ field: Day }] } }
parameters: { rate: { type: float } }
calendars: { shop: { yearStart: '04-01' } }
access: { fields: [{ hide: [Twice] }] }
`

/** What is no part of a model alone: a filter refuses the text, fragments and parents are merged before. */
const APART = new Set(['filters', 'extends', 'inherits'])

t.test('every part of a model is in the text, or has a line', async (t) => {
  const model = modelOf(WHOLE)
  const parts = Object.keys(modelSchema.properties).filter((key) => !APART.has(key))
  t.same(Object.keys(model.document).toSorted(), parts.toSorted())
  const said = 'version description dataObjects dimensions measures metrics exposeCounts countLabelPattern'.split(' ')
  for (const exporter of EXPORTERS) {
    const exported = await exporter.write(model)
    if ('faults' in exported) throw new Error(JSON.stringify(exported.faults))
    const lost = new Set(exported.losses.map(({ path }) => path[0]))
    const silent = parts.filter((key) => !lost.has(key) && !said.includes(key))
    const own = exporter.name === 'ossie' ? ['name', 'synonyms'] : exporter.name === 'databricks' ? [] : ['name']
    t.same(silent, own, `${exporter.name}: ${linesOf(exported).join('; ')}`)
  }
})
