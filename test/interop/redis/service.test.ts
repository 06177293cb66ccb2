/**
 * The whole service with CACHE_BACKEND=redis while the Redis server stops and restarts: no wrong answer, and no error except for
 * heartbeats.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { executionOf, questions } from '../../cache/flights.js'
import { movedClock } from '../../support/moved-clock.js'
import { redisBinary, redisServer } from './server.js'

const TOKEN = 'a heartbeat token of good length'
/** A store that failed is not used for two seconds. */
const RESTED_MS = 2100
const OUTAGES = 3
/** Queries of all clients before and after each change. */
const ROUND = 40

const binary = redisBinary()
if (binary === undefined) {
  t.pass('no redis-server or valkey-server is installed (apt-get install redis-server), and REDIS_SERVER names none')
} else {
  const redis = await redisServer(binary)
  const service = await executionOf({
    CACHE_BACKEND: 'redis',
    CACHE_KEY: 'the key of this test',
    CACHE_REDIS_URL: redis.url,
    HEARTBEAT_AUTH_TOKEN: TOKEN,
  })
  t.teardown(async () => {
    await service.close()
    await redis.stop()
  })
  const { server, ask } = service
  const answers = new Map<object, unknown>()
  for (const question of questions) answers.set(question, (await ask('plain', question)).rows)
  const clock = movedClock(t)
  /**
   * Resolves when the cache answers again. Its client reconnects by itself, and after each failed attempt the store is not used for a
   * while.
   */
  const isBack = async () => {
    while ((await server.get('/v1/cache/stats')).status !== 200) {
      clock.forward(RESTED_MS)
      await nextTurn()
    }
  }
  const beat = () => server.post('/v1/heartbeat', { table: 'flights' }, { authorization: `Bearer ${TOKEN}` })

  /** Sends queries until it is stopped; counts answers from the cache and wrong answers. */
  async function askOnAndOn(going: { readonly on: boolean; asked: number }) {
    const seen = { asked: 0, cached: 0, wrong: 0 }
    for (let i = 0; going.on; i++) {
      const question = questions[i % questions.length]!
      const { rows, cached } = await ask('keeping', question)
      seen.asked += 1
      going.asked += 1
      if (cached) seen.cached += 1
      if (JSON.stringify(rows) !== JSON.stringify(answers.get(question))) seen.wrong += 1
    }
    return seen
  }

  t.test('a Redis server that stops and restarts during many queries changes no answer', async (t) => {
    const going = { on: true, asked: 0 }
    const asked = async (more: number) => {
      const enough = going.asked + more
      while (going.asked < enough) await nextTurn()
    }
    const asking = Promise.all(Array.from({ length: 4 }, () => askOnAndOn(going)))
    for (let outage = 0; outage < OUTAGES; outage++) {
      await asked(ROUND)
      await redis.stop()
      await asked(ROUND)
      await redis.start()
      await isBack()
      await asked(ROUND)
    }
    going.on = false
    for (const { asked, cached, wrong } of await asking) {
      t.ok(asked > questions.length && cached > 0, `${asked} asked, ${cached} from the cache`)
      t.equal(wrong, 0)
    }
  })

  t.test(
    'while Redis is down, answers come from the database, and requests about the cache itself are refused as unavailable',
    async (t) => {
      await ask('keeping', questions[0]!)
      t.match(await ask('keeping', questions[0]!), { cached: true })
      await redis.stop()
      const unavailable = { status: 503, body: { code: 'CACHE_UNAVAILABLE' } }
      const verbs = [() => server.get('/v1/cache/stats'), () => server.post('/v1/cache/clear'), beat]
      for (const verb of verbs) {
        t.match(await verb(), unavailable)
        clock.forward(RESTED_MS)
      }
      for (let i = 0; i < 3; i++)
        t.match(await ask('keeping', questions[0]!), { cached: false, rows: answers.get(questions[0]!) })
      await redis.start()
      await isBack()
      t.match(await server.get('/v1/cache/stats'), { status: 200, body: { backend: 'redis', entry_count: 0 } })
      t.match(await beat(), { status: 200 })
      await ask('keeping', questions[0]!)
      t.match(await ask('keeping', questions[0]!), { cached: true, rows: answers.get(questions[0]!) })
      t.match(await beat(), { status: 200, body: { invalidated_cache_entries: 1 } })
      t.match(await ask('keeping', questions[0]!), { cached: false, rows: answers.get(questions[0]!) })
    },
  )
}
