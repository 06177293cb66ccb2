/** Every line of the list that is about an item of the result has its place there, in every format, both ways. */
import { createHost, definePlugin } from '@grainline/core'
import t, { type Test } from 'tap'
import type { Conversion } from '../../core/src/service/conversion.js'
import { importer as cube } from '../../plugins/importer-cube/src/importer.js'
import * as databricks from '../../plugins/importer-databricks/src/export/exporter.js'
import { exporter as ossie } from '../../plugins/importer-ossie/src/export/exporter.js'
import * as snowflake from '../../plugins/importer-snowflake/src/export/exporter.js'
import { amount, PART } from '../support/amount.js'
import { exportOf, modelOf } from './exported-models.js'
import { FORMATS } from './formats.js'
import { generatedModel } from './generated-model.js'
import { hostOf } from './host-of.js'
import { wideModel } from './wide-model.js'

t.setTimeout(600_000)

const EXPORTERS = [
  ...[databricks.yamlExporter, databricks.statementExporter],
  ...[ossie],
  ...[snowflake.yamlExporter, snowflake.statementExporter],
]

const seed = Number(process.env['INTERCHANGE_SEED'] ?? 391 + PART)
t.comment(`INTERCHANGE_SEED=${seed}`)

type Item = Pick<Conversion['losses'][number], 'path' | 'target' | 'line'>

/** What the result says from a place on. */
const textAt = (text: string, { line, column }: NonNullable<Item['target']>): string =>
  text
    .split('\n')
    .slice(line - 1)
    .join('\n')
    .slice(column - 1)

/** Whether a text begins with the last key of a path. The place of a key in quotes is behind the first of them. */
const beginsWithKey = (text: string, path: string): boolean =>
  [-1, ...[...path.matchAll(/\./g)].map(({ index }) => index)]
    .map((index) => path.slice(index + 1))
    .some((key) => text.startsWith(key) && /^["']?:(\s|$)/.test(text.slice(key.length)))

const FIELDS = ['dimensions', 'measures', 'metrics', 'segments'] as const

for (const { importer, texts } of FORMATS)
  t.test(`${importer.name}: a line has the path of its item, and its place in the model`, async (t) => {
    const { service } = importer.name === 'obml' ? await hostOf(t) : await hostOf(t, importer)
    for (const text of texts) {
      const read = await importer.read({ text })
      const document = 'document' in read ? read.document : {}
      const fields = FIELDS.flatMap((kind) =>
        Object.keys((document[kind] ?? {}) as object).map((name) => ({ name, path: `${kind}.${name}` })),
      )
      const { losses, exact, model_yaml } = await service.convert({
        ...{ asker: undefined, model_yaml: text, format: importer.name, list_exact: true },
      })
      t.ok(losses.length + (exact ?? []).length > 0)
      for (const { message, path } of losses) {
        const named = /^(?:The \w+ )?'([^']+)' /.exec(message)?.[1]
        const about = fields.filter(({ name }) => name === named)
        if (about.length > 0) t.ok(path, `${message} has the path of '${named}'`)
      }
      for (const { path, target, line } of [...losses, ...(exact ?? [])]) {
        t.ok(line, `${path ?? 'a line'} has a place in the text`)
        if (path === undefined) t.notOk(target)
        else if (!target) t.fail(`${path} has no place in the model`)
        else if (!path.endsWith(']')) t.ok(beginsWithKey(textAt(model_yaml ?? '', target), path), `${path}: line ${target.line}`)
      }
    }
  })

const exporting = definePlugin({
  name: 'exporters',
  host: '*',
  setup: (host) => {
    for (const exporter of EXPORTERS) host.exporters.register(exporter)
  },
})

/** What a line says that has nothing else to say. */
const BY_HAND = 'Add it to the result by hand, or change the text.'

t.test('a refused line says what to do, and no other line has to', async (t) => {
  const { service } = await hostOf(t, cube)
  const { losses } = await service.convert({
    ...{ asker: undefined, format: 'cube' },
    model_yaml:
      'cubes: [{ name: a, sql_table: t, color: red, title: A, dimensions: [{ name: x, sql: x, type: string, meta: { y: 1 } }] }]',
  })
  t.match(
    losses.find(({ message }) => message.includes("'color'")),
    { kind: 'refused', hint: BY_HAND },
  )
  t.strictSame(losses.find(({ kind }) => kind === 'inert')?.hint, undefined)
})

