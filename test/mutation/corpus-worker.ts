/** Compiles the corpus with one mutant after another, and says which question notices it. */
import { deserialize, serialize } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { DIALECTS, FURTHER_DIALECTS, modelText, readQuestions, sqlOrRefusal } from '../corpus/corpus.js'
import { loadText } from '../support/compile.js'

const NAMES: ReadonlySet<string> = new Set(['duckdb', 'mysql', 'clickhouse', 'postgres'])
const dialects = [...DIALECTS, ...FURTHER_DIALECTS].filter(({ name }) => NAMES.has(name))
const questions = readQuestions()
const model = serialize(loadText(modelText()))
/** A copy each time: results are remembered for a model and its parts. */
const fresh = () => deserialize(model) as ReturnType<typeof loadText>
const cases = dialects.flatMap((dialect) => questions.map((question) => ({ dialect, ...question })))
const right = fresh()
const wanted = cases.map(({ dialect, query }) => sqlOrRefusal(dialect, query, right))

parentPort?.on('message', (mutant: number) => {
  const chosen = fresh()
  Object.assign(globalThis, { __mutant: mutant })
  const killer = cases.find(
    ({ dialect, query }, i) => textOf(() => sqlOrRefusal(dialect, deserialize(serialize(query)), chosen)) !== wanted[i],
  )
  Object.assign(globalThis, { __mutant: -1 })
  parentPort?.postMessage({ mutant, killer: killer?.name })
})
parentPort?.postMessage({ ready: cases.length })

function textOf(compile: () => string): string {
  try {
    return compile()
  } catch (error) {
    return `threw ${String(error)}`
  }
}
