import t from 'tap'
import { compileFor, dataSql, modelText, readQuestions } from '../../corpus/corpus.js'
import { loadText } from '../../support/compile.js'
import { corpusOn } from '../suites.js'
import { openEngine } from './engine.js'
import { OVERFLOWING, witness } from './witness.js'

await corpusOn(t, openEngine, witness)

t.test('a sum that exceeds 64 bits fails and returns no wrong number', async (t) => {
  const { dialect, load, ask, close } = await openEngine()
  t.teardown(close)
  await load(dataSql())
  const model = loadText(modelText())
  for (const { query } of readQuestions().filter(({ name }) => name in OVERFLOWING)) {
    const { sql, columns } = compileFor(dialect, query, model)
    await t.rejects(ask(sql, columns), { message: 'integer overflow' })
  }
})
