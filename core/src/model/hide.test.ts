/** What is hidden moves no number: each question of the corpus that a view answers has the statement that it has for everybody. */
import t from 'tap'
import { corpusModel } from '../../../test/corpus/compiled-once.js'
import { readQuestions } from '../../../test/corpus/corpus.js'
import { amount, oneIn } from '../../../test/support/amount.js'
import { compileFor } from '../../../test/support/compile.js'
import { GrainlineError } from '../errors.js'
import { hiddenName } from '../hidden-name.js'
import { sha256 } from '../sha256.js'
import { leavesOf } from './expression/ast.js'
import { columnKey, HIDES_NOTHING, withReaders } from './hidden-fields.js'
import { withoutFields } from './hide.js'
import type { HiddenNames, SemanticModel } from './semantic-model.js'

function secretOf(name: string): string {
  const digest = sha256()
  digest.update(name)
  return hiddenName(digest.hex())
}

const viewOf = (model: SemanticModel, hidden: HiddenNames): SemanticModel => withoutFields(model, hidden, secretOf)

/** Every column that no dimension shows; all measures and metrics are published. */
function unshownColumns(model: SemanticModel): HiddenNames {
  const shown = new Set([...model.dimensions.values()].flatMap(({ expression }) => leavesOf(expression).map(columnKey)))
  const all = [...model.dataObjects.values()].flatMap(({ name, columns }) =>
    [...columns.keys()].map((column) => columnKey({ object: name, column })),
  )
  const columns = new Set(all.filter((key) => !shown.has(key)))
  return withReaders({ ...HIDES_NOTHING, columns }, [...model.measures.keys(), ...model.metrics.keys()], model)
}

t.test('published measures have the statement that everybody has', async (t) => {
  const model = corpusModel()
  const hidden = unshownColumns(model)
  const view = viewOf(model, hidden)
  const names = new Map([...hidden.columns].map((key) => [secretOf(key), key.slice(key.indexOf('\0') + 1)]))
  const named = (sql: string) => sql.replace(/hidden_[0-9a-f]{32}/g, (secret) => names.get(secret) ?? secret)
  let same = 0
  for (const { name, query } of oneIn(2, readQuestions())) {
    try {
      const { sql } = compileFor(query, view)
      t.equal(named(sql), compileFor(query, model).sql, name)
      same++
    } catch (error) {
      if (!(error instanceof GrainlineError)) throw error
      t.notMatch(JSON.stringify({ ...error, message: error.message }), /hidden_/, name)
    }
  }
  t.ok(hidden.columns.size > 20, `${hidden.columns.size} columns are hidden`)
  t.ok(same > amount(40, 100), `${same} questions are answered`)
})

t.test('a view lists nothing that is hidden', async (t) => {
  const model = corpusModel()
  const [object] = model.dataObjects.values()
  const [column] = object!.columns.keys()
  const hidden = withReaders(
    { ...HIDES_NOTHING, columns: new Set([columnKey({ object: object!.name, column: column! })]) },
    [],
    model,
  )
  const { hiding, ...view } = viewOf(model, hidden)
  t.notOk(view.dataObjects.get(object!.name)?.columns.has(column!))
  for (const name of hidden.fields) t.notOk(view.dimensions.has(name) || view.measures.has(name) || view.metrics.has(name), name)
  for (const fields of [view.dimensions, view.measures, view.metrics])
    for (const name of fields.keys()) t.notMatch(name, /hidden_/)
  t.same(hiding?.published, new Set())
  t.same(
    Object.keys(view.document.measures ?? {}),
    [...view.measures.keys()].filter((name) => model.document.measures?.[name]),
  )
})
