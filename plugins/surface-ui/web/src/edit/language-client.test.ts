import type { Language } from '@grainline/language'
import t from 'tap'
import { languageClient, type Port } from './language-client.js'
import { answering, type ToWorker } from './language-service.js'

const language: Language = {
  schema: { type: 'object', properties: { name: { type: 'string', description: 'What the model is called.' } } },
  functions: [],
  aggregations: [],
  operators: [],
  grains: [],
}
const text = 'name: shop\ndataObjects:\n  Orders: {code: orders, columns: {Id: {code: id, abstractType: int}}}\n'

/** The worker in this process, which answers when it is let. */
function port() {
  const answer = answering()
  const messages: ToWorker[] = []
  let [onMessage, fail]: Parameters<Port['listen']> = [() => undefined, () => undefined]
  return {
    messages,
    send: (message: ToWorker) => void messages.push(message),
    listen: (...listeners: Parameters<Port['listen']>) => {
      ;[onMessage, fail] = listeners
    },
    close: () => undefined,
    work: () => {
      const next = messages.shift()
      if (next) onMessage(structuredClone(answer(structuredClone(next))))
    },
    fail: (says: string) => fail(says),
  }
}

t.test('it answers like the language service, and the text is sent once', async (t) => {
  const worker = port()
  const client = languageClient(worker, language)
  const hover = client.ask('hover', text, 1)
  t.match(worker.messages, [{ asked: 'hover', text, language }])
  worker.work()
  t.match(await hover, { text: /What the model is called/ })
  const definition = client.ask('definition', text, text.indexOf('Orders') + 1)
  t.notOk(worker.messages.some((message) => message.text !== undefined || message.language !== undefined))
  worker.work()
  t.match(await definition, { from: text.indexOf('Orders') })
})

t.test('a finding has its line and its text', async (t) => {
  const worker = port()
  const asked = languageClient(worker, language).ask('diagnostics', text, [
    { code: 'X', message: 'late', path: 'dataObjects.Orders.code', severity: 'warning', line: 3, column: 18 },
    { code: 'X', message: 'early', path: 'name', severity: 'error', line: 1, column: 7 },
  ])
  worker.work()
  const found = (await asked) ?? []
  t.same(
    found.map(({ message, line, from, to }) => [message, line, text.slice(from, to)]),
    [
      ['early', 1, 'shop'],
      ['late', 3, 'orders'],
    ],
  )
})

t.test('while one request is in progress, only the newest one waits', async (t) => {
  const worker = port()
  const client = languageClient(worker, language)
  const answers = ['a', 'b', 'c', 'd'].map((added) => client.ask('diagnostics', `${text}# ${added}`, []))
  t.equal(worker.messages.length, 1)
  worker.work()
  worker.work()
  t.same(await Promise.all(answers), [[], undefined, undefined, []])
  t.equal(worker.messages.length, 0)
})

t.test('a text that the worker cannot process is an error', async (t) => {
  const worker = port()
  const asked = languageClient(worker, language).ask('rename', text, null as never)
  worker.work()
  await t.rejects(asked, /null/)
})

t.test('if the worker does not start, every request is answered with an error', async (t) => {
  const worker = port()
  const client = languageClient(worker, language)
  const asked = [client.ask('diagnostics', text, []), client.ask('diagnostics', text, [])]
  worker.fail('it does not start')
  for (const each of asked) await t.rejects(each, /does not start/)
})
