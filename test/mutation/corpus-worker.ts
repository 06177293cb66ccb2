/** Compiles the corpus with one mutant after another, and says which question notices it. */
import { deserialize, serialize } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { DIALECTS, FURTHER_DIALECTS, modelText, readQuestions, sqlOrRefusal } from '../corpus/corpus.js'
import { loadText } from '../support/compile.js'

const NAMES: ReadonlySet<string> = new Set(['duckdb', 'mysql', 'clickhouse', 'postgres'])
const dialects = [...DIALECTS, ...FURTHER_DIALECTS].filter(({ name }) => NAMES.has(name))
const model = serialize(loadText(modelText()))
/** A copy each time: results are remembered for a model and its parts. */
const fresh = () => deserialize(model) as ReturnType<typeof loadText>
const acts = Reflect.get(globalThis, '__acts')
const cases = dialects.flatMap((dialect) =>
  readQuestions().map(({ name, query }) => {
    const reached = new Set<number>()
    Object.assign(globalThis, { __acts: (mutant: number) => reached.add(mutant) === undefined })
    const wanted = sqlOrRefusal(dialect, query, fresh())
    return { dialect, name, query, reached, wanted }
  }),
)
Object.assign(globalThis, { __acts: acts })

/** Only the questions that reach a mutant can notice it. */
parentPort?.on('message', (mutant: number) => {
  Object.assign(globalThis, { __mutant: mutant })
  const killer = cases.find(
    ({ dialect, query, wanted, reached }) =>
      reached.has(mutant) && textOf(() => sqlOrRefusal(dialect, deserialize(serialize(query)), fresh())) !== wanted,
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
