/** Long answers over Arrow Flight SQL: time, slow readers, cancellation, many at once. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectFlightSql } from '@grainline/flight-sql'
import { status } from '@grpc/grpc-js'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { rowsOf } from './rows-of.js'
import { startFlight } from './server.js'

t.setTimeout(300_000)
const init = [
  "CREATE TABLE numbers AS SELECT range AS id, 'order number ' || range AS label, range * 0.5::DOUBLE AS amount FROM range(1000000)",
  'CREATE VIEW endless AS SELECT count(*) AS id FROM range(100000000000) a, range(1000) b',
]
const served = (settings: Record<string, unknown>) =>
  startFlight({
    preload: [{ session: 'numbers', model: '../flight/numbers.yaml' }],
    plugins: [{ use: '@grainline/vendor-duckdb', with: { init } }],
    settings,
  })
const server = await served({ FLIGHT_QUERY_TIMEOUT_SECONDS: 600, DB_POOL_SIZE: 8 })
t.teardown(() => server.close())
const client = await server.connect()
const ALL = 'SELECT "Number", "Label", "Amount" FROM numbers'

t.test('a million rows come whole, in messages of some size', async (t) => {
  let [rows, most, sum] = [0, 0, 0n]
  for await (const batch of await client.query(ALL)) {
    rows += batch.numRows
    most = Math.max(most, batch.numRows)
    for (const value of batch.getChild('Number')!) sum += value as bigint
  }
  t.equal(rows, 1_000_000)
  t.equal(sum, 499_999_500_000n)
  t.ok(most <= 65_536, `${most} rows in the largest`)
})

t.test('a query ends after its time in the database, and says which setting that is', async (t) => {
  holds(t, 'flight.timeout')
  const hasty = await served({ FLIGHT_QUERY_TIMEOUT_SECONDS: 1 })
  t.teardown(() => hasty.close())
  const own = await hasty.connect()
  await t.rejects(own.query('SELECT "Endless" FROM numbers'), {
    code: status.DEADLINE_EXCEEDED,
    details: /FLIGHT_QUERY_TIMEOUT_SECONDS/,
  })
  t.same(await rowsOf(await own.query('SELECT 1')), [[1n]])
})

t.test('readers who stop reading hold no rows in memory, and others are served', async (t) => {
  const idle = await Promise.all(Array.from({ length: 3 }, async () => (await server.connect()).query(ALL)))
  const iterators = idle.map((answer) => answer[Symbol.asyncIterator]())
  for (const iterator of iterators) await iterator.next()
  global.gc?.()
  const before = process.memoryUsage().rss
  t.same(await rowsOf(await client.query('SELECT 1')), [[1n]])
  const [[count]] = (await rowsOf(await client.query('SELECT "Count" FROM numbers'))) as [[bigint]]
  t.equal(count, 1_000_000n)
  const grown = (process.memoryUsage().rss - before) / 2 ** 20
  t.ok(grown < 200, `${grown.toFixed(0)} MB grown beside three answers of 60 MB each`)
  for (const answer of idle) await answer.cancel()
})

t.test('144 cancellations amid 156 checked answers: none is wrong', async (t) => {
  let [cancelled, right] = [0, 0]
  const check = async (index: number) => {
    const from = (index * 6151) % 900_000
    const query = `SELECT "Number", "Amount" FROM numbers WHERE "Number" >= ${from} AND "Number" < ${from + 500} ORDER BY 1`
    const rows = await rowsOf(await client.query(query))
    t.ok(
      rows.length === 500 && rows.every(([id, amount], i) => id === BigInt(from + i) && Number(amount) === (from + i) / 2),
      query,
    ) && right++
  }
  const cancel = async (index: number) => {
    // A connection of its own: Node's client does not give back the window of what a cancelled call left unread.
    const own = await connectFlightSql({ host: '127.0.0.1', port: server.port })
    const stop = new AbortController()
    const asked = own.query(ALL, { signal: stop.signal })
    if (index % 3 === 0) {
      for (let turns = index % 7; turns > 0; turns--) await nextTurn()
      stop.abort()
    }
    try {
      const answer = await asked
      if (index % 3 === 1) for await (const _ of answer) break
      else await answer.cancel()
      cancelled++
    } catch (error) {
      t.match(error, { code: status.CANCELLED })
      cancelled++
    } finally {
      own.close()
    }
  }
  const work = [
    ...Array.from({ length: 156 }, (_, i) => () => check(i)),
    ...Array.from({ length: 144 }, (_, i) => () => cancel(i)),
  ]
  const shuffled = work.map((each, i) => [each, (i * 7919) % work.length] as const).toSorted((a, b) => a[1] - b[1])
  const queue = shuffled.map(([each]) => each)
  await Promise.all(
    Array.from({ length: 6 }, async () => {
      for (let next = queue.pop(); next !== undefined; next = queue.pop()) await next()
    }),
  )
  t.same([right, cancelled], [156, 144])
})

t.test('a client that is gone without a word frees its connection to the database', async (t) => {
  const sockets = new Set<Socket>()
  const between = createServer((socket) => {
    const onward = connect(server.port, '127.0.0.1')
    for (const each of [socket, onward]) sockets.add(each.on('error', () => {}))
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  t.teardown(() => between.close())
  for (let i = 0; i < 16; i++) {
    const gone = await connectFlightSql({ host: '127.0.0.1', port: (between.address() as AddressInfo).port })
    const answer = await gone.query(ALL)
    await answer[Symbol.asyncIterator]().next()
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    gone.close()
  }
  const [[count]] = (await rowsOf(await client.query('SELECT "Count" FROM numbers'))) as [[bigint]]
  t.equal(count, 1_000_000n, 'though the pool has eight')
})
