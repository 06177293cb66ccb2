/** Long answers over Arrow Flight SQL: time limits, slow readers, cancellation, concurrency. */
import { once } from 'node:events'
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connectFlightSql, flight, sql } from '@grainline/flight-sql'
import { status } from '@grpc/grpc-js'
import t from 'tap'
import { holds } from '../specification/holds.js'
import { rowsOf } from './rows-of.js'
import { startFlight } from './server.js'

t.setTimeout(300_000)
const init = [
  "CREATE TABLE numbers AS SELECT range AS id, 'order number ' || repeat('x', 100) || range AS label, range * 0.5::DOUBLE AS amount FROM range(200000)",
  'CREATE VIEW endless AS SELECT range AS id FROM range(100000000000)',
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
/** Raw rows: there is no grouping, so the first rows arrive at once. */
const ALL = 'SELECT "Numbers"."Id" AS "Number", "Numbers"."Label", "Numbers"."Amount" FROM numbers'
const ROWS = 200_000
const UNENDING = 'SELECT "Endless"."Id" FROM numbers'

t.test('many rows arrive completely, in messages of moderate size', async (t) => {
  let [rows, most, sum] = [0, 0, 0n]
  for await (const batch of await client.query(ALL)) {
    rows += batch.numRows
    most = Math.max(most, batch.numRows)
    for (const value of batch.getChild('Number')!) sum += value as bigint
  }
  t.equal(rows, ROWS)
  t.equal(sum, (BigInt(ROWS) * BigInt(ROWS - 1)) / 2n)
  t.ok(most <= 65_536, `${most} rows in the largest`)
})

t.test('a query is stopped at its time limit in the database, and the error names the setting', async (t) => {
  holds(t, 'flight.timeout')
  const hasty = await served({ FLIGHT_QUERY_TIMEOUT_SECONDS: 1 })
  t.teardown(() => hasty.close())
  const own = await hasty.connect()
  await t.rejects(own.query('SELECT "Endless" FROM numbers'), {
    code: status.DEADLINE_EXCEEDED,
    details: /FLIGHT_QUERY_TIMEOUT_SECONDS/,
  })
  t.same(await rowsOf(await own.catalogs()), [['numbers']], 'and the service goes on')
})

/** A call of a client without its own timer, to see the response of the server at its deadline. */
async function heldAt(port: number, ticket: Uint8Array, read: boolean): Promise<string> {
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  const headers = { 'content-type': 'application/grpc', te: 'trailers', 'grpc-timeout': '300m' }
  const stream = session.request({ ':method': 'POST', ':path': `/${flight.FLIGHT_SERVICE}/DoGet`, ...headers })
  const message = flight.ticket.encode({ ticket })
  const head = Buffer.alloc(5)
  head.writeUInt32BE(message.length, 1)
  stream.end(Buffer.concat([head, message]))
  const told = new Promise<string>((resolve) => {
    const heard = (headers: IncomingHttpHeaders) =>
      headers['grpc-status'] !== undefined && resolve(String(headers['grpc-status']))
    stream.on('response', heard).on('trailers', heard)
  })
  if (read) stream.resume()
  else {
    // The rows stay unread until another client was served.
    await once(stream, 'response')
    const own = await connectFlightSql({ host: '127.0.0.1', port })
    await rowsOf(await own.query('SELECT "Count" FROM numbers'))
    own.close()
    stream.resume()
  }
  const code = await told
  session.destroy()
  return code
}

t.test('a deadline ends the call and its query, whether or not the client reads', async (t) => {
  const single = await served({ DB_POOL_SIZE: 1 })
  t.teardown(() => single.close())
  const own = await single.connect()
  for (const [statement, read] of [
    ['SELECT "Endless" FROM numbers', true],
    [ALL, false],
  ] as const) {
    const cmd = sql.named('CommandStatementQuery', sql.commandStatementQuery.encode({ query: statement }))
    const answer = await own.calls.unary('GetFlightInfo', flight.flightDescriptor.encode({ type: flight.DESCRIPTOR_CMD, cmd }))
    const { ticket } = flight.flightInfo.decode(answer).endpoint![0]!
    t.equal(await heldAt(single.port, ticket!.ticket!, read), String(status.DEADLINE_EXCEEDED), statement)
    t.same(await rowsOf(await own.query('SELECT "Count" FROM numbers')), [[BigInt(ROWS)]], 'its one connection is free')
  }
})

t.test('clients that stop reading hold no rows in memory, and other clients are served', async (t) => {
  const idle = await Promise.all(Array.from({ length: 3 }, async () => (await server.connect()).query(UNENDING)))
  const iterators = idle.map((answer) => answer[Symbol.asyncIterator]())
  for (const iterator of iterators) await iterator.next()
  global.gc?.()
  const before = process.memoryUsage().rss
  t.same(await rowsOf(await client.query('SELECT 1')), [[1n]])
  const [[count]] = (await rowsOf(await client.query('SELECT "Count" FROM numbers'))) as [[bigint]]
  t.equal(count, BigInt(ROWS))
  const grown = (process.memoryUsage().rss - before) / 2 ** 20
  t.ok(grown < 200, `${grown.toFixed(0)} MB grown beside three answers without an end`)
  for (const answer of idle) await answer.cancel()
})

t.test('144 cancellations among 156 checked answers on one connection: no answer is wrong', async (t) => {
  let [cancelled, right] = [0, 0]
  const check = async (index: number) => {
    const from = (index * 6151) % 190_000
    const query = `SELECT "Number", "Amount" FROM numbers WHERE "Number" >= ${from} AND "Number" < ${from + 500} ORDER BY 1`
    const rows = await rowsOf(await client.query(query))
    t.ok(
      rows.length === 500 && rows.every(([id, amount], i) => id === BigInt(from + i) && Number(amount) === (from + i) / 2),
      query,
    ) && right++
  }
  const cancel = async (index: number) => {
    const stop = new AbortController()
    const asked = client.query(ALL, { signal: stop.signal })
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

t.test('a client that disappears frees its connection to the database', async (t) => {
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
  t.equal(count, BigInt(ROWS), 'though the pool has eight')
})
