/** The same query on a server with one worker and with two. */
import { availableParallelism } from 'node:os'
import autocannon from 'autocannon'
import type { Measurement } from './measurement.js'
import { builtStart } from './server.js'

const CONNECTIONS = 32
/** For each worker, because every process compiles its code itself. */
const WARM_UP_SECONDS = 5
const SECONDS = 3
const ROUNDS = 3
const COUNTS = [1, 2]
const question = {
  select: { dimensions: ['Origin Airport', 'Month'], measures: ['Average Departure Delay', 'Cancellation Rate'] },
  limit: 20,
}

/** A compiled query: it measures our own work, without the database. The load comes from the same machine. */
export async function workersBench(): Promise<readonly Measurement[]> {
  const servers = await Promise.all(COUNTS.map((count) => builtStart({}, ['--workers', String(count)])))
  try {
    const best = COUNTS.map(() => 0)
    for (const [index, { url }] of servers.entries()) await requestsPerSecond(url, WARM_UP_SECONDS * COUNTS[index]!)
    // In turns, so that other programs affect both sides.
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, { url }] of servers.entries())
        best[index] = Math.max(best[index]!, await requestsPerSecond(url, SECONDS))
    const load = `best of ${ROUNDS} rounds in turns, ${CONNECTIONS} connections; the load takes a part of the ${availableParallelism()} cores`
    return COUNTS.map((count, index) => ({
      name: `query/sql over REST, \`--workers ${count}\``,
      value: best[index]!,
      unit: 'requests/s',
      target: undefined,
      better: 'more',
      note: index === 0 ? load : `${(best[index]! / best[0]!).toFixed(2)} × of one worker`,
    }))
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()))
  }
}

async function requestsPerSecond(url: string, duration: number): Promise<number> {
  const { requests, non2xx, errors } = await autocannon({
    url: `${url}/v1/query/sql`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(question),
    connections: CONNECTIONS,
    duration,
  })
  if (non2xx + errors > 0) throw new Error(`${non2xx} refusals, ${errors} errors`)
  return requests.average
}
