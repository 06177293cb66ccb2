import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { connectFlightSql } from '@grainline/flight-sql'
import { percentile } from '../bench/measurement.js'
import { rowsOf } from '../flight/rows-of.js'
import { startWatched, wireConfig } from './server.js'

const READERS = 8
const PAUSE_MS = 50
/** The number of small queries before there is any reader. */
const ALONE = 60
/** Memory that a server may take beyond what it had after the first tenth. */
const MOST_GROWTH = 64 * 1024 * 1024

const model = fileURLToPath(new URL('../flight/numbers.yaml', import.meta.url))
const config = wireConfig('numbers', model, {
  init: [
    "CREATE TABLE numbers AS SELECT range AS id, 'number ' || range AS label, range * 0.5::DOUBLE AS amount FROM range(1000)",
    'CREATE VIEW endless AS SELECT range AS id FROM range(100000000000)',
  ],
})

/**
 * Readers of endless answers that rarely take a batch, together with a client of small queries, which first run without the readers. Fails
 * if the server grows.
 */
export async function flightReaders(seconds: number): Promise<string> {
  const places = { DB_POOL_SIZE: String(READERS + 1), CLIENT_MAX_STATEMENTS: String(READERS + 1) }
  // The time limit in the database ends an endless answer.
  const settings = { FLIGHT_ENABLED: 'true', FLIGHT_PORT: '0', FLIGHT_QUERY_TIMEOUT_SECONDS: '3600', ...places }
  const server = await startWatched(settings, config)
  const client = await connectFlightSql({ host: '127.0.0.1', port: await server.flight() })
  const asked = async (): Promise<number> => {
    const began = performance.now()
    const [[count]] = (await rowsOf(await client.query('SELECT "Count" FROM numbers'))) as [[bigint]]
    if (count !== 1000n) throw new Error(`${count} rows`)
    const took = performance.now() - began
    await sleep(PAUSE_MS)
    return took
  }
  const alone: number[] = []
  const beside: number[] = []
  await asked()
  while (alone.length < ALONE) alone.push(await asked())
  const until = performance.now() + seconds * 1000
  const seen = { batches: 0, rows: 0 }
  const isOver = () => performance.now() > until

  const reader = async () => {
    const answer = await client.query('SELECT "Endless"."Id" FROM numbers')
    for await (const batch of answer) {
      seen.batches++
      seen.rows += batch.numRows
      if (isOver()) break
      await sleep(PAUSE_MS)
    }
    await answer.cancel()
    if (!isOver()) throw new Error('an answer without an end has ended')
  }
  const asking = async () => {
    while (!isOver()) beside.push(await asked())
  }
  const memory = async () => {
    await sleep(seconds * 100)
    const before = (await server.watch()).rss
    await sleep(seconds * 800)
    return { before, after: (await server.watch()).rss }
  }
  const [{ before, after }] = await Promise.all([memory(), asking(), ...Array.from({ length: READERS }, reader)])
  client.close()
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (after - before > MOST_GROWTH) throw new Error(`memory grew from ${mb(before)} to ${mb(after)}`)
  return `${READERS} slow readers took ${seen.batches} batches (${seen.rows} rows) of answers without an end in ${seconds} s: memory ${mb(before)} after a tenth, ${mb(after)} near the end; ${beside.length} small questions beside them took ${times(beside)}, ${alone.length} without them ${times(alone)}`
}

/** The median, the 95th percentile and the maximum. */
function times(taken: readonly number[]): string {
  const sorted = taken.toSorted((a, b) => a - b)
  const at = (share: number) => percentile(sorted, share).toFixed(0)
  return `${at(0.5)}, ${at(0.95)} and at most ${at(1)} ms`
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`
