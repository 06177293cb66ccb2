import { setTimeout as sleep } from 'node:timers/promises'
import { drain } from '../bench/drain.js'
import { ask, bind, connectReady, errorOf, execute, parse, query, sync } from '../pgwire/raw-client.js'
import { healthDuring } from './health.js'
import { ordersConfig } from './orders.js'
import { startWatched } from './server.js'

/** The longest time that the server's own computation may block other clients. */
const MOST_STALL_MS = 100
const CLIENTS = 3
const ROWS = 1_000_000

const rows = `SELECT "Orders"."Id", "Orders"."Country", "Orders"."Sales", "Orders"."Day", "Orders"."Price" FROM sales LIMIT ${ROWS}`
const binary = Buffer.concat([parse(rows), bind({ formats: [1] }), execute(), sync()])
const hostile = `SELECT count(*) FROM pg_class a, pg_attribute b, pg_attribute c, pg_proc d WHERE a.relname <> c.attname`

/** Answers of a million rows, one after the other for three clients, and an endless catalogue query, while other clients must be served. */
export async function wireGiants(seconds: number): Promise<string> {
  const server = await startWatched({ PGWIRE_ENABLED: 'true', PGWIRE_PORT: '0', PGWIRE_HOST: '127.0.0.1' }, ordersConfig(ROWS))
  const port = await server.wire()
  const at = { port, database: 'sales', processOf: () => process.pid }
  const looker = await connectReady(port, { database: 'sales' })
  // By now, the modules of the first use are loaded: the database of the catalogue, whose thread takes seconds to start, and DuckDB.
  await ask(looker, 'SELECT count(*) FROM pg_class')
  await drain(at, query(rows), ROWS)
  const idle = await healthDuring(server.url, () => sleep(5000))
  await server.watch()

  const until = performance.now() + seconds * 1000
  const total = { answers: 0, looks: 0 }
  const readers = Array.from({ length: CLIENTS }, async (_, number) => {
    for (; performance.now() < until; total.answers++) await drain(at, number % 2 === 0 ? query(rows) : binary, ROWS)
  })
  const look = async () => {
    for (; performance.now() < until; total.looks++) {
      const { C: code } = errorOf(await ask(looker, hostile))
      if (code !== '57014') throw new Error(`the look ended with ${code}`)
    }
  }
  const busy = await healthDuring(server.url, () => Promise.all([...readers, look()]))
  const { ownStallMs, stallMs } = await server.watch()
  looker.end()
  server.kill('SIGTERM')
  await server.ended
  if (ownStallMs > MOST_STALL_MS) throw new Error(`others waited for ${ownStallMs.toFixed(0)} ms of our own; ${busy}`)
  return `${total.answers} answers of 1,000,000 rows to ${CLIENTS} clients and ${total.looks} endless looks at the catalogue in ${seconds} s: ${busy}; before, at rest, ${idle}; longest turn ${stallMs.toFixed(0)} ms, of our own ${ownStallMs.toFixed(0)} ms`
}