t.test('a line whose reason is another part of the model refers to the line of that part', async (t) => {
  const model = modelOf(`version: 1
dataObjects: { A: { code: a, columns: { Id: { code: id, abstractType: int, primaryKey: true }, X: { code: x, abstractType: float } } } }
measures:
  Slope: { aggregation: regr_slope, columns: [{ dataObject: A, column: X }, { dataObject: A, column: Id }] }
  Sum: { aggregation: sum, columns: [{ dataObject: A, column: X }] }
metrics:
  Share: { expression: '{[Slope]} / {[Sum]}' }`)
  for (const exporter of EXPORTERS.filter((each) => each !== ossie)) {
    const { losses } = await exportOf(model, exporter)
    const hintOf = (kind: string) => losses.find(({ path: [section] }) => section === kind)?.hint
    t.match(hintOf('measures'), /^Compute it where the text is used/, exporter.name)
    t.equal(hintOf('metrics'), 'It follows when that is written: see its line.', exporter.name)
  }
})

/** Letters and digits: what names have in every format. */
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase()

/** An item with its name, if it is a field of the model. */
const fieldOf = (path = ''): string | undefined => /^(?:dimensions|measures|metrics|segments)\.(.*)$/s.exec(path)?.[1]

for (const [what, generated, count] of [
  ['the basic language', generatedModel, amount(3, 200)],
  ['everything', wideModel, amount(3, 200)],
] as const)
  for (const { name: to } of EXPORTERS)
    t.test(`models of ${what} as ${to}: a line has the place of its item in the text`, async (t) => {
      const host = await createHost({ plugins: [exporting] })
      t.teardown(() => host.close())
      const { service } = host
      const counts = { items: 0, exact: 0 }
      for (let at = 0; at < count; at++) {
        const model_yaml = JSON.stringify(generated(seed * 1000 + at).document)
        const {
          text = '',
          losses,
          exact = [],
        } = await service.convert({
          ...{ asker: undefined, model_yaml, to, drop_security: true, list_exact: true },
        })
        check(t, text, losses, exact, `model ${seed * 1000 + at}`)
        counts.items += losses.length
        counts.exact += exact.length
      }
      t.comment(JSON.stringify(counts))
      t.ok(counts.exact > 0, 'the generator works')
    })

function check(t: Test, text: string, losses: Conversion['losses'], exact: readonly Item[], which: string): void {
  const refused = new Set(losses.flatMap(({ kind, path = '' }) => (kind === 'refused' ? [path] : [])))
  // A hidden item stands in formulas, without its name.
  const inside = new Set(
    losses.flatMap(({ message, path = '' }) => (/ is hidden, and is written into /.test(message) ? [path] : [])),
  )
  for (const { path, target, line } of exact) {
    if (line === undefined || !target) t.fail(`${which}: ${path} has no place in the ${target ? 'model' : 'text'}`)
    else isSaid(t, text, path, target, which)
  }
  for (const { kind, message, hint = BY_HAND, path = '', line, target } of losses) {
    if (line === undefined) t.fail(`${which}: ${message} has no place in the model`)
    if (kind === 'refused' && hint === BY_HAND) t.fail(`${which}: ${message} does not say what to do`)
    const name = fieldOf(path)
    // What is said in another way is in the text.
    if (kind === 'rewritten' && name !== undefined && !refused.has(path)) {
      if (target && inside.has(path)) t.ok(target.line <= text.split('\n').length)
      else if (target) isSaid(t, text, path, target, which)
      else t.fail(`${which}: ${message} (${path}) has no place in the text`)
    }
  }
}

function isSaid(t: Test, text: string, path: string | undefined, target: NonNullable<Item['target']>, which: string): void {
  const name = fieldOf(path)
  if (name === undefined) return
  // An item begins with its name, which may have signs in front of it and a number after it. In Ossie a name of other letters is a synonym at its end.
  const isWord = /^[A-Za-z0-9_ ]+$/.test(name) || !text.includes('semantic_model')
  const begin = letters(textAt(text, target).slice(0, isWord ? 200 + 2 * name.length : 3000)).slice(
    0,
    isWord ? 60 + name.length : 3000,
  )
  if (!begin.includes(letters(name))) t.fail(`${which}: ${path} is not at ${target.line}:${target.column}: ${begin}`)
}
