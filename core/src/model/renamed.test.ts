/** Renaming changes names and nothing else: the opposite renaming gives the same model, and no old name is left. */
import t from 'tap'
import { corpusModel } from '../../../test/corpus/compiled-once.js'
import { renamed } from './renamed.js'
import type { SemanticModel } from './semantic-model.js'

const mark = (name: string): string => `new ${name}`
const unmark = (name: string): string => name.replace(/^new /, '')

/** Without what has no renamed names: the text, segments and examples. */
const fieldsOf = ({ dataObjects, dimensions, measures, metrics, filters }: SemanticModel) => ({
  ...{ dataObjects, dimensions, measures, metrics, filters },
})

t.test('the opposite renaming gives the same model', async (t) => {
  const model = corpusModel()
  const there = renamed(model, { object: mark, column: (_, column) => mark(column), field: mark })
  for (const [name, object] of model.dataObjects) {
    const other = there.dataObjects.get(mark(name))
    t.same([...(other?.columns.keys() ?? [])], [...object.columns.keys()].map(mark))
    t.same(other?.key, object.key.map(mark))
  }
  for (const fields of ['dimensions', 'measures', 'metrics'] as const)
    t.same([...there[fields].keys()], [...model[fields].keys()].map(mark))
  const back = renamed(there, { object: unmark, column: (_, column) => unmark(column), field: unmark })
  // The order of a renamed column is left out.
  const unsorted = {
    ...model,
    dimensions: new Map([...model.dimensions].map(([name, one]) => [name, { ...one, sortBy: undefined }])),
  }
  t.strictSame(fieldsOf(back), fieldsOf(unsorted))
})

t.test('without new names the model is the same', async (t) => {
  const model = corpusModel()
  t.strictSame(renamed(model, { object: (name) => name, column: (_, column) => column, field: (name) => name }), model)
})
