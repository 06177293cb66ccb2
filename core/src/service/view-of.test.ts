/** Each principal sees the whole model, and principals with the same rights share one view, by which answers are kept. */
import t from 'tap'
import { loadText } from '../../../test/support/compile.js'
import { viewOf } from './view-of.js'

const model = loadText(`
version: 1
dataObjects: { Items: { code: items, columns: { Id: { code: id, abstractType: int, primaryKey: true } } } }`)

t.test('a view is one value for all principals with the same rights', async (t) => {
  const principals = [undefined, { id: 'ann' }, { id: 'bob', administrator: true }, { id: 'ann' }]
  for (const by of principals) t.equal(viewOf(model, by), viewOf(model, undefined), JSON.stringify(by))
})

t.test('views of different models are different', async (t) => {
  t.not(viewOf({ ...model }, { id: 'ann' }), viewOf(model, { id: 'ann' }))
})
