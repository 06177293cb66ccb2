import { Writable } from 'node:stream'
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
  t.test(`LOG_LEVEL=${LOG_LEVEL} omits less severe lines`, async (t) => {
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

t.test('the console shows the cause of an unexpected error below its message', async (t) => {
  const lines: string[] = []
  const write = (line: Buffer, _: string, done: () => void) => {
    lines.push(String(line))
    done()
  }
  const destination = new Writable({ write })
  const logger = createServerLogger({ LOG_LEVEL: 'INFO', LOG_FORMAT: 'console' }, { destination, worker: 2 })
  logger.error({ err: new Error('the disk is full') }, 'Something went wrong here')
  logger.info({ milliseconds: 3 }, 'GET /health 200')
  t.match(lines.join(''), /ERROR: worker 2: Something went wrong here\nError: the disk is full\n +at /)
  t.match(lines.at(-1), /INFO: worker 2: GET \/health 200\n$/)
})
