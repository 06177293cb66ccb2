/** Every item of a model that is exported is written or has a line, in every format: nothing is lost without a word. */
import type { Exporter, Loss, SemanticModel } from '@grainline/core'
import t from 'tap'
import { stringify } from 'yaml'
import { parseModelSync } from '../../core/src/model/load-model.js'
import * as databricks from '../../plugins/importer-databricks/src/export/exporter.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/export/exporter.js'
import * as snowflake from '../../plugins/importer-snowflake/src/export/exporter.js'
import { randomFrom } from '../oracle/generate/random.js'
import { amount, PART } from '../support/amount.js'
import { generatedModel } from './generated-model.js'
import { type Entry, wideModel } from './wide-model.js'

t.setTimeout(600_000)

const EXPORTERS = [
  ...[databricks.yamlExporter, databricks.statementExporter],
  ...[ossie],
  ...[snowflake.yamlExporter, snowflake.statementExporter],
]

const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
t.comment(`INTERCHANGE_SEED=${seed}`)

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

/** Parts of a model that a line may name as a whole. */
const PARTS = ['access', 'calendars', 'decisions', 'examples', 'parameters', 'rollups', 'tests', 'views']

const partsOf = ({ document }: SemanticModel): readonly Path[] =>
  Object.keys(document).flatMap((key) => (PARTS.includes(key) ? [[key]] : []))

/** What becomes of an item: the word of its line, or that it is written. Undefined for what nothing speaks of. */
function becomes(path: Path, written: ReadonlySet<string>, lines: ReadonlyMap<string, Loss['kind']>): string | undefined {
  for (let length = path.length; length > 0; length--) {
    const kind = lines.get(JSON.stringify(path.slice(0, length)))
    if (kind) return kind
  }
  if (written.has(JSON.stringify(path))) return 'exact'
  return [...lines].find(([key]) => key.startsWith(`${JSON.stringify(path).slice(0, -1)},`))?.[1]
}

for (const [what, generated, count] of [
  ['models of the basic language', generatedModel, amount(15, 300)],
  ['models with everything', wideModel, amount(15, 1000)],
] as const)
  t.test(`${what}: an item is written, or has a line`, async (t) => {
    for (const exporter of EXPORTERS) {
      const counts: Record<string, number> = { models: 0, items: 0, exact: 0, rewritten: 0, inert: 0, refused: 0 }
      for (let at = 0; at < count; at++) {
        const model = generated(seed * 1000 + at)
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
      t.ok(counts['items']! > count * 8, exporter.name)
    }
  })

/** The paths of all keys of a document. */
function keysOf(value: unknown, path: Path = []): readonly Path[] {
  if (Array.isArray(value)) return value.flatMap((each: unknown, at) => keysOf(each, [...path, at]))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => [[...path, key], ...keysOf(each, [...path, key])])
}

function without(document: Entry, path: Path): Entry {
  const copy = structuredClone(document)
  const [last, ...rest] = [...path].reverse()
  const owner = rest.reverse().reduce<unknown>((value, key) => (value as Entry)[key], copy) as Entry
  delete owner[String(last)]
  return copy
}

/** The text and the list, and the items that are left out as a whole. The extension of Ossie has the whole document, which no other tool reads. */
async function said(exporter: Exporter, model: SemanticModel) {
  const exported = await exporter.write(model)
  if ('faults' in exported) return { text: JSON.stringify(exported.faults), left: [] }
  const { content, losses, written } = exported
  const text = 'text' in content ? content.text : stringify(content.yaml)
  const items = new Set(written.map((path) => JSON.stringify(path)))
  const left = losses.flatMap(({ kind, path }) =>
    kind === 'rewritten' || items.has(JSON.stringify(path)) ? [] : [`${JSON.stringify(path).slice(0, -1)},`],
  )
  return {
    text: JSON.stringify([text.replace(/custom_extensions:[\s\S]*$/m, ''), losses.map(({ kind, path }) => [kind, path])]),
    left,
  }
}

/** Keys whose value is what a model without them means. */
const isDefault = (path: Path, model: SemanticModel, other: SemanticModel): boolean =>
  JSON.stringify(plain({ ...model, document: 0, contentHash: 0 })) ===
    JSON.stringify(plain({ ...other, document: 0, contentHash: 0 })) &&
  !path.some((key) => PARTS.includes(String(key)) || NOTES.has(String(key)))

/** Keys of which the model has no trace, and a list has a line. */
const NOTES = new Set('customExtensions comment owner refresh numClass status use format countLabel connection'.split(' '))

/** Whether a type is written is no part of the meaning: the type is. */
const TYPED = new Set(['isTyped', 'abstractType', 'resultType'])

/** The version of our own format, and a pattern for names that no item may have; and in a format without types, a column has that of the database. */
const isOfOurFormat = ([kind, , part, , key]: Path): boolean =>
  kind === 'version' ||
  kind === 'countLabelPattern' ||
  (kind === 'dataObjects' && part === 'columns' && ['abstractType', 'sqlType', 'sqlPrecision', 'sqlScale'].includes(String(key)))

const plain = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, each: unknown) =>
      TYPED.has(key)
        ? undefined
        : each instanceof Map
          ? [...each]
          : typeof each === 'bigint'
            ? `${each}`
            : each instanceof Set
              ? [...each]
              : each,
    ),
  )

// Of other models two kinds of keys are open: columns that nothing reads (Databricks), and `bridge` (Ossie).
const ofKeys = Number(process.env['INTERCHANGE_SEED'] ?? 77)

t.test('a model without one of its keys has another text, or another list', async (t) => {
  for (const exporter of EXPORTERS) {
    let keys = 0
    for (let at = 0; at < amount(10, 500); at++) {
      const model = wideModel(ofKeys * 1000 + at)
      const random = randomFrom(ofKeys + at)
      const document = model.document as unknown as Entry
      const whole = await said(exporter, model)
      for (const path of random.some(keysOf(document), 12)) {
        const { model: other } = parseModelSync({ json: without(document, path) })
        const isLeft = whole.left.some((item) => JSON.stringify(path).startsWith(item))
        if (!other || isLeft || isOfOurFormat(path) || isDefault(path, model, other)) continue
        keys++
        if (whole.text === (await said(exporter, other)).text)
          t.fail(`${exporter.name}, model ${at} of ${ofKeys}: ${JSON.stringify(path)} is lost in silence`)
      }
    }
    t.comment(`${exporter.name}: ${keys} keys`)
    t.ok(keys > 3, exporter.name)
  }
})
