import { fuzz } from '../pgwire/fuzz.js'
import { flightsConfig } from './flights.js'
import { startWatched } from './server.js'

/** Memory that a server may take beyond what it had after the first tenth. */
const MOST_GROWTH = 64 * 1024 * 1024

/** `count` corrupted messages. Fails if the server stops, does not close a connection, keeps one, or grows. */
export async function wireFuzz(count: number, seed = 1): Promise<string> {
  const settings = { PGWIRE_CATALOG: 'off', PGWIRE_AUTH_TIMEOUT_SECONDS: '2', PGWIRE_QUERY_TIMEOUT_SECONDS: '5' }
  const server = await startWatched(
    { PGWIRE_ENABLED: 'true', PGWIRE_PORT: '0', PGWIRE_HOST: '127.0.0.1', ...settings },
    flightsConfig,
  )
  const port = await server.wire()
  const began = performance.now()
  await fuzz(port, seed + 1, count / 10)
  const before = await server.watch()
  const seen = { messages: 0, conversations: 0, errors: 0, highest: before.rss, stall: 0 }
  for (let part = 2; part <= 10; part++) {
    const { messages, conversations, errors, alive } = await fuzz(port, seed + part, count / 10)
    if (!alive) throw new Error('a client that behaves was not served')
    const { rss, ownStallMs } = await server.watch()
    seen.messages += messages
    seen.conversations += conversations
    seen.errors += errors
    seen.highest = Math.max(seen.highest, rss)
    seen.stall = Math.max(seen.stall, ownStallMs)
  }
  const after = await server.watch()
  server.kill('SIGTERM')
  if ((await server.ended) !== 0) throw new Error('the server did not end well')
  if (after.rss - before.rss > MOST_GROWTH) throw new Error(`memory grew from ${mb(before.rss)} to ${mb(after.rss)}`)
  if (after.sockets > before.sockets) throw new Error(`${after.sockets} sockets are open, and ${before.sockets} were before`)
  const seconds = Math.round((performance.now() - began) / 1000)
  return `${count / 10 + seen.messages} spoiled messages in ${seconds} s, of their ${seen.conversations} last conversations ${seen.errors} told what was wrong: memory ${mb(before.rss)} after a tenth, ${mb(seen.highest)} at most, ${mb(after.rss)} at the end; heap ${mb(before.heapUsed)} → ${mb(after.heapUsed)}; longest turn of our own ${seen.stall.toFixed(0)} ms`
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(0)} MB`
