/** One project in both specifications of dbt is one model, whatever the order of its items and the names of its hidden metrics. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t, { type Test } from 'tap'
import { parseModelSync } from '../../core/src/model/load-model.js'
import { importer } from '../../plugins/importer-dbt/src/importer.js'
import { amount, PART } from '../support/amount.js'
import { dbtPair } from './dbt-pair.js'
import { readBy } from './foreign-texts.js'

const imported = readBy(importer)

async function isOneModel(t: Test, what: string, legacy: string, latest: string): Promise<number> {
  const [before, after] = [await imported(legacy), await imported(latest)]
  const { errors } = parseModelSync({ json: before.document })
  const isSame = t.same(after.document, before.document, what)
  if (errors.length > 0 || !isSame) t.fail(`${what}: ${JSON.stringify(errors)}\n${legacy}\n---\n${latest}`)
  return Object.keys({ ...(before.document['measures'] as object), ...(before.document['metrics'] as object) }).length
}

const count = amount(60, 600)
t.test(`${count} generated projects: both specifications give one model`, async (t) => {
  const seed = Number(process.env['INTERCHANGE_SEED'] ?? 39 + PART)
  t.comment(`INTERCHANGE_SEED=${seed}`)
  let items = 0
  for (let at = 0; at < count; at++) {
    const { legacy, latest } = dbtPair(seed * 10_000 + at)
    items += await isOneModel(t, `project ${at} of ${seed}`, legacy, latest)
  }
  t.ok(items > count * 4, `${items} measures and metrics`)
})

/** A folder with public pairs, each `NAME` and `NAME_expected`: those of dbt-autofix are not part of this repository. */
const FOLDER = process.env['DBT_PAIRS']

/** Where the files of a pair differ in what they say. */
const DIFFERENT_FILES: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  // The semantic model of the table 'order_items' has another name.
  project_semantic_layer: [['  - name: order_item\n    defaults:', '  - name: order_items\n    defaults:']],
}

t.test('public pairs give one model', { skip: FOLDER === undefined && 'DBT_PAIRS names no folder' }, async (t) => {
  const folder = FOLDER ?? ''
  const textIn = (name: string): string =>
    readdirSync(path.join(folder, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yml'))
      .toSorted()
      .map((file) => readFileSync(path.join(folder, name, file), 'utf8'))
      .join('\n---\n')
  const names = readdirSync(folder).filter((name) => readdirSync(folder).includes(`${name}_expected`))
  t.ok(names.length > 0)
  for (const name of names) {
    const legacy = (DIFFERENT_FILES[name] ?? []).reduce((text, [from, to]) => {
      t.ok(text.includes(from), `${name} says ${from.trim()}`)
      return text.replace(from, () => to)
    }, textIn(name))
    await isOneModel(t, name, legacy, textIn(`${name}_expected`))
  }
})
