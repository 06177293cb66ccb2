import { redisStore } from '@grainline/cache-redis'
import { silentLogger } from '@grainline/core'
import { cacheConformance } from '@grainline/core/testing'
import t from 'tap'
import { redisBinary, redisServer } from './server.js'

const binary = redisBinary()
if (binary === undefined) {
  t.pass('no redis-server or valkey-server is installed (apt-get install redis-server), and REDIS_SERVER names none')
} else {
  const server = await redisServer(binary)
  t.teardown(() => server.stop())
  let count = 0
  const open = (prefix = `t*[${++count}]:`) => redisStore({ url: server.url, prefix, logger: silentLogger })

  cacheConformance(t, { open: () => open() })

  t.test('two processes share entries with the same prefix, and not with different ones', async (t) => {
    const [one, two, other] = [await open('same:'), await open('same:'), await open('other:')]
    await one.set('key', Buffer.from([0, 128, 255]), 60)
    t.same(Buffer.from((await two.get('key'))!), Buffer.from([0, 128, 255]))
    t.equal(await other.get('key'), undefined)
    for (const store of [one, two, other]) await store.close()
  })

  t.test('calls to a stopped server reject at once, and a restarted server is used again', async (t) => {
    const store = await open()
    await store.set('key', Buffer.from('1'), 60)
    await server.stop()
    await t.rejects(async () => store.get('key'))
    await t.rejects(store.set('key', Buffer.from('2'), 60))
    await server.start()
    for (let i = 0; i < 100; i++) {
      const done = await store.set('key', Buffer.from('3'), 60).then(
        () => true,
        () => false,
      )
      if (done) break
      await new Promise((later) => setTimeout(later, 50))
    }
    t.equal(Buffer.from((await store.get('key'))!).toString(), '3')
    await store.close()
  })

  t.test('a missing server is refused when the store is opened', async (t) => {
    await t.rejects(redisStore({ url: 'redis://127.0.0.1:1', prefix: '', logger: silentLogger }))
  })
}
