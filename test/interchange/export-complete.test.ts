/** Every item of a model that is exported is written or has a line, in every format: nothing is lost without a message. */
import type { Loss, SemanticModel } from '@grainline/core'
import t from 'tap'
import * as databricks from '../../plugins/importer-databricks/src/export/exporter.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/export/exporter.js'
import * as snowflake from '../../plugins/importer-snowflake/src/export/exporter.js'
import { randomFrom } from '../oracle/generate/random.js'
import { amount, PART } from '../support/amount.js'
import { generatedModel } from './generated-model.js'
import { isLost, keysOf, PARTS } from './lost-keys.js'
import { wideModel } from './wide-model.js'

t.setTimeout(amount(600_000, 3_600_000))

const EXPORTERS = [
  ...[databricks.yamlExporter, databricks.statementExporter],
  ...[ossie],
  ...[snowflake.yamlExporter, snowflake.statementExporter],
]

const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
t.comment(`INTERCHANGE_SEED=${seed}`)

/** How many keys of a model each exporter is asked for. */
const KEYS = amount(3, 20)

type Path = readonly (string | number)[]

const itemsOf = ({ dataObjects, dimensions, measures, metrics, segments }: SemanticModel): readonly Path[] => [
  ...[...dataObjects].flatMap(([name, { joins }]): Path[] => [
    ['dataObjects', name],
    ...joins.map((_, at) => ['dataObjects', name, 'joins', at]),
  ]),
  ...[...dimensions.keys()].map((name) => ['dimensions', name]),
  ...[...measures].flatMap(([name, { rowCountOf }]) => (rowCountOf === undefined ? [['measures', name]] : [])),
  ...[...metrics.keys()].map((name) => ['metrics', name]),
  ...[...segments.keys()].map((name) => ['segments', name]),
]

const partsOf = ({ document }: SemanticModel): readonly Path[] =>
  Object.keys(document).flatMap((key) => (PARTS.includes(key) ? [[key]] : []))

/** What becomes of an item: the word of its line, or that it is written. Undefined for what nothing speaks of. */
function becomes(path: Path, written: ReadonlySet<string>, lines: ReadonlyMap<string, Loss['kind']>): string | undefined {
  const own = lines.get(JSON.stringify(path))
  if (own) return own
  if (written.has(JSON.stringify(path))) return 'exact'
  for (let length = path.length - 1; length > 0; length--) {
    const kind = lines.get(JSON.stringify(path.slice(0, length)))
    // A line about all items of a kind says what is said in another way, and not what is left out.
    if (kind && (length > 1 || kind !== 'rewritten')) return kind
  }
  return [...lines].find(([key]) => key.startsWith(`${JSON.stringify(path).slice(0, -1)},`))?.[1]
}

/** The model is generated once for all exporters, which takes longer than to write it. */
const modelsOf = (generated: (seed: number) => SemanticModel, count: number): readonly SemanticModel[] =>
  Array.from({ length: count }, (_, at) => generated(seed * 1000 + at))

for (const [what, generated, count] of [
  ['models of the basic language', generatedModel, amount(4, 300)],
  ['models with everything', wideModel, amount(4, 1000)],
] as const)
  t.test(`${what}: an item is written, or has a line`, async (t) => {
    const models = modelsOf(generated, count)
    for (const exporter of EXPORTERS) {
      const counts: Record<string, number> = { models: 0, items: 0, exact: 0, rewritten: 0, inert: 0, refused: 0 }
      for (const [at, model] of models.entries()) {
        const exported = await exporter.write(model)
        if ('faults' in exported) {
          t.fail(`${exporter.name}, model ${at} of ${seed}: ${JSON.stringify(exported.faults)}`)
          continue
        }
        counts['models']!++
        const written = new Set(exported.written.map((path) => JSON.stringify(path)))
        const lines = new Map(exported.losses.map(({ path, kind }) => [JSON.stringify(path), kind]))
        for (const item of [...itemsOf(model), ...partsOf(model)]) {
          counts['items']!++
          const kind = becomes(item, written, lines)
          if (kind) counts[kind]!++
          else t.fail(`${exporter.name}, model ${at} of ${seed}: nothing says what became of ${JSON.stringify(item)}`)
        }
      }
      t.comment(`${exporter.name}: ${JSON.stringify(counts)}`)
      t.ok(counts['items']! > count, exporter.name)
    }
  })

t.test('a model without one of its keys has another text, or another list', async (t) => {
  const models = modelsOf(wideModel, amount(3, 500))
  for (const exporter of EXPORTERS) {
    let keys = 0
    for (const [at, model] of models.entries()) {
      const isKeyLost = await isLost(exporter, model)
      const all = keysOf(model.document)
      let asked = 0
      // Most keys stand in an item that is left out as a whole, or the model does not load without them.
      for (const path of randomFrom(seed + at).some(all, all.length)) {
        const isLostHere = await isKeyLost(path)
        if (isLostHere !== undefined) asked++
        if (isLostHere) t.fail(`${exporter.name}, model ${at} of ${seed}: ${JSON.stringify(path)} is lost in silence`)
        if (asked === KEYS) break
      }
      keys += asked
    }
    t.comment(`${exporter.name}: ${keys} keys`)
    t.ok(keys > models.length, exporter.name)
  }
})
