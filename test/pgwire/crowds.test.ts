/** Statements that a client sends all at once are processed in turns, and other clients are served meanwhile. */
import net from 'node:net'
import t from 'tap'
import { bestOf, keepsTurns } from '../longest-turn.js'
import { bind, connectReady, describe, execute, message, parse, query, startup, sync } from './raw-client.js'
import { startPgwire } from './server.js'

/** A pipeline of thousands of statements may take the time of two turns between two answers, on any machine. */
const TURNS = 2

const server = await startPgwire({ settings: { PGWIRE_CATALOG: 'off' } })
t.teardown(() => server.close())

const many = (count: number, bytes: Buffer) => Buffer.concat(Array.from({ length: count }, () => bytes))
const asked = Buffer.concat([parse('SELECT 1'), bind(), describe('P'), execute()])
const crowds: readonly (readonly [string, Buffer])[] = [
  ['nothing but Sync', many(50_000, sync())],
  ['nothing but Flush', many(50_000, message('H'))],
  ['statements in one text', query('SELECT 1;'.repeat(5000))],
  ['questions in one pipeline', many(5000, asked)],
  ['questions that fail, one by one', many(5000, Buffer.concat([parse('SELEC 1'), sync()]))],
  ['cursors that are never asked', many(5000, Buffer.concat([parse('SELECT 1'), bind({ portal: 'p' }), sync()]))],
  ['a text that is no statement', query(`SELECT ${'('.repeat(50_000)}`)],
  ['a long list of values', query(`SELECT "Airline" FROM flights WHERE "Airline" IN (${"'x',".repeat(10_000)}'x')`)],
]

// By now, the modules of the first use are loaded.
const first = await connectReady(server.port, { database: 'flights' })
first.send(query('SELECT "Airline" FROM flights LIMIT 1'))
await first.until('Z')
first.end()

for (const [name, bytes] of crowds) {
  t.test(`${name}: other clients are served meanwhile`, async (t) => {
    const best = await bestOf(async () => t.ok((await say(bytes)) > 0), TURNS)
    keepsTurns(t, best)
  })
}

/** Sends it and the end, and counts the answers until the server closes the connection. */
function say(bytes: Buffer): Promise<number> {
  const socket = net.connect({ port: server.port, host: '127.0.0.1' })
  socket.write(startup({ user: 'tester', database: 'flights' }))
  socket.write(Buffer.concat([bytes, message('X')]))
  let heard = 0
  socket.on('data', (chunk) => {
    heard += chunk.length
  })
  return new Promise((resolve, reject) => {
    socket.on('error', reject)
    socket.on('end', () => {
      socket.destroy()
      resolve(heard)
    })
  })
}
