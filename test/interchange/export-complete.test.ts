/** Every item of a model that is exported is written or has a line, in every format: nothing is lost without a word. */
import type { SemanticModel } from '@grainline/core'
import t from 'tap'
import * as databricks from '../../plugins/importer-databricks/src/export/exporter.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/export/exporter.js'
import * as snowflake from '../../plugins/importer-snowflake/src/export/exporter.js'
import { amount, PART } from '../support/amount.js'
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
