import t from 'tap'
import { fuzz } from './fuzz.js'
import { startFlight } from './server.js'

const MESSAGES = 3000
const SEED = 1

t.setTimeout(240_000)
t.test(`${MESSAGES} corrupted messages neither stop nor block the service (seed ${SEED})`, async (t) => {
  const lines: string[] = []
  const note = (...parts: unknown[]) => void lines.push(String((parts[0] as { err?: Error })?.err?.stack ?? parts[1]))
  const logger = { debug() {}, info() {}, warn() {}, error: note, child: () => logger }
  const server = await startFlight({ logger: logger as never, settings: { FLIGHT_QUERY_TIMEOUT_SECONDS: 5 } })
  t.teardown(() => server.close())
  const report = await fuzz(server.port, SEED, MESSAGES)
  t.ok(report.messages >= MESSAGES)
  t.ok(report.alive, 'a client that behaves is served at the end')
  t.ok(report.refused > report.calls / 4, `${report.refused} of ${report.calls} were told what was wrong`)
  t.same([...new Set(lines)], [], 'and nothing was an internal error')
})
