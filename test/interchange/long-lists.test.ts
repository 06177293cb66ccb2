/** A text with tens of thousands of items: what became of them is counted and sent in turns. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { definePlugin, type Importer } from '@grainline/core'
import t from 'tap'
import { conversionOf } from '../../core/src/service/conversion.js'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { startRest } from '../rest/server.js'

t.setTimeout(300_000)

const COUNT = 60_000

const document = { version: 1, dataObjects: { A: { code: 'a', columns: { X: { code: 'x', abstractType: 'int' } } } } }
const places = Array.from({ length: COUNT }, (_, at) => ({ path: ['measures', `m${at}`], place: { line: at + 1, column: 5 } }))
const losses = places.map(({ place }) => ({ kind: 'rewritten' as const, message: 'It is read in another way.', place }))

t.test('counting the items holds nobody up', async (t) => {
  const best = await bestOf(async () => {
    const { counts } = await conversionOf({ document, places, losses: losses.slice(1) }, [], { listsExact: true })
    t.match(counts, { exact: 1, rewritten: COUNT - 1, inert: 0, refused: 0 })
  })
  keepsTurns(t, best)
})

t.test('a long list is sent in turns, and is the same JSON', async (t) => {
  const many: Importer = { name: 'many', detect: () => false, read: async () => ({ document, places: [], losses }) }
  const plugin = definePlugin({ name: 'many', host: '*', setup: (host) => host.importers.register(many) })
  const server = await startRest({ plugins: [plugin] })
  t.teardown(() => server.close())
  const turnsOf = async (running: Promise<unknown>) => {
    let isRunning = true
    let turns = 0
    const counted = (async () => {
      for (; isRunning; turns++) await nextTurn()
    })()
    await running
    isRunning = false
    await counted
    return turns
  }
  let answer = ''
  const turns = await turnsOf(
    server.post('/v1/convert', { model_yaml: 'x', format: 'many' }).then(({ status, text }) => {
      t.equal(status, 200)
      answer = text
    }),
  )
  t.ok(turns > COUNT / 1000, `${turns} turns`)
  t.match(JSON.parse(answer), { counts: { rewritten: COUNT }, losses: [{ kind: 'rewritten', line: 1, column: 5 }] })
  t.equal(JSON.parse(answer).losses.length, COUNT)
  const { session_id } = (await server.post('/v1/sessions')).body
  const load = { model_yaml: 'x', format: 'many' }
  const loaded = await server.post(`/v1/sessions/${session_id}/models`, load)
  t.equal(loaded.status, 201)
  t.equal(loaded.body.warnings.length, COUNT)
  t.equal((await server.post('/v1/validate', load)).body.warnings.length, COUNT)
})

t.test('a result that is longer than a model may be is given without places in it', async (t) => {
  const long = { ...document, description: 'x'.repeat(5_000_001) }
  const { model_yaml, losses: listed } = await conversionOf(
    { document: long, places, losses: [{ ...losses[0]!, path: ['dataObjects', 'A'] }] },
    [],
    {
      listsExact: false,
    },
  )
  t.ok((model_yaml ?? '').length > 5_000_000)
  t.match(listed, [{ path: 'dataObjects.A', line: 1 }])
  t.equal(listed[0]?.target, undefined)
})
