import t from 'tap'
import type { AnswerReader } from './answer-reader.js'
import { createPool } from './connection-pool.js'

function poolOf(size: number, waitMs = 1000) {
  const closed: number[] = []
  let made = 0
  let failures = 0
  const pool = createPool<number>({
    name: 'test',
    size,
    waitMs,
    open: async () => {
      if (failures-- > 0) throw new Error('no connection')
      return ++made
    },
    close: (connection) => {
      closed.push(connection)
    },
  })
  return {
    pool,
    closed,
    failNext: (count: number) => {
      failures = count
    },
  }
}

t.test('a connection is opened only when none is idle', async (t) => {
  const { pool } = poolOf(3)
  const first = await pool.acquire()
  await pool.release(first)
  t.equal(await pool.acquire(), first)
  t.equal(await pool.acquire(), first + 1)
  t.same(pool.stats, { open: 2, idle: 0, waiting: 0 })
})

t.test('waiting requests are served in order of arrival', async (t) => {
  const { pool } = poolOf(1)
  const connection = await pool.acquire()
  const order: string[] = []
  const waiting = ['a', 'b', 'c'].map(async (name) => {
    const lent = await pool.acquire()
    order.push(name)
    await pool.release(lent)
  })
  t.equal(pool.stats.waiting, 3)
  await pool.release(connection)
  await Promise.all(waiting)
  t.same(order, ['a', 'b', 'c'])
})

t.test('the request that waits longest is refused with POOL_EXHAUSTED, and a cancelled request leaves the queue', async (t) => {
  const { pool } = poolOf(1, 20)
  const connection = await pool.acquire()
  await t.rejects(pool.acquire(), { code: 'POOL_EXHAUSTED', message: /All 1 connections/ })
  const abort = new AbortController()
  const reason = new Error('gone')
  const gaveUp = t.rejects(pool.acquire(abort.signal), reason)
  abort.abort(reason)
  await gaveUp
  t.equal(pool.stats.waiting, 0)
  await pool.release(connection)
  t.equal(pool.stats.idle, 1)
})

t.test('a broken connection is closed and its slot goes to a waiting request', async (t) => {
  const { pool, closed } = poolOf(1)
  const connection = await pool.acquire()
  const next = pool.acquire()
  await pool.release(connection, 'broken')
  t.equal(await next, connection + 1)
  t.same(closed, [connection])
})

t.test('a slot is free again if opening its connection failed', async (t) => {
  const { pool, failNext } = poolOf(1)
  failNext(1)
  await t.rejects(pool.acquire(), { message: 'no connection' })
  t.equal(await pool.acquire(), 1)
})

t.test('closing refuses waiting requests and ends when the last connection is released', async (t) => {
  const { pool, closed } = poolOf(1)
  const connection = await pool.acquire()
  const refused = t.rejects(pool.acquire(), { code: 'POOL_EXHAUSTED' })
  let ended = false
  const closing = pool.close().then(() => {
    ended = true
  })
  await refused
  t.equal(ended, false)
  await pool.release(connection)
  await closing
  t.same(closed, [connection])
  await t.rejects(pool.acquire(), { code: 'POOL_EXHAUSTED' })
})

t.test('the client with the least recent use is served first, so a client with many requests waits for itself', async (t) => {
  const { pool } = poolOf(2)
  const [first, second] = [await pool.acquire(undefined, 'busy'), await pool.acquire(undefined, 'busy')]
  const order: string[] = []
  const waiting = ['busy', 'busy', 'quiet', 'busy', 'new'].map(async (client) => {
    const lent = await pool.acquire(undefined, client)
    order.push(client)
    await pool.release(lent)
  })
  await pool.release(first)
  await Promise.all(waiting)
  t.same(order, ['quiet', 'new', 'busy', 'busy', 'busy'])
  await pool.release(second)
})

t.test('of three or more connections the last one is reserved for clients with few requests', async (t) => {
  const { pool } = poolOf(3, 20)
  const [first, second] = [await pool.acquire(undefined, 'a'), await pool.acquire(undefined, 'b')]
  await t.rejects(pool.acquire(undefined, 'a'), { code: 'POOL_EXHAUSTED' })
  await t.rejects(pool.acquire(undefined, 'b'), { code: 'POOL_EXHAUSTED' })
  for (let i = 0; i < 3; i++) await pool.release(await pool.acquire(undefined, 'quiet'))
  await pool.release(await pool.acquire())
  const waits = pool.acquire(undefined, 'a')
  await pool.release(second)
  const third = await waits
  const fourth = await pool.acquire(undefined, 'a')
  t.same(pool.stats, { open: 3, idle: 0, waiting: 0 }, 'and one client alone may have all of them')
  for (const lent of [first, third, fourth]) await pool.release(lent)
})

/** A reader that has kept others waiting for so long at every look, and frees its connection when it is asked to. */
function idleReader(ms: () => number, free: () => void): AnswerReader {
  let givesWay = false
  return {
    keptWaiting: ms,
    giveWay() {
      givesWay = true
      free()
    },
    get givesWay() {
      return givesWay
    },
  }
}

t.test('a reader that keeps others waiting gives way, one for each request, the slowest first', async (t) => {
  const { pool } = poolOf(3, 1000)
  const gone: string[] = []
  const hold = async (name: string, ms: number) => {
    const free = () => {
      gone.push(name)
      void pool.release(connection)
    }
    const connection = await pool.acquire(
      undefined,
      name,
      idleReader(() => ms, free),
    )
  }
  await hold('slow', 500)
  await hold('slower', 600)
  await hold('quick', 499)
  t.same(gone, [], 'while none waits')
  const lent = await pool.acquire(undefined, 'waits')
  t.same(gone, ['slower'])
  await pool.release(lent)
  await Promise.all(['a', 'b'].map((name) => pool.acquire(undefined, name)))
  t.same(gone, ['slower', 'slow'])
  await t.rejects(pool.acquire(undefined, 'c'), { code: 'POOL_EXHAUSTED' }, 'a reader that reads in time keeps its connection')
  t.same(gone, ['slower', 'slow'])
})

t.test('while a reader frees its connection, no other one gives way for the same request', async (t) => {
  const { pool } = poolOf(3, 4000)
  const gone: number[] = []
  for (const connection of [1, 2])
    t.equal(
      await pool.acquire(
        undefined,
        'a',
        idleReader(
          () => 5000,
          () => gone.push(connection),
        ),
      ),
      connection,
    )
  let looks = 0
  const counting = idleReader(
    () => {
      if (++looks === 4) void pool.release(gone[0]!)
      return 0
    },
    () => {},
  )
  await pool.acquire(undefined, 'b', counting)
  t.equal(await pool.acquire(undefined, 'c'), gone[0])
  t.equal(gone.length, 1)
})
