/** Clients that cancel, disconnect, or do not read. */
import { subscribe } from 'node:diagnostics_channel'
import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import t from 'tap'
import { ask, connectRaw, connectReady, message, packet, query, rowsOf, startup } from './raw-client.js'
import { startPgwire } from './server.js'

const server = await startPgwire({ settings: { PGWIRE_CATALOG: 'off', DB_POOL_SIZE: 5 } })
t.teardown(() => server.close())

const flights = { database: 'flights' }
const SMALL = 'SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC LIMIT 3'
/** All flights, some 20 MB of them. */
const ALL = `SELECT "Flights"."Tail Number", "Flights"."Origin", "Flights"."Destination", "Flights"."Scheduled At" FROM flights LIMIT 400000`
const CANCEL = 80877102

t.test('a late cancel request stops nothing, in particular not the next statement', async (t) => {
  const client = await connectRaw(server.port)
  client.send(startup({ user: 'x', ...flights }))
  const key = (await client.until('Z')).find(({ type }) => type === 'K')!.body
  for (let i = 0; i < 5; i++) {
    await ask(client, 'SELECT 1')
    const other = await connectRaw(server.port)
    other.send(packet(CANCEL, key.subarray(0, 4), key.subarray(4)))
    await other.closed()
    t.equal(rowsOf(await ask(client, SMALL)).length, 3)
  }
  client.end()
})

t.test('twelve clients that disconnect in the middle of an answer leave five connections to the database free', async (t) => {
  for (let i = 0; i < 12; i++) {
    const client = await connectReady(server.port, flights)
    client.send(query(ALL))
    await client.next()
    client.end()
  }
  const answers = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const client = await connectReady(server.port, flights)
      const answer = await ask(client, SMALL)
      client.end()
      return rowsOf(answer).length
    }),
  )
  t.same(answers, Array(10).fill(3))
})

t.test('for a client that does not read, no rows are buffered', async (t) => {
  const accepted = new Promise<net.Socket>((resolve) =>
    subscribe('net.server.socket', (opened) => resolve((opened as { readonly socket: net.Socket }).socket)),
  )
  const socket = net.connect(server.port, '127.0.0.1')
  const ofServer = await accepted
  socket.write(startup({ user: 'x', ...flights }))
  socket.write(query(ALL))
  await new Promise((resolve) => socket.once('data', resolve))
  socket.pause()
  // Until the server writes no more: the same count twenty times in a row.
  for (let quiet = 0, last = -1; quiet < 20; await wait(25)) {
    quiet = ofServer.bytesWritten === last ? quiet + 1 : 0
    last = ofServer.bytesWritten
  }
  t.ok(ofServer.writableLength < 4 * 1024 * 1024, `${Math.round(ofServer.writableLength / 1024)} KB are held`)
  let heard = 0
  socket.on('data', (chunk) => {
    heard += chunk.length
  })
  socket.write(message('X'))
  socket.resume()
  await new Promise((resolve) => socket.once('end', resolve))
  t.ok(heard > 10_000_000, `${heard} bytes came once it did`)
  socket.destroy()
})
