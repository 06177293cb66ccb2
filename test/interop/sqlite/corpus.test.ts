import t from 'tap'
import { compileFor, dataSql, modelText, readQuestions } from '../../corpus/corpus.js'
import { loadText } from '../../support/compile.js'
import { corpusOn } from '../suites.js'
import { openEngine } from './engine.js'

/** A sum of whole numbers that leaves 64 bits is an error: https://www.sqlite.org/lang_aggfunc.html#sumunc */
const OVERFLOWING = {
  'a sum beyond 64 bits': 'it overflows, which is asserted below',
  'one-to-one goes both ways': 'it overflows, which is asserted below',
}

await corpusOn(t, openEngine, OVERFLOWING)

t.test('a sum beyond 64 bits fails rather than give another number', async (t) => {
  const { dialect, load, ask, close } = await openEngine()
  t.teardown(close)
  await load(dataSql())
  const model = loadText(modelText())
  for (const { query } of readQuestions().filter(({ name }) => name in OVERFLOWING)) {
    const { sql, columns } = compileFor(dialect, query, model)
    await t.rejects(ask(sql, columns), { message: 'integer overflow' })
  }
})
