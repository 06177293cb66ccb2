/** While one client has a long text converted, others get the bytes that they get without it, and no turn of the event loop is long. */
import { Worker } from 'node:worker_threads'
import t, { type Test } from 'tap'
import { MAX_CHARACTERS } from '../../core/src/model/parse/characters.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { executing, startRest } from '../rest/server.js'
import { shopQuery } from '../rest/shop.js'
import { amount, oneIn } from '../support/amount.js'
import { FORMATS } from './formats.js'
import { LONG_TEXTS, type LongText } from './long-texts.js'

t.setTimeout(amount(600_000, 3_600_000))

/** Of the text and of its model: in the long run nearly as many as may be. */
const LENGTH = amount(0.04, 0.95) * MAX_CHARACTERS

for (const long of oneIn(LONG_TEXTS.length, LONG_TEXTS))
  t.test(`${long.format}: other clients have the same bytes while a long text is converted`, async (t) => {
    const server = await startRest({
      ...executing,
      plugins: [...(executing.plugins ?? []), `@grainline/importer-${long.format}`],
    })
    t.teardown(() => server.close())
    await server.shop()
    const address = await server.app.listen({ port: 0 })
    const text = await longTextOf(long)
    const others = othersOf(t, address)
    const body = JSON.stringify({ model_yaml: text, format: long.format })
    const best = await bestOf(async () => {
      const { status, answer, asked, differing } = await others(body)
      t.equal(status, 200, answer)
      t.ok(asked >= QUESTIONS.length, `${asked} questions`)
      t.same(differing, [], 'answers that differ')
    })
    keepsTurns(t, best)
  })

/** The longest text whose model is no longer than it may be. */
async function longTextOf({ format, of }: LongText): Promise<string> {
  const importer = FORMATS.find((each) => each.importer.name === format)?.importer
  const lengthOf = async (copies: number) => {
    const text = of(copies)
    const read = await importer?.read({ text })
    if (!read || 'faults' in read) throw new Error(JSON.stringify(read))
    return Math.max(text.length, JSON.stringify(read.document).length)
  }
  const [few, more] = [await lengthOf(10), await lengthOf(110)]
  return of(Math.floor((LENGTH / (more - few)) * 100))
}

interface Beside {
  readonly status: number
  /** The beginning of the answer of the conversion. */
  readonly answer: string
  /** How many questions had an answer meanwhile, and those that had another one than before. */
  readonly asked: number
  readonly differing: readonly string[]
}

/** Converts, and asks until it is converted, from another thread: only the server uses this one. */
function othersOf(t: Test, address: string): (body: string) => Promise<Beside> {
  const worker = new Worker(CLIENTS, { eval: true, workerData: { address, questions: QUESTIONS } })
  t.teardown(() => worker.terminate())
  return (body) =>
    new Promise((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
      worker.postMessage(body)
    })
}

const QUESTIONS = [
  ['/v1/query/sql', { query: shopQuery }],
  ['/v1/query/execute?format=csv', { query: shopQuery }],
  ['/v1/find', { query: 'revenue' }],
]

const CLIENTS = `
  const { parentPort, workerData: { address, questions } } = require('node:worker_threads')
  const post = async (path, body) => {
    const answer = await fetch(address + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return { status: answer.status, text: await answer.text() }
  }
  const asked = questions.map(([path, body]) => [path, JSON.stringify(body)])
  const before = Promise.all(asked.map(([path, body]) => post(path, body)))
  parentPort.on('message', async (body) => {
    const expected = await before
    const differing = expected.filter(({ status }) => status !== 200).map(({ text }) => text)
    let count = 0
    let converted
    const converting = post('/v1/convert', body).then((answer) => (converted = answer))
    await Promise.all(asked.map(async ([path, body], at) => {
      while (!converted) {
        const { text } = await post(path, body)
        count++
        if (text !== expected[at].text) differing.push(text)
      }
    }))
    const { status, text } = await converting
    parentPort.postMessage({ status, answer: text.slice(0, 300), asked: count, differing })
  })`
