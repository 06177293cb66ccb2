import t from 'tap'
import { fuzz } from './fuzz.js'
import { startPgwire } from './server.js'

const MESSAGES = 10_000

t.setTimeout(240_000)
t.test(`${MESSAGES} corrupted messages neither stop nor block the service`, async (t) => {
  const lines: string[] = []
  const note = (...parts: unknown[]) => void lines.push(String((parts[0] as { err?: Error })?.err?.stack ?? parts[1]))
  const logger = { debug() {}, info() {}, warn: note, error: note, child: () => logger }
  const server = await startPgwire({
    logger,
    settings: { PGWIRE_CATALOG: 'off', PGWIRE_AUTH_TIMEOUT_SECONDS: 2, PGWIRE_QUERY_TIMEOUT_SECONDS: 5 },
  })
  t.teardown(() => server.close())
  const report = await fuzz(server.port, 1, MESSAGES)
  t.ok(report.messages >= MESSAGES)
  t.ok(report.alive, 'a client that behaves is served at the end')
  t.ok(report.errors > report.conversations / 2, `${report.errors} of ${report.conversations} were told what was wrong`)
  t.same(lines, [], 'and nothing was an internal error')
})
