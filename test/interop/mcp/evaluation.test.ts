/** Sixty questions in plain English, over MCP, and the adapter with which a language model answers them. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { chatAgent, lineOf, scriptedAgent, sentenceOf, summaryOf } from '@grainline/eval'
import t from 'tap'
import { evaluateOurs } from '../../evaluation/evaluate.js'
import { questions } from '../../evaluation/questions.js'

t.setTimeout(300_000)

t.test('an agent without a language model answers most questions, within its budget of calls and tokens', async (t) => {
  t.equal(questions.length, 60)
  const results = await evaluateOurs(scriptedAgent, questions)
  t.comment(results.map(lineOf).join('\n'))
  for (const { question, calls, tokens } of results) {
    t.ok(calls <= 3, `${calls} calls: ${question.ask}`)
    t.ok(tokens <= 3500, `${tokens} tokens: ${question.ask}`)
  }
  const summary = summaryOf(results)
  t.ok(summary.meanTokens <= 750, sentenceOf(summary))
  t.ok(summary.right + summary.refused >= 40, sentenceOf(summary))
})

t.test('the words of the unseen questions are those in which they were written', (t) => {
  const written = readFileSync(new URL('../../evaluation/unseen.txt', import.meta.url), 'utf8').split('\n')
  const unseen = written.filter((line) => /[?]$/.test(line))
  t.equal(unseen.length, 30)
  const asked = ['flights', 'tpch'].flatMap((name) => questions.filter(({ model }) => model === name).slice(15))
  t.same(
    asked.map(({ ask }) => ask),
    unseen,
  )
  t.end()
})

t.test('a language model with an HTTP API answers through the same tools', async (t) => {
  const asked: {
    readonly messages: readonly { readonly role: string; readonly content?: string }[]
    readonly tools: object[]
  }[] = []
  const call = { name: 'query', arguments: JSON.stringify({ measures: ['Flight Count'] }) }
  const replies = [
    { role: 'assistant', tool_calls: [{ id: 'one', function: { name: 'query', arguments: '{"measures":' } }] },
    { role: 'assistant', tool_calls: [{ id: 'two', function: call }] },
    { role: 'assistant', content: 'There were 336,776 flights.' },
  ]
  const model = createServer(async (request, response) => {
    t.equal(request.headers.authorization, 'Bearer secret')
    asked.push((await json(request)) as (typeof asked)[number])
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ choices: [{ message: replies[asked.length - 1] }] }))
  }).listen(0, '127.0.0.1')
  t.teardown(() => model.close())
  await new Promise((resolve) => model.once('listening', resolve))
  const env = {
    EVAL_URL: `http://127.0.0.1:${(model.address() as AddressInfo).port}/chat/completions`,
    EVAL_MODEL: 'any',
    EVAL_KEY: 'secret',
  }
  const [result] = await evaluateOurs(chatAgent(env)!, questions.slice(0, 1))
  t.match(result, { question: { ask: 'How many flights were there?' }, verdict: 'right', calls: 1 })
  t.equal(asked[0]?.tools.length, 2)
  t.match(asked[1]?.messages.at(-1), { role: 'tool', content: /^error: / })
  t.match(asked[2]?.messages.at(-1), { role: 'tool', content: /^Flight Count\n336776$/ })
  t.equal(chatAgent({}), undefined)
  t.throws(() => chatAgent({ EVAL_URL: 'http://127.0.0.1' }), /EVAL_MODEL/)
})
