/**
 * 64 connections that ask large questions, every tenth answer cut in mid-stream by the client; at the end nothing may be left behind.
 * `node --expose-gc --conditions=@grainline/source --import tsx test/load/pgwire.ts [seconds, 300 by default]`
 */
import { setTimeout as wait } from 'node:timers/promises'
import { ask, connectReady, query, rowsOf } from '../pgwire/raw-client.js'
import { startPgwire } from '../pgwire/server.js'

const SECONDS = Number(process.argv[2] ?? 300)
const CONNECTIONS = 64
const LARGE = 'SELECT "Tail Number", "Scheduled At", "Destination Airport", "Flight Count" FROM flights LIMIT 20000'
const SMALL = 'SELECT "Airline", "Flight Count" FROM flights ORDER BY 2 DESC LIMIT 3'

const server = await startPgwire({ settings: { PGWIRE_CATALOG: 'off', PGWIRE_MAX_CONNECTIONS: CONNECTIONS, DB_POOL_SIZE: 5 } })
const until = performance.now() + SECONDS * 1000
const total = { answered: 0, cut: 0, refused: 0 }
const memory = () => {
  global.gc?.()
  return Math.round(process.memoryUsage().rss / 1024 / 1024)
}

/** One client after the other on one of the seats. */
async function seat(number: number): Promise<void> {
  for (let turn = 0; performance.now() < until; turn++) {
    const client = await connectReady(server.port, { database: 'flights' }).catch(() => undefined)
    if (client === undefined) {
      total.refused++
      await wait(50)
      continue
    }
    const cuts = (turn + number) % 10 === 0
    client.send(query(turn % 3 === 0 ? LARGE : SMALL))
    if (cuts) {
      await client.next()
      total.cut++
    } else {
      const answer = await client.until('Z')
      if (answer.some(({ type }) => type === 'E')) total.refused++
      else total.answered++
    }
    client.end()
  }
}

const watch = setInterval(() => console.log({ ...total, memory: memory() }), 30_000)
await Promise.all(Array.from({ length: CONNECTIONS }, (_, number) => seat(number)))
clearInterval(watch)
await wait(1000)

// Every connection of the pool, and every seat, is free again.
const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => connectReady(server.port, { database: 'flights' })))
const began = performance.now()
const answers = await Promise.all(clients.slice(0, 20).map((client) => ask(client, SMALL)))
const served = answers.filter((answer) => rowsOf(answer).length === 3).length
console.log({ ...total, memory: memory(), afterwards: `${served} of 20 answered in ${Math.round(performance.now() - began)} ms` })
for (const client of clients) client.end()
await server.close()
process.exitCode = served === 20 ? 0 : 1
