/** `grainline eval`: questions of a file, their truths, and the verdicts. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { type Agent, evaluate, QuestionFault, readQuestions, runEval } from '@grainline/eval'
import t from 'tap'
import { readConfig } from '../../core/src/host/config.js'
import { startServer } from '../../core/src/host/server.js'
import { ownFolder } from '../support/own-folder.js'
import { streamsThatKeep } from '../support/streams-that-keep.js'

const config = await readConfig(new URL('server.yaml', import.meta.url).pathname, () => undefined)
const server = await startServer(config, { process: { PORT: '0', HOST: '127.0.0.1' }, dotenv: {} })
t.teardown(() => server.close())
const address = server.address!
const folder = ownFolder(t)

async function command(questions: string, ...args: string[]) {
  const file = path.join(folder, 'questions.yaml')
  writeFileSync(file, questions)
  const { stdout, stderr, written } = streamsThatKeep()
  const code = await runEval([file, '--server', address, ...args], { stdout, stderr }, {})
  return { code, ...written() }
}

const QUESTIONS = `
- { ask: How many flights were cancelled?, rows: [[8255]] }
- ask: How many flights did each airline have?
  query: { select: { dimensions: [Airline], measures: [Flight Count] } }
- { ask: What did each passenger pay?, refused: true }
`

t.test('rows, a query and a refusal are truths; the report has a line for each', async (t) => {
  const { code, out, err } = await command(QUESTIONS, '--model', 'flights', '--most-calls', '2')
  t.equal(err, '')
  t.match(out, /\| flights \| How many flights were cancelled\? \| right \| 2 \| \d+ \|/)
  t.match(out, /\| How many flights did each airline have\? \| right \|/)
  t.match(out, /3 questions: [23] right, [01] rightly refused, [01] wrong, 0 without an answer; at most 2 calls/)
  t.equal(code, /\b0 wrong/.test(out) ? 0 : 1)
})

t.test('the agent takes the share that was cancelled, all rows of a long answer, and both times that are compared', async (t) => {
  const { code, out } = await command(`
- ask: What share of the flights of each airline was cancelled?
  model: flights
  query: { select: { dimensions: [Airline], measures: [Cancellation Rate] } }
- ask: Show profit by supplier nation and order year.
  model: tpch
  query: { select: { dimensions: [Supplier Nation, Order Year], measures: [Profit] } }
- ask: How many flights were there in July compared with February?
  model: flights
  rows: [[2013-02-01, 24951], [2013-07-01, 29425]]
- ask: How many orders were placed in 1996 compared with 1995?
  model: tpch
  query: { select: { dimensions: [Order Year], measures: [Order Count] }, where: [{ field: Order Year, op: in, value: [1995, 1996] }] }
- { ask: What was the average wind speed in January?, model: flights, refused: true }
- { ask: How many passengers flew to Boston?, model: flights, refused: true }
`)
  t.equal(code, 0, out)
})

t.test('a wrong answer and an answer above a limit fail', async (t) => {
  const wrong = await command('- { ask: How many flights were cancelled?, model: flights, rows: [[1]] }')
  t.match(wrong, { code: 1, out: /\*\*wrong\*\*/ })
  const dear = await command('- { ask: How many flights were cancelled?, model: flights, rows: [[8255]] }', '--most-tokens', '10')
  t.match(dear, { code: 1, out: /1 right, 0 rightly refused, 0 wrong/ })
  const json = await command('- { ask: How many flights were cancelled?, model: flights, rows: [[8255]] }', '--json')
  t.match(JSON.parse(json.out), { questions: 1, right: 1, results: [{ verdict: 'right' }] })
  const shown = await command('- { ask: How many flights were cancelled?, model: flights, rows: [[8255]] }', '--show')
  t.match(shown.out, /# How many flights were cancelled\? \(right\)\n\{"name":"search_fields"/)
})

t.test('an agent that gives up is right only where there is no answer', async (t) => {
  const givesUp: Agent = async () => undefined
  const verdicts = []
  for await (const { verdict } of evaluate({ address, headers: {} }, givesUp, readQuestions(QUESTIONS, 'flights')))
    verdicts.push(verdict)
  t.same(verdicts, ['missing', 'missing', 'refused'])
})

t.test('what cannot be read or reached is said in a sentence', async (t) => {
  const faults: Readonly<Record<string, RegExp>> = {
    'ask: x': /is a list/,
    '- [x]': /line 1: a question is a map/,
    '- { ask: x, rows: [[1]], sql: y }': /'sql' is no key/,
    '- { rows: [[1]] }': /ask is missing/,
    '\n- { ask: x, rows: [[1], [1, 2]] }': /line 2: rows is a list/,
    '- { ask: x }': /one truth/,
    '- { ask: x, rows: [[1]], refused: true }': /one truth/,
    '- { ask: x, refused: no }': /refused is true/,
    '- { ask: x, query: [] }': /query is an object/,
    '- { ask: x, ordered: often, rows: [] }': /ordered is true or false/,
    '- { ask: "x': /quote/i,
  }
  for (const [text, message] of Object.entries(faults)) {
    t.throws(() => readQuestions(text, 'flights'), message, text)
    t.ok(faultOf(text) instanceof QuestionFault, text)
  }
  t.throws(() => readQuestions('- { ask: x, rows: [] }'), /no model is named/)
  t.match(await command('- { ask: x, model: nope, query: { select: {} } }'), {
    code: 2,
    err: /no model 'nope'; it has 'flights', 'tpch'/,
  })
  t.match(await command('- { ask: x, model: flights, query: { select: { measures: [Fligths] } } }'), { code: 2, err: /Fligths/ })
  t.match(await command('- x', '--most-calls', 'many'), { code: 2, err: /whole number/ })
  const { stdout, stderr, written } = streamsThatKeep()
  t.equal(await runEval(['/nowhere.yaml'], { stdout, stderr }, {}), 2)
  t.equal(await runEval([], { stdout, stderr }, {}), 2)
  t.equal(await runEval(['--help'], { stdout, stderr }, {}), 0)
  t.match(written().out, /^Usage: grainline eval QUESTIONS/)
  const nobody = await runEval([path.join(folder, 'questions.yaml'), '--server', 'http://127.0.0.1:1'], { stdout, stderr }, {})
  t.equal(nobody, 2)
})

function faultOf(text: string): unknown {
  try {
    return readQuestions(text, 'flights')
  } catch (error) {
    return error
  }
}
