import { fuzz } from '../flight/fuzz.js'
import { flightsConfig } from './flights.js'
import { startWatched } from './server.js'

/** Memory that a server may take beyond what it had after the first tenth. */
const MOST_GROWTH = 96 * 1024 * 1024

/** `count` spoiled messages. Fails when the server dies, leaves a call open, keeps a connection, or grows. */
export async function flightFuzz(count: number, seed = 1): Promise<string> {
  const settings = { FLIGHT_ENABLED: 'true', FLIGHT_PORT: '0', FLIGHT_QUERY_TIMEOUT_SECONDS: '5' }
  const server = await startWatched(settings, flightsConfig)
  const port = await server.flight()
  const began = performance.now()
  await fuzz(port, seed + 1, count / 10)
  const before = await server.watch()
  const seen = { messages: 0, calls: 0, refused: 0, highest: before.rss, stall: 0 }
  for (let part = 2; part <= 10; part++) {
    const { messages, calls, refused, alive } = await fuzz(port, seed + part, count / 10)
    if (!alive) throw new Error('a client that behaves was not served')
    const { rss, ownStallMs } = await server.watch()
    seen.messages += messages
    seen.calls += calls
    seen.refused += refused
    seen.highest = Math.max(seen.highest, rss)
    seen.stall = Math.max(seen.stall, ownStallMs)
  }
  const after = await server.watch()
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (after.rss - before.rss > MOST_GROWTH) throw new Error(`memory grew from ${mb(before.rss)} to ${mb(after.rss)}`)
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${Math.round(count / 10) + seen.messages} spoiled messages in ${seconds} s, ${seen.refused} of the ${seen.calls} last calls refused: memory ${mb(before.rss)} after a tenth, ${mb(seen.highest)} at most, ${mb(after.rss)} at the end; longest turn of our own ${seen.stall.toFixed(0)} ms`
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`
