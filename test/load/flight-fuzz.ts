import { fuzz } from '../flight/fuzz.js'
import { flightsConfig } from './flights.js'
import { startWatched, type Watched } from './server.js'

/** Memory that a server may take beyond what it had after the first tenth. */
const MOST_GROWTH = 96 * 1024 * 1024

const PARTS = 10

/**
 * `count` corrupted messages, in ten parts, each with a report. `first` continues where a run ended: the contents of a part depend only on
 * the seed and its number. Fails if the server stops, leaves a call open, keeps a connection, or grows.
 */
export async function flightFuzz(count: number, { seed = 1, first = 1 } = {}): Promise<string> {
  const settings = { FLIGHT_ENABLED: 'true', FLIGHT_PORT: '0', FLIGHT_QUERY_TIMEOUT_SECONDS: '5' }
  const server = await startWatched(settings, flightsConfig)
  const port = await server.flight()
  const began = performance.now()
  const seen = { messages: 0, calls: 0, refused: 0, highest: 0, stall: 0 }
  let before: Watched | undefined
  for (let part = first; part <= PARTS; part++) {
    const { messages, calls, refused, alive } = await fuzz(port, seed + part, count / PARTS)
    if (!alive) throw new Error('a client that behaves was not served')
    const watched = await server.watch()
    // The first part warms the server up; its memory after that part is the limit for later ones.
    before ??= watched
    seen.messages += messages
    seen.calls += calls
    seen.refused += refused
    seen.highest = Math.max(seen.highest, watched.rss)
    seen.stall = Math.max(seen.stall, watched.ownStallMs)
    console.error(
      `part ${part} of ${PARTS}: ${messages} messages, ${refused} of ${calls} calls refused, memory ${mb(watched.rss)}, longest turn ${watched.ownStallMs.toFixed(0)} ms`,
    )
  }
  if (before === undefined) throw new Error(`there is no part ${first}`)
  const after = await server.watch()
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (after.rss - before.rss > MOST_GROWTH) throw new Error(`memory grew from ${mb(before.rss)} to ${mb(after.rss)}`)
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${seen.messages} spoiled messages in ${seconds} s, ${seen.refused} of the ${seen.calls} calls refused: memory ${mb(before.rss)} after the first part, ${mb(seen.highest)} at most, ${mb(after.rss)} at the end; longest turn of our own ${seen.stall.toFixed(0)} ms`
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`
