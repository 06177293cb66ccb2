import t from 'tap'
import { createServerLogger, type LogSettings } from '../../core/src/host/server-logger.js'
import { holds } from '../specification/holds.js'

/** The lines of one message of every severity. */
function linesOf(settings: LogSettings): string[] {
  const lines: string[] = []
  const logger = createServerLogger(settings, { destination: { write: (line) => void lines.push(line) } })
  for (const severity of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) logger[severity](`said as ${severity}`)
  return lines
}

const CASES: readonly (readonly [LogSettings['LOG_LEVEL'], number])[] = [
  ['TRACE', 6],
  ['DEBUG', 5],
  ['INFO', 4],
  ['WARNING', 3],
  ['WARN', 3],
  ['ERROR', 2],
  ['CRITICAL', 1],
  ['FATAL', 1],
]

for (const [LOG_LEVEL, count] of CASES) {
  t.test(`LOG_LEVEL=${LOG_LEVEL} leaves out what is less severe`, async (t) => {
    holds(t, 'setting.LOG_LEVEL')
    const json = linesOf({ LOG_LEVEL, LOG_FORMAT: 'json' }).map((line) => JSON.parse(line))
    const all = ['trace', 'debug', 'info', 'warn', 'error', 'fatal']
    t.same(
      json.map(({ level }) => level),
      all.slice(-count),
    )
    t.equal(linesOf({ LOG_LEVEL, LOG_FORMAT: 'cloudrun' }).length, count)
  })
}

t.test('cloudrun names severities and messages as Google Cloud reads them', async (t) => {
  holds(t, 'log.format')
  const lines = linesOf({ LOG_LEVEL: 'TRACE', LOG_FORMAT: 'cloudrun' }).map((line) => JSON.parse(line))
  t.same(
    lines.map(({ severity }) => severity),
    ['DEBUG', 'DEBUG', 'INFO', 'WARNING', 'ERROR', 'CRITICAL'],
  )
  t.match(lines[5], { message: 'said as fatal', time: /^\d{4}-/ })
})
