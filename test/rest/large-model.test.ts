import { Worker } from 'node:worker_threads'
import t from 'tap'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { startRest } from './server.js'

t.setTimeout(600_000)

const TURNS = 2
const LENGTH = 5_000_000

/** A valid model of about so many characters: objects of fifty columns each. */
function largeModel(name: string): string {
  const column = (n: number) =>
    `      Column ${n}: { code: column_${n}, abstractType: string, description: Column number ${n} }\n`
  const columns = Array.from({ length: 50 }, (_, n) => column(n)).join('')
  const head = `name: ${name}\ndataObjects:\n`
  const object = (n: number) =>
    `  Object ${n}:\n    code: table_${n}\n    columns:\n      Id: { code: id, abstractType: int, primaryKey: true }\n${columns}`
  const count = Math.floor((LENGTH - head.length) / object(10_000).length)
  return head + Array.from({ length: count }, (_, n) => object(n)).join('')
}

/** Posts from another thread, so that only the server uses this one; returns the status and code of the answer. */
function postFromElsewhere(url: string, body: string): Promise<string> {
  const code = `const { parentPort, workerData: { url, body } } = require('node:worker_threads')
    fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      .then(async (answer) => parentPort.postMessage(answer.status + ' ' + ((await answer.json()).code ?? '')))`
  return new Promise((resolve, reject) => {
    const worker = new Worker(code, { eval: true, workerData: { url, body } })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

const documents: readonly { readonly what: string; readonly expected: string; readonly body: (attempt: number) => object }[] = [
  { what: 'as YAML is loaded', expected: '201 ', body: (attempt) => ({ model_yaml: largeModel(`m${attempt}`) }) },
  {
    what: 'that never closes a bracket is refused',
    expected: '422 MODEL_INVALID',
    body: () => ({ model_yaml: `x: [${'{a: 1},'.repeat(700_000)}` }),
  },
  {
    what: 'of one long text is refused',
    expected: '422 MODEL_INVALID',
    body: (attempt) => ({ model_yaml: `name: ${attempt}${'x'.repeat(LENGTH - 100)}` }),
  },
]

for (const { what, expected, body } of documents) {
  t.test(`a model of 5,000,000 characters ${what} without delaying other requests`, async (t) => {
    const server = await startRest({ settings: { MAX_MODELS_PER_SESSION: 20 } })
    t.teardown(() => server.close())
    const address = await server.app.listen({ port: 0 })
    const { session_id: id } = (await server.post('/v1/sessions')).body
    let attempt = 0
    const best = await bestOf(
      () => postFromElsewhere(`${address}/v1/sessions/${id}/models`, JSON.stringify(body(attempt++))),
      TURNS,
    )
    t.equal(best.result, expected)
    keepsTurns(t, best)
  })
}
