/** The cache of Keyv on a Redis server, through the adapter of Keyv itself. */
import { keyvStore } from '@grainline/cache-keyv'
import { silentLogger } from '@grainline/core'
import { cacheConformance } from '@grainline/core/testing'
import KeyvRedis from '@keyv/redis'
import t from 'tap'
import { redisBinary, redisServer } from './server.js'

const binary = redisBinary()
if (binary === undefined) {
  t.pass('no redis-server or valkey-server is installed (apt-get install redis-server), and REDIS_SERVER names none')
} else {
  const server = await redisServer(binary)
  t.teardown(() => server.stop())
  let count = 0
  const open = (namespace = `test${++count}`) =>
    keyvStore({ adapter: new KeyvRedis(server.url), namespace, logger: silentLogger })

  cacheConformance(t, { open: () => open() })

  t.test('two processes share answers in one namespace, and not in others', async (t) => {
    const [one, two, other] = [await open('same'), await open('same'), await open('other')]
    await one.set('answer/1', Buffer.from([0, 128, 255]), 60)
    t.same(await two.get('answer/1'), Buffer.from([0, 128, 255]))
    t.equal(await other.get('answer/1'), undefined)
    t.equal(await two.deleteMany(['answer/1']), 1)
    t.equal(await one.get('answer/1'), undefined)
    for (const store of [one, two, other]) await store.close()
  })
}
